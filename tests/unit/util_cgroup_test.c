/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Version 2 on folders of plain files that answer like the kernel's; version 1 on the real thing,
 * where this host lets us. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "harness/util/cgroup.h"
#include "harness/util/cgroup_find.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

static char dir[] = "/tmp/lkp-cgroup-XXXXXX";

static int setup(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return fs_remove_tree(dir, NULL);
}

static const struct {
	const char *mountinfo, *self;
	const char *paths[CGROUP_PLACES];
	unsigned controllers[CGROUP_PLACES];
	bool root;
} found[] = {
	/* Version 2 alone. */
	{"24 1 0:22 / /proc rw - proc proc rw\n"
	 "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
	 "0::/user.slice/x.scope\n",
	 {"/sys/fs/cgroup/user.slice/x.scope"},
	 {0},
	 false},
	{"30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
	 "0::/\n",
	 {"/sys/fs/cgroup"},
	 {0},
	 true},
	/* Both: version 2 comes first, of version 1 what may have our controllers. */
	{"31 30 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	 "32 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
	 "33 30 0:29 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
	 "34 30 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
	 "9:pids:/p\n8:cpu,cpuacct:/c\n4:memory:/m/n\n0::/\n",
	 {"/sys/fs/cgroup/unified", "/sys/fs/cgroup/memory/m/n", "/sys/fs/cgroup/pids/p"},
	 {0, CGROUP_MEMORY, CGROUP_PIDS},
	 true},
	/* One hierarchy with both. */
	{"31 30 0:27 / /cg rw - cgroup cgroup rw,memory,pids\n",
	 "4:memory,pids:/a\n",
	 {"/cg/a"},
	 {CGROUP_MEMORY | CGROUP_PIDS},
	 false},
	/* A container without a namespace: the mount begins at its group. */
	{"30 24 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
	 "0::/docker/1\n",
	 {"/sys/fs/cgroup"},
	 {0},
	 true},
	{"30 24 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
	 "0::/docker/12\n",
	 {NULL},
	 {0},
	 false},
	/* Outside of the namespace's root, and nonsense. */
	{"30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/../x\n", {NULL}, {0}, false},
	{"30 24 - cgroup2\n - \nx\n\n", "0::/\n", {NULL}, {0}, false},
	{"30 24 0:26 / /cg rw - cgroup2 cgroup rw\n", "::\n0:\nx\n", {NULL}, {0}, false},
	{"", "", {NULL}, {0}, false},
};

static void places_are_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(found); i++) {
		struct cgroup_place places[CGROUP_PLACES];
		size_t n = cgroup_find(found[i].mountinfo, found[i].self, places);

		for (size_t k = 0; k < CGROUP_PLACES; k++) {
			const char *path = k < n ? places[k].path : NULL;

			if (!streq(path, found[i].paths[k]))
				fail_msg("row %zu, place %zu: %s", i, k, path ? path : "none");
			if (path)
				assert_int_equal(places[k].controllers, found[i].controllers[k]);
		}
		if (n)
			assert_int_equal(places[0].root, found[i].root);
		for (size_t k = 0; k < n; k++)
			free(places[k].path);
	}
}

/* ---- a made-up version 2 -----------------------------------------------------------------------
 */

static void put(const char *name, const char *text)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", dir, name);

	assert_int_equal(fs_write_atomic(path, text, strlen(text), 0644, NULL), 0);
}

static bool holds(const char *folder, const char *name, const char *text)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
	_cleanup_str_ struct str s = STR_INIT;

	return fs_read(path, 4096, &s, NULL) == 0 && streq(s.buf, text);
}

/* Our group is the root, at dir. */
static struct cgroup *make(const struct cgroup_limits *limits, struct str *why)
{
	_cleanup_free_ char *mountinfo = xasprintf("1 1 0:1 / %s rw - cgroup2 x rw\n", dir);

	return cgroup_new_from(mountinfo, "0::/\n", limits, why);
}

