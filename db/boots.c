/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/boots.h"

#include <stdlib.h>

#include "db/names.h"
#include "db/stmt.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

const char *const db_purposes[] = {"judge", "confirm", "noise", "import", NULL};

static int check_purpose(const char *purpose, struct err *err)
{
	for (size_t i = 0; db_purposes[i]; i++)
		if (streq(purpose, db_purposes[i]))
			return 0;
	return err_set(err, ERR_USER, "unknown purpose of a boot: \"%s\"", purpose);
}

static int find(struct db *db, int64_t commit, int64_t machine, const char *boot, int64_t *ret_id,
		bool *ret_found, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "SELECT id FROM boots WHERE commit_id = ?1 AND machine_id = ?2 AND boot = ?3",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, commit);
	stmt_int(&s, 2, machine);
	stmt_text(&s, 3, boot);
	return stmt_one_int(&s, ret_id, ret_found, err);
}

static int insert(struct db *db, const struct db_boot *b, int64_t commit, int64_t machine,
		  struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	const char *const texts[] = {b->boot,	b->kconfig,	b->image_id, b->toolbox_id,
				     b->accel,	b->clocksource, b->status,   b->detail,
				     b->folder, b->purpose,	b->facts,    b->kind};

	if (stmt_open(db,
		      "INSERT INTO boots (commit_id, machine_id, boot, kconfig, image_id, "
		      "toolbox_id, accel, clocksource, status, detail, folder, purpose, facts, "
		      "kind, seed, started, seconds) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
		      "?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, commit);
	stmt_int(&s, 2, machine);
	for (int i = 0; i < (int)(sizeof(texts) / sizeof(texts[0])); i++)
		stmt_text(&s, 3 + i, texts[i] ? texts[i] : "");
	stmt_int(&s, 15, (int64_t)b->seed);
	stmt_int(&s, 16, b->started);
	stmt_real(&s, 17, b->seconds);
	return stmt_run(&s, err);
}

int db_boot_put(struct db *db, const struct db_boot *b, int64_t *ret_id, bool *ret_new,
		struct err *err)
{
	int64_t commit = 0, machine = 0, id = 0;
	bool found = false;

	if (check_purpose(b->purpose, err) < 0 || db_commit_row(db, b->commit, &commit, err) < 0)
		return -1;
	if (!commit)
		return err_set(err, ERR_USER, "no commit %s in %s", b->commit, db->path);
	if (db_name_put(db, DB_MACHINE, b->machine, &machine, err) < 0 ||
	    find(db, commit, machine, b->boot, &id, &found, err) < 0)
		return -1;
	if (!found) {
		if (insert(db, b, commit, machine, err) < 0)
			return -1;
		id = sqlite3_last_insert_rowid(db->sql);
	}
	*ret_id = id;
	*ret_new = !found;
	return 0;
}

int db_boot_names(struct db *db, const char *machine, struct db_boot_names *ret, struct err *err)
{
	_cleanup_(db_boot_names_done) struct db_boot_names names = {.n = 0};
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int got;

	if (stmt_open(db,
		      "SELECT b.boot FROM boots b JOIN machines m ON m.id = b.machine_id "
		      "WHERE m.name = ?1 ORDER BY b.boot",
		      &s, err) < 0)
		return -1;
	stmt_text(&s, 1, machine);
	while ((got = stmt_step(&s, err)) > 0) {
		mem_grow(&names.v, &names.cap, names.n + 1, sizeof(*names.v));
		names.v[names.n++] = stmt_col_dup(&s, 0);
	}
	if (got < 0)
		return -1;
	*ret = names;
	names = (struct db_boot_names){.n = 0};
	return 0;
}

static int by_name(const void *name, const void *row)
{
	return strcmp(name, *(char *const *)row);
}

bool db_boot_names_has(const struct db_boot_names *names, const char *boot)
{
	return names->n && bsearch(boot, names->v, names->n, sizeof(*names->v), by_name);
}

void db_boot_names_done(struct db_boot_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
	*names = (struct db_boot_names){.n = 0};
}

int db_boot_fail(struct db *db, int64_t id, const char *status, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db, "UPDATE boots SET status = ?2 WHERE id = ?1 AND status = 'ok'", &s, err) <
	    0)
		return -1;
	stmt_int(&s, 1, id);
	stmt_text(&s, 2, status);
	return stmt_run(&s, err);
}
