/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/util/cgroup_find.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/time.h"

#define TEXT_MAX   (1u << 20)
#define PATIENCE_S 10 /* for killed processes to be gone */
#define LOOK_MS	   2  /* version 1 tells of no end; it is looked for so often */
#define MAIN_GROUP "lkp-main"

struct part {
	char *folder;
	bool v2;
	unsigned has;
};

struct cgroup {
	struct part parts[CGROUP_PLACES];
	size_t n;
	char **files, **names;
};

static const struct limit {
	unsigned bit;
	const char *name;      /* of the controller */
	const char *v1, *v2;   /* file of the limit */
	const char *swap;      /* version 2: file that gets a 0 */
	const char *v1_events; /* file of what happened, */
	const char *v2_events; /* in version 2, */
	const char *event;     /* and the line of it that counts what the limit did */
} rows[] = {
	{CGROUP_MEMORY, "memory", "memory.limit_in_bytes", "memory.max", "memory.swap.max",
	 "memory.oom_control", "memory.events", "oom_kill "},
	{CGROUP_PIDS, "pids", "pids.max", "pids.max", NULL, "pids.events", "pids.events", "max "},
};

/* Returns 0, or -1 with errno. These files take each write as one order. Files that are missing are
 * made only in the folders that stand for the kernel's in tests: there nothing can be. */
static int put(const char *folder, const char *name, const char *text)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	return n < 0 ? -1 : 0;
}

static void get(const char *folder, const char *name, struct str *ret)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);

	str_reset(ret);
	if (fs_read(path, TEXT_MAX, ret, NULL) < 0)
		str_reset(ret);
}

/* Whether a list "cpu memory pids" holds the name. */
static bool holds(const struct str *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list->buf; (at = strstr(at, name)); at += n)
		if ((at == list->buf || at[-1] == ' ') && (!at[n] || strchr(" \n", at[n])))
			return true;
	return false;
}

/* Moves all of a group's processes to one below it. */
static bool make_room(const char *folder)
{
	_cleanup_free_ char *below = xasprintf("%s/" MAIN_GROUP, folder);
	_cleanup_str_ struct str procs = STR_INIT;

	if (mkdir(below, 0755) < 0 && errno != EEXIST)
		return false;
	for (int round = 0; round < 100; round++) {
		get(folder, "cgroup.procs", &procs);
		if (!procs.len)
			return true;
		for (char *save = NULL, *pid = strtok_r(procs.buf, "\n", &save); pid;
		     pid = strtok_r(NULL, "\n", &save))
			if (put(below, "cgroup.procs", pid) < 0 && errno != ESRCH)
				return false;
	}
	return false;
}

/* Version 2: has children of the group get the controller. Where processes are in the way, the
 * kernel refuses memory, and takes pids but makes all of it threads of one domain, which nobody may
 * join. The root of all has no type and no such rule. */
static bool hand_down(const char *folder, const char *name)
{
	_cleanup_str_ struct str list = STR_INIT;
	_cleanup_free_ char *order = xasprintf("+%s", name);

	get(folder, "cgroup.controllers", &list);
	if (!holds(&list, name))
		return false;
	get(folder, "cgroup.subtree_control", &list);
	if (holds(&list, name))
		return true;
	get(folder, "cgroup.type", &list);
	if (list.len)
		get(folder, "cgroup.procs", &list);
	if (list.len && !(cgroup_is_delegated(folder) && make_room(folder)))
		return false;
	return put(folder, "cgroup.subtree_control", order) == 0;
}

/* Whether processes may be in a group just made. */
static bool is_domain(const char *folder)
{
	_cleanup_str_ struct str type = STR_INIT;

	get(folder, "cgroup.type", &type);
	return !type.len || streq(type.buf, "domain\n");
}

/* Sends SIGKILL to all in the group. Returns how many it saw, -1 when some are of another pid
 * namespace and so not ours to end. */
static int kill_each(const char *folder)
{
	_cleanup_str_ struct str procs = STR_INIT;
	int n = 0;

	get(folder, "cgroup.procs", &procs);
	for (const char *at = procs.buf; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		long pid = strtol(at, NULL, 10);

		if (pid <= 0)
			return -1;
		if (pid != getpid())
			kill((pid_t)pid, SIGKILL);
		n++;
	}
	return n;
}

static void remove_part(const struct part *part)
{
	double end = time_monotonic() + PATIENCE_S;
	bool at_once = part->v2 && put(part->folder, "cgroup.kill", "1") == 0;

	while (rmdir(part->folder) < 0 && errno == EBUSY && time_monotonic() < end) {
		/* Nothing new may start between the look and the kill. */
		if (!at_once) {
			put(part->folder, "pids.max", "0");
			if (kill_each(part->folder) < 0)
				return;
		}
		poll(NULL, 0, LOOK_MS);
	}
}

/* Groups that processes left which were killed themselves. */
static void remove_stale(const char *folder, bool v2)
{
	_cleanup_strv_ char **names = NULL;

	if (fs_list(folder, &names, NULL) < 0)
		return;
	for (char **name = names; *name; name++) {
		struct part part = {.v2 = v2};
		int pid, n, end = 0;

		if (sscanf(*name, "lkp-%d-%d%n", &pid, &n, &end) != 2 || (*name)[end] || pid <= 0 ||
		    kill(pid, 0) == 0 || errno != ESRCH)
			continue;
		part.folder = xasprintf("%s/%s", folder, *name);
		if (kill_each(part.folder) >= 0)
			remove_part(&part);
		free(part.folder);
	}
}