static void what_cannot_be_limited_is_explained(void **state)
{
	const struct cgroup_limits limits = {.memory = 1 << 20, .processes = 5};
	_cleanup_str_ struct str why = STR_INIT;

	(void)state;
	assert_null(cgroup_new_from("", "", &limits, &why));
	assert_non_null(strstr(why.buf, "no control group"));
	str_reset(&why);
	/* No controller here. */
	assert_null(make(&limits, &why));
	assert_non_null(strstr(why.buf, "Delegate=yes"));
	/* Not ours: somebody's group that we happen to be in. */
	str_reset(&why);
	put("cgroup.controllers", "cpu memory pids\n");
	put("cgroup.subtree_control", "memory pids\n");
	if (geteuid() == 0) {
		_cleanup_free_ char *mountinfo = xasprintf("1 1 0:1 / /tmp rw - cgroup2 x rw\n");
		_cleanup_free_ char *self = xasprintf("0::%s\n", dir + strlen("/tmp"));

		assert_null(cgroup_new_from(mountinfo, self, &limits, &why));
	}
	/* No limit is wanted. */
	assert_null(make(&(struct cgroup_limits){0}, &why));
}

static char *folder_of(const struct cgroup *g)
{
	const char *file = cgroup_files(g)[0];

	return xstrndup(file, (size_t)(strrchr(file, '/') - file));
}

static void version_2_gets_its_limits(void **state)
{
	const struct cgroup_limits limits = {.memory = 4 << 20, .processes = 55};
	_cleanup_str_ struct str why = STR_INIT;
	_cleanup_free_ char *folder = NULL, *events = NULL;
	const char *below;
	struct cgroup *g;

	(void)state;
	put("cgroup.controllers", "cpu memory pids\n");
	put("cgroup.subtree_control", "pids pids pids\n");
	g = make(&limits, &why);
	assert_non_null(g);
	assert_true(holds(dir, "cgroup.subtree_control", "+memoryds pids\n"));
	folder = folder_of(g);
	below = strrchr(folder, '/') + 1;
	assert_true(holds(folder, "memory.max", "4194304"));
	assert_true(holds(folder, "memory.swap.max", "0"));
	assert_true(holds(folder, "pids.max", "55"));
	assert_string_equal(cgroup_names(g)[0], "cgroup2 memory");
	assert_string_equal(cgroup_names(g)[1], "cgroup2 pids");
	assert_null(cgroup_names(g)[2]);
	events = xasprintf("%s/memory.events", below);
	put(events, "low 0\nhigh 3\nmax 7\noom 1\noom_kill 0\noom_group_kill 0\n");
	assert_false(cgroup_out_of_memory(g));
	put(events, "low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\noom_group_kill 0\n");
	assert_true(cgroup_out_of_memory(g));
	assert_false(cgroup_out_of_processes(g));
	cgroup_free(g);
	assert_true(holds(folder, "cgroup.kill", "1"));
}

/* ---- the real thing ----------------------------------------------------------------------------
 */

/* A group of this host; NULL, with the reason, where it allows none: nothing can be tried there. */
static struct cgroup *real(const struct cgroup_limits *limits)
{
	_cleanup_str_ struct str why = STR_INIT;
	struct cgroup *g = cgroup_new(limits, &why);

	if (!g)
		print_message("no control group is ours on this host: %s\n", why.buf);
	return g;
}

