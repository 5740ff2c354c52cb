/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/run/rebuild.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "db/boots.h"
#include "db/remake.h"
#include "harness/run/index.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

#define JSON_CAP  (1 << 20)
#define NOTES_CAP 4000 /* bytes */

/* A whole boot folder, and what orders it among the others. */
struct folder {
	char *path, *machine, *boot;
	int64_t started;
	struct timespec written; /* boots of one second: in the order in which they ended */
};

struct folders {
	struct folder *v;
	size_t n, cap;
};

static void folders_done(struct folders *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->v[i].path);
		free(f->v[i].machine);
		free(f->v[i].boot);
	}
	free(f->v);
}

void rebuild_counts_done(struct rebuild_counts *c)
{
	str_done(&c->notes);
	free(c->old);
}

static int64_t started_of(const char *file)
{
	_cleanup_json_ json_t *json = NULL;
	struct err ignored = ERR_INIT;

	/* What is wrong with it is said when it is indexed. */
	if (json_load_path(file, JSON_CAP, &json, &ignored) < 0)
		return 0;
	return json_integer_value(json_object_get(json, "started"));
}

static int add_machine(struct folders *all, const char *results, const char *machine,
		       struct err *err)
{
	_cleanup_free_ char *under = xasprintf("%s/%s", results, machine);
	_cleanup_strv_ char **names = NULL;

	if (!fs_is_dir(under))
		return 0;
	if (fs_list(under, &names, err) < 0)
		return -1;
	for (size_t i = 0; names && names[i]; i++) {
		_cleanup_free_ char *file = xasprintf("%s/%s/boot.json", under, names[i]);
		struct stat st;
		if (names[i][0] == '.' || stat(file, &st) < 0)
			continue;
		mem_grow(&all->v, &all->cap, all->n + 1, sizeof(*all->v));
		all->v[all->n++] = (struct folder){.path = xasprintf("%s/%s", under, names[i]),
						   .machine = xstrdup(machine),
						   .boot = xstrdup(names[i]),
						   .written = st.st_mtim};
		if (proc_check_cancel(err) < 0)
			return -1;
	}
	return 0;
}