static int64_t wanted(const struct cgroup_limits *limits, unsigned bit)
{
	return bit == CGROUP_MEMORY ? limits->memory : limits->processes;
}

static bool set_limit(const struct part *part, const struct limit *row, int64_t value)
{
	_cleanup_free_ char *text = xasprintf("%lld", (long long)value);

	if (put(part->folder, part->v2 ? row->v2 : row->v1, text) < 0)
		return false;
	/* Without swap in the kernel the file is missing. */
	if (part->v2 && row->swap)
		put(part->folder, row->swap, "0");
	return true;
}

/* Where groups are made: behind make_room() our own group is one further down. */
static char *base_of(const struct cgroup_place *place)
{
	size_t n = strlen(place->path);

	return xstrndup(place->path,
			str_ends(place->path, "/" MAIN_GROUP) ? n - strlen("/" MAIN_GROUP) : n);
}

/* Makes a group with those of the missing limits that this place can give. */
static void try_place(struct cgroup *g, const struct cgroup_place *place,
		      const struct cgroup_limits *limits, unsigned *missing)
{
	static int count;
	_cleanup_free_ char *base = base_of(place);
	struct part part = {.v2 = place->v2};
	unsigned can = 0;

	if (!cgroup_is_ours(&(struct cgroup_place){.path = base, .root = place->root}))
		return;
	remove_stale(base, place->v2);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (*missing & rows[i].bit &&
		    (place->v2 ? hand_down(base, rows[i].name) : place->controllers & rows[i].bit))
			can |= rows[i].bit;
	part.folder = xasprintf("%s/lkp-%d-%d", base, (int)getpid(), ++count);
	if (!can || mkdir(part.folder, 0755) < 0) {
		free(part.folder);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (can & rows[i].bit && is_domain(part.folder) &&
		    set_limit(&part, &rows[i], wanted(limits, rows[i].bit)))
			part.has |= rows[i].bit;
	*missing &= ~part.has;
	g->parts[g->n++] = part;
}

static void name_files(struct cgroup *g)
{
	for (size_t i = 0; i < g->n; i++) {
		_cleanup_free_ char *file = xasprintf("%s/cgroup.procs", g->parts[i].folder);

		strv_add(&g->files, file);
		for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
			_cleanup_free_ char *name =
				xasprintf("cgroup%d %s", g->parts[i].v2 ? 2 : 1, rows[k].name);

			if (g->parts[i].has & rows[k].bit)
				strv_add(&g->names, name);
		}
	}
}

struct cgroup *cgroup_new_from(const char *mountinfo, const char *self,
			       const struct cgroup_limits *limits, struct str *ret_why)
{
	struct cgroup_place places[CGROUP_PLACES];
	size_t n = cgroup_find(mountinfo, self, places);
	struct cgroup *g = xcalloc(1, sizeof(*g));
	unsigned missing = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (wanted(limits, rows[i].bit) > 0)
			missing |= rows[i].bit;
	for (size_t i = 0; i < n; i++) {
		if (missing)
			try_place(g, &places[i], limits, &missing);
		free(places[i].path);
	}
	name_files(g);
	if (g->names)
		return g;
	cgroup_free(g);
	str_addf(ret_why, n ? "none of our control groups is ours to divide (systemd: "
			      "Delegate=yes, or systemd-run --scope -p Delegate=yes)"
			    : "no control group with a memory or pids controller is mounted");
	return NULL;
}

struct cgroup *cgroup_new(const struct cgroup_limits *limits, struct str *ret_why)
{
	_cleanup_str_ struct str mountinfo = STR_INIT, self = STR_INIT;

	get("/proc/self", "mountinfo", &mountinfo);
	get("/proc/self", "cgroup", &self);
	return cgroup_new_from(mountinfo.buf, self.buf, limits, ret_why);
}

const char *const *cgroup_files(const struct cgroup *group)
{
	return group ? (const char *const *)group->files : NULL;
}

const char *const *cgroup_names(const struct cgroup *group)
{
	return group ? (const char *const *)group->names : NULL;
}

/* Whether the limit of this controller has been met. */
static bool met(const struct cgroup *g, const struct limit *row)
{
	_cleanup_str_ struct str text = STR_INIT;
	bool found = false;

	for (size_t i = 0; g && i < g->n; i++) {
		const struct part *part = &g->parts[i];

		if (!(part->has & row->bit))
			continue;
		get(part->folder, part->v2 ? row->v2_events : row->v1_events, &text);
		for (const char *at = text.buf; *at && !found;
		     at += strcspn(at, "\n"), at += *at == '\n')
			found = str_starts(at, row->event) &&
				strtoll(at + strlen(row->event), NULL, 10) > 0;
	}
	return found;
}

bool cgroup_out_of_memory(const struct cgroup *group)
{
	return met(group, &rows[0]);
}

bool cgroup_out_of_processes(const struct cgroup *group)
{
	return met(group, &rows[1]);
}

void cgroup_free(struct cgroup *group)
{
	if (!group)
		return;
	for (size_t i = 0; i < group->n; i++) {
		remove_part(&group->parts[i]);
		free(group->parts[i].folder);
	}
	strv_free(group->files);
	strv_free(group->names);
	free(group);
}