static void try_a_group_bounds_what_joins_it(struct cgroup *g)
{
	_cleanup_free_ char *folder = folder_of(g);
	_cleanup_str_ struct str out = STR_INIT;
	struct proc_spec spec = {
		.argv = (const char *const[]){"sh", "-c",
					      "cat /proc/self/cgroup; "
					      "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do "
					      "sleep 60 & done",
					      NULL},
		.join = cgroup_files(g),
		.out = &out,
		.deadline_ms = 20000,
	};
	struct proc_result result;
	struct err err = ERR_INIT;

	assert_true(holds(folder, "pids.max", "10\n"));
	assert_false(cgroup_out_of_processes(g));
	if (proc_run(&spec, &result, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(result.code != 0);
	assert_non_null(strstr(out.buf, strrchr(folder, '/')));
	assert_true(cgroup_out_of_processes(g));
	assert_false(cgroup_out_of_memory(g));
	/* All gone already, as after every proc_run(). */
	assert_true(holds(folder, "cgroup.procs", ""));
	cgroup_free(g);
	assert_false(fs_exists(folder));
}

static void a_group_bounds_what_joins_it(void **state)
{
	struct cgroup *g = real(&(struct cgroup_limits){.processes = 10});

	(void)state;
	if (g)
		try_a_group_bounds_what_joins_it(g);
}

static void try_what_is_in_it_dies_with_it(struct cgroup *g)
{
	_cleanup_free_ char *folder = folder_of(g);
	_cleanup_free_ char *procs = xasprintf("%s/cgroup.procs", folder);
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		FILE *f = fopen(procs, "w");

		if (f && fputs("0", f) >= 0 && fclose(f) == 0 && fork() >= 0)
			for (;;)
				pause();
		_exit(1);
	}
	while (holds(folder, "cgroup.procs", ""))
		usleep(1000);
	signal(SIGCHLD, SIG_IGN);
	cgroup_free(g);
	assert_false(fs_exists(folder));
	signal(SIGCHLD, SIG_DFL);
	assert_true(waitpid(pid, &status, 0) < 0 || WIFSIGNALED(status));
}

static void what_is_in_it_dies_with_it(void **state)
{
	struct cgroup *g = real(&(struct cgroup_limits){.processes = 100});

	(void)state;
	if (g)
		try_what_is_in_it_dies_with_it(g);
}

static void try_groups_of_the_dead_are_removed(struct cgroup *g)
{
	_cleanup_free_ char *folder = folder_of(g);
	_cleanup_free_ char *base = xstrndup(folder, (size_t)(strrchr(folder, '/') - folder));
	_cleanup_free_ char *stale = NULL, *alive = NULL, *other = NULL;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	stale = xasprintf("%s/lkp-%d-7", base, (int)pid);
	alive = xasprintf("%s/lkp-%d-999", base, (int)getppid());
	other = xasprintf("%s/lkp-%d-7x", base, (int)pid);
	assert_int_equal(mkdir(stale, 0755), 0);
	assert_int_equal(mkdir(alive, 0755), 0);
	assert_int_equal(mkdir(other, 0755), 0);
	cgroup_free(g);
	g = real(&(struct cgroup_limits){.processes = 100});
	cgroup_free(g);
	assert_false(fs_exists(stale));
	assert_true(fs_exists(alive));
	assert_true(fs_exists(other));
	rmdir(alive);
	rmdir(other);
}

static void groups_of_the_dead_are_removed(void **state)
{
	struct cgroup *g = real(&(struct cgroup_limits){.processes = 100});

	(void)state;
	if (g)
		try_groups_of_the_dead_are_removed(g);
}

static void try_the_memory_limit_shows_when_it_kills(struct cgroup *g)
{
	_cleanup_strv_ char **hog = NULL;
	struct proc_result result = {0};
	struct err err = ERR_INIT;
	bool limited = false;

	for (const char *const *name = cgroup_names(g); *name; name++)
		limited |= str_ends(*name, "memory");
	if (!limited) {
		cgroup_free(g);
		print_message("no memory controller is ours on this host\n");
		return;
	}
	strv_add(&hog, "sh");
	strv_add(&hog, "-c");
	strv_add(&hog, "head -c 200M /dev/zero | tail");
	assert_int_equal(proc_run(&(struct proc_spec){.argv = (const char *const *)hog,
						      .join = cgroup_files(g),
						      .deadline_ms = 60000},
				  &result, &err),
			 0);
	assert_true(cgroup_out_of_memory(g));
	cgroup_free(g);
}

static void the_memory_limit_shows_when_it_kills(void **state)
{
	struct cgroup *g = real(&(struct cgroup_limits){.memory = 32 << 20, .processes = 100});

	(void)state;
	if (g)
		try_the_memory_limit_shows_when_it_kills(g);
}

static void a_group_that_is_gone_is_an_error(void **state)
{
	const char *const files[] = {"/nowhere/cgroup.procs", NULL};
	struct proc_spec spec = {.argv = (const char *const[]){"true", NULL}, .join = files};
	struct proc_result result;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(proc_run(&spec, &result, &err), -1);
	assert_int_equal(err.kind, ERR_INFRA);
	assert_non_null(strstr(err.msg, "/nowhere/cgroup.procs"));
}

static void nothing_is_fine(void **state)
{
	(void)state;
	cgroup_free(NULL);
	assert_null(cgroup_files(NULL));
	assert_null(cgroup_names(NULL));
	assert_false(cgroup_out_of_memory(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_found),
		cmocka_unit_test(what_cannot_be_limited_is_explained),
		cmocka_unit_test(version_2_gets_its_limits),
		cmocka_unit_test(a_group_bounds_what_joins_it),
		cmocka_unit_test(what_is_in_it_dies_with_it),
		cmocka_unit_test(groups_of_the_dead_are_removed),
		cmocka_unit_test(the_memory_limit_shows_when_it_kills),
		cmocka_unit_test(a_group_that_is_gone_is_an_error),
		cmocka_unit_test(nothing_is_fine),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