static int find_folders(const char *state, struct folders *ret, struct err *err)
{
	_cleanup_free_ char *results = xasprintf("%s/results", state);
	_cleanup_strv_ char **machines = NULL;

	if (fs_is_dir(results) && fs_list(results, &machines, err) < 0)
		return -1;
	for (size_t i = 0; machines && machines[i]; i++)
		if (machines[i][0] != '.' && add_machine(ret, results, machines[i], err) < 0)
			return -1;
	return 0;
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_time(const void *left, const void *right)
{
	const struct folder *a = left, *b = right;
	int order = compare(a->started, b->started);

	if (!order)
		order = compare(a->written.tv_sec, b->written.tv_sec);
	if (!order)
		order = compare(a->written.tv_nsec, b->written.tv_nsec);
	return order ? order : strcmp(a->path, b->path);
}

static void order_folders(struct folders *all)
{
	for (size_t i = 0; i < all->n; i++) {
		_cleanup_free_ char *file = xasprintf("%s/boot.json", all->v[i].path);
		all->v[i].started = started_of(file);
	}
	if (all->n)
		qsort(all->v, all->n, sizeof(*all->v), by_time);
}

static void note(struct rebuild_counts *c, const char *text)
{
	if (c->notes.len > NOTES_CAP)
		return;
	str_add_safe(&c->notes, text, strnlen(text, 500));
	str_addc(&c->notes, '\n');
}

static int index_folders(struct db *db, const struct folders *all, struct progress *progress,
			 struct rebuild_counts *c, struct err *err)
{
	progress_step(progress, 0, "reading %zu boot folders", all->n);
	for (size_t i = 0; i < all->n; i++) {
		struct index_counts counts = {0};
		struct err bad = ERR_INIT;
		progress_update(progress, (double)i, (double)all->n);
		if (proc_check_cancel(err) < 0)
			return -1;
		if (index_boot(db, all->v[i].path, &counts, &bad) == 0) {
			c->boots++;
			c->runs += counts.runs;
			c->samples += counts.samples;
		} else if (*bad.cause) { /* the database failed, not the folder */
			*err = bad;
			return -1;
		} else {
			c->skipped++;
			note(c, bad.msg);
		}
	}
	return 0;
}

static int read_journal(struct remake *r, bool force, struct progress *progress,
			struct rebuild_counts *c, struct err *err)
{
	struct keep_counts counts = {0};

	progress_step(progress, 0, "reading the journal");
	if (remake_replay(r, &counts, err) < 0)
		return -1;
	c->lines = (size_t)counts.lines;
	c->damaged = (size_t)counts.damaged;
	if (!counts.damaged)
		return 0;
	if (!force)
		return err_set(err, ERR_USER,
			       "the journal has %lld damaged lines, the first is %s; restore that "
			       "file from a backup, or give --force to go on without them",
			       (long long)counts.damaged, counts.first_damaged);
	note(c, counts.first_damaged);
	return 0;
}

int run_rebuild(const char *path, const char *state, bool force, struct progress *progress,
		struct rebuild_counts *ret, struct err *err)
{
	struct rebuild_counts c = {.notes = STR_INIT};
	_cleanup_(folders_done) struct folders all = {0};
	struct remake *r = NULL;

	progress_step(progress, 0, "looking for boot folders");
	if (find_folders(state, &all, err) < 0)
		return -1;
	order_folders(&all);
	if (remake_begin(path, state, force, &r, &c.old_damaged, err) < 0)
		return -1;
	if (index_folders(remake_db(r), &all, progress, &c, err) < 0 ||
	    read_journal(r, force, progress, &c, err) < 0) {
		remake_drop(r);
		rebuild_counts_done(&c);
		return -1;
	}
	progress_step(progress, 0, "checking the new database");
	if (remake_finish(r, &c.old, err) < 0) {
		rebuild_counts_done(&c);
		return -1;
	}
	*ret = c;
	return 0;
}

struct folder_audit {
	struct audit *audit;
	audit_tick_fn *tick;
	void *arg;
	double done, total;
};

static int check_folder(const char *machine, const char *boot, const char *folder, void *arg,
			struct err *err)
{
	struct folder_audit *fa = arg;
	_cleanup_free_ char *file = xasprintf("%s/boot.json", folder);

	if (!fs_exists(file))
		audit_add(fa->audit, "folders", false,
			  "%s: boot %s of %s is in the database, its folder is gone (if the state "
			  "folder was moved: \"lkpctl db rebuild\")",
			  folder, boot, machine);
	return fa->tick(fa->arg, fa->done++, fa->total, err);
}

int run_audit_folders(struct db *db, const char *state, audit_tick_fn *tick, void *arg,
		      struct audit *ret, struct err *err)
{
	_cleanup_(folders_done) struct folders all = {0};
	_cleanup_(db_boot_names_done) struct db_boot_names known = {.n = 0};
	struct folder_audit fa = {ret, tick, arg, 0, 0};
	int64_t n;

	if (state && find_folders(state, &all, err) < 0)
		return -1;
	fa.total = 2 * (double)all.n;
	if (audit_boots(db, check_folder, &fa, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < all.n; i++) {
		const struct folder *f = &all.v[i];
		/* The folders come machine by machine. */
		if (i == 0 || !streq(f->machine, f[-1].machine)) {
			db_boot_names_done(&known);
			if (db_boot_names(db, f->machine, &known, err) < 0)
				return -1;
		}
		if (tick(arg, (double)(all.n + i), fa.total, err) < 0)
			return -1;
		if (!db_boot_names_has(&known, f->boot))
			audit_add(ret, "folders", false,
				  "%s: is not in the database; the next run on %s takes it in, or "
				  "\"lkpctl db rebuild\"",
				  f->path, f->machine);
	}
	return 0;
}
