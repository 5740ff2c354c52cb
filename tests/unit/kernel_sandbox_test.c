/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/kernel/sandbox.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

static char dir[] = "/tmp/lkp-sandbox-XXXXXX";
static char src[64], out[64];

static int setup(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chmod(dir, 0755), 0);
	snprintf(src, sizeof(src), "%s/src", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	assert_int_equal(mkdir(src, 0755), 0);
	assert_int_equal(mkdir(out, 0755), 0);
	assert_int_equal(chown(out, sandbox_uid(), (gid_t)-1), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return fs_remove_tree(dir, NULL);
}

static char *joined(const struct sandbox *box, bool as_root)
{
	_cleanup_strv_ char **argv =
		sandbox_argv(box, (const char *const[]){"make", "a b", NULL}, as_root);
	struct str s = STR_INIT;

	for (char **word = argv; *word; word++)
		str_addf(&s, "<%s>", *word);
	return str_detach(&s);
}

static void argv_holds_every_wall(void **state)
{
	const struct sandbox box = {.src = "/c/src/t",
				    .out = "/c/out/t/k",
				    .memory = 1000,
				    .file_size = 2000,
				    .processes = 30};
	_cleanup_free_ char *root = joined(&box, true);
	_cleanup_free_ char *user = joined(&box, false);
	static const char *const walls[] = {
		"<setpriv><--reuid=65534><--regid=65534><--clear-groups><bwrap><--unshare-all>"
		"<--unshare-user><--die-with-parent><--new-session><--cap-drop><ALL><--clearenv>"
		"<--disable-userns>",
		"<--size><67108864><--tmpfs></dev/shm><--remount-ro></dev>",
		"<--size><1073741824><--tmpfs></tmp>",
		"<--setenv><KBUILD_BUILD_TIMESTAMP><Thu Jan  1 00:00:00 UTC 1970>",
		"<--setenv><LOCALVERSION><>",
		"<--ro-bind></c/src/t></src><--bind></c/out/t/k></out><--remount-ro></>",
		"<--><prlimit><--core=0><--fsize=2000><--as=1000><--nproc=30><make><a b>",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(walls); i++)
		assert_non_null(strstr(root, walls[i]));
	assert_null(strstr(user, "setpriv"));
	assert_null(strstr(root, "--share-net"));
}

static void off_runs_the_same_bare(void **state)
{
	const struct sandbox box = {
		.src = "/c/src/t", .out = "/c/out/t/k", .off = true, .processes = 30};
	_cleanup_free_ char *root = joined(&box, true);

	(void)state;
	/* The user's processes outside would count. */
	assert_true(str_ends(root, "<prlimit><--core=0><make><a b>"));
	assert_true(str_starts(root, "<setpriv>"));
	assert_non_null(strstr(root, "<--clear-groups><env><-i><PATH="));
	assert_non_null(strstr(root, "<KBUILD_BUILD_HOST=lkp>"));
	assert_null(strstr(root, "bwrap"));
	assert_string_equal(sandbox_out(&box), "/c/out/t/k");
}

/* Commands that must end so in the sandbox. */
static void walls_stand(void **state)
{
	static const struct {
		const char *const argv[4];
		bool ok;
	} rows[] = {
		{{"touch", "/out/mine", NULL}, true},
		{{"touch", "/src/mine", NULL}, false},
		{{"touch", "/usr/mine", NULL}, false},
		{{"touch", "/mine", NULL}, false},
		{{"touch", "/dev/mine", NULL}, false},
		{{"touch", "/dev/shm/mine", NULL}, true},
		{{"unshare", "-U", "true", NULL}, false},
		{{"test", "-e", "/etc/passwd", NULL}, false},
		{{"test", "-e", "/root", NULL}, false},
		{{"test", "-e", "/sys/class", NULL}, false},
		{{"grep", "-q", "eth\\|ens\\|enp", "/proc/net/dev"}, false},
		{{"printenv", "HOME", NULL}, true},
		{{"printenv", "LKP_SECRET", NULL}, false},
	};
	struct sandbox box = {.src = src, .out = out, .file_size = 1 << 20};
	struct err err = ERR_INIT;

	(void)state;
	setenv("LKP_SECRET", "x", 1);
	if (sandbox_check(&box, &err) < 0)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *const command[] = {rows[i].argv[0], rows[i].argv[1], rows[i].argv[2],
					       rows[i].argv[3], NULL};
		_cleanup_strv_ char **argv = sandbox_argv(&box, command, geteuid() == 0);
		struct proc_spec spec = {.argv = (const char *const *)argv, .deadline_ms = 30000};
		struct proc_result result;

		assert_int_equal(proc_run(&spec, &result, &err), 0);
		assert_int_equal(result.status, PROC_EXITED);
		if ((result.code == 0) != rows[i].ok)
			fail_msg("%s %s ended with %d", command[0], command[1], result.code);
	}
}

static void a_file_larger_than_allowed_ends_the_command(void **state)
{
	const struct sandbox box = {.src = src, .out = out, .file_size = 1 << 20};
	const char *const command[] = {"truncate", "-s", "2M", "/out/big", NULL};
	_cleanup_strv_ char **argv = sandbox_argv(&box, command, geteuid() == 0);
	_cleanup_str_ struct str text = STR_INIT;
	struct proc_spec spec = {
		.argv = (const char *const *)argv, .deadline_ms = 30000, .out = &text};
	struct proc_result result;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(proc_run(&spec, &result, &err), 0);
	assert_true(result.status != PROC_EXITED || result.code != 0);
}

static void failures_name_the_remedy(void **state)
{
	struct sandbox box = {.src = "/nowhere/src", .out = out};
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(sandbox_check(&box, &err), -1);
	assert_int_equal(err.kind, ERR_INFRA);
	assert_string_equal(err.cause, "sandbox");
	assert_non_null(strstr(err.msg, "/nowhere/src"));
	assert_non_null(strstr(err.msg, "paths: cache:"));
	box.src = src;
	setenv("PATH", "/nowhere", 1);
	assert_int_equal(sandbox_check(&box, &err), -1);
	setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
	assert_non_null(strstr(err.msg, "apt-get install bubblewrap"));
}

static void complaints_are_told_from_make(void **state)
{
	(void)state;
	assert_true(sandbox_complaint("bwrap: Can't mkdir"));
	assert_true(sandbox_complaint("setpriv: setresuid failed"));
	assert_false(sandbox_complaint("make: bwrap: "));
	assert_false(sandbox_complaint(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(argv_holds_every_wall),
		cmocka_unit_test(off_runs_the_same_bare),
		cmocka_unit_test(walls_stand),
		cmocka_unit_test(a_file_larger_than_allowed_ends_the_command),
		cmocka_unit_test(failures_name_the_remedy),
		cmocka_unit_test(complaints_are_told_from_make),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
