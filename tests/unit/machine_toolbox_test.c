/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/machine/initrd.h"
#include "harness/machine/toolbox.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

static char base[] = "/tmp/lkp-toolbox-XXXXXX";

static char *in_base(const char *name)
{
	return xasprintf("%s/%s", base, name);
}

static void put(const char *name, const char *text, mode_t mode)
{
	_cleanup_free_ char *path = in_base(name);

	assert_int_equal(fs_write_atomic(path, text, strlen(text), mode, NULL), 0);
	assert_int_equal(chmod(path, mode), 0);
}

/* perf's part is played by a small program that has libraries. */
static int make_programs(void **state)
{
	_cleanup_free_ char *bench = NULL;

	(void)state;
	if (!mkdtemp(base))
		return -1;
	bench = in_base("programs/bench");
	if (fs_mkdirs(bench, NULL) < 0)
		return -1;
	put("programs/lkp-agent", "agent", 0700);
	put("programs/bench/pipe-test", "bench", 0755);
	put("programs/bench/notes", "no program", 0644);
	return 0;
}

static int drop_base(void **state)
{
	(void)state;
	return fs_remove_tree(base, NULL);
}

static void make(const char *cache, struct toolbox *ret)
{
	_cleanup_free_ char *programs = in_base("programs"), *folder = in_base(cache);
	struct err err = ERR_INIT;

	if (toolbox_make_from(programs, "/bin/ls", folder, ret, &err) < 0)
		fail_msg("%s", err.msg);
}

static void list(const char *cpio, struct str *names)
{
	const char *const argv[] = {"cpio", "-t", "--quiet", "-F", cpio, NULL};

	assert_int_equal(proc_check(argv, names, NULL), 0);
}

static void it_holds_what_a_machine_needs(void **state)
{
	_cleanup_str_ struct str names = STR_INIT;
	_cleanup_free_ char *init = NULL;
	struct toolbox t;
	struct stat st;

	(void)state;
	make("cache", &t);
	list(t.cpio, &names);
	assert_true(str_starts(names.buf, "lkp\nlkp/bin\nlkp/lib\ninit\n"));
	assert_non_null(strstr(names.buf, "\nlkp/bin/perf\n"));
	assert_non_null(strstr(names.buf, "\nlkp/bin/pipe-test\n"));
	assert_non_null(strstr(names.buf, "\nlkp/lib/ld.so\n"));
	assert_non_null(strstr(names.buf, "\nlkp/lib/libc.so.6\n"));
	assert_null(strstr(names.buf, "notes"));
	init = xasprintf("%s/" TOOLBOX_TREE "/init", t.folder);
	assert_int_equal(stat(init, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(st.st_mtim.tv_sec, 0); /* cpio would store the hour it was made */
	toolbox_done(&t);
}

/* The same contents in another place, at another time, by another mask: the same bytes. */
static void equal_programs_make_equal_archives(void **state)
{
	char first[HASH_HEX_LEN + 1], second[HASH_HEX_LEN + 1];
	struct toolbox a, b;
	mode_t mask;

	(void)state;
	make("cache", &a);
	mask = umask(077);
	put("programs/lkp-agent", "agent", 0755);
	make("other", &b);
	umask(mask);
	assert_string_equal(a.id, b.id);
	assert_int_equal(hash_file(a.cpio, first, NULL), 0);
	assert_int_equal(hash_file(b.cpio, second, NULL), 0);
	assert_string_equal(first, second);
	toolbox_done(&a);
	toolbox_done(&b);
}

static void a_changed_program_makes_another_toolbox(void **state)
{
	struct toolbox a, b;

	(void)state;
	make("cache", &a);
	put("programs/bench/pipe-test", "bench, changed", 0755);
	make("cache", &b);
	assert_string_not_equal(a.id, b.id);
	assert_true(fs_exists(a.cpio));
	assert_true(fs_exists(b.cpio));
	toolbox_done(&a);
	toolbox_done(&b);
}

/* Found by what stat() says: a change of the made tree shows that it was not made again. */
static void unchanged_programs_are_not_read_again(void **state)
{
	_cleanup_free_ char *init = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct toolbox a, b;

	(void)state;
	make("cache", &a);
	init = xasprintf("%s/" TOOLBOX_TREE "/init", a.folder);
	assert_int_equal(fs_write_atomic(init, "mine", 4, 0755, NULL), 0);
	make("cache", &b);
	assert_string_equal(a.id, b.id);
	assert_int_equal(fs_read(init, 10, &text, NULL), 0);
	assert_string_equal(text.buf, "mine");
	/* The cache may be deleted at any time. */
	assert_int_equal(fs_remove_tree(a.folder, NULL), 0);
	toolbox_done(&b);
	make("cache", &b);
	assert_string_equal(a.id, b.id);
	assert_true(fs_exists(b.cpio));
	toolbox_done(&a);
	toolbox_done(&b);
}

static void missing_programs_are_named_with_the_remedy(void **state)
{
	_cleanup_free_ char *nowhere = in_base("nowhere"), *programs = in_base("programs");
	_cleanup_free_ char *cache = in_base("cache"), *script = in_base("script");
	struct toolbox t;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(toolbox_make_from(nowhere, "/bin/ls", cache, &t, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, "nowhere/lkp-agent is not there; build it by: make"));
	put("script", "#!/bin/sh\n", 0755);
	assert_int_equal(toolbox_make_from(programs, script, cache, &t, &err), -1);
	assert_non_null(strstr(err.msg, "cannot list the libraries of"));
}

static void a_boot_gets_the_toolbox_and_its_job(void **state)
{
	_cleanup_free_ char *folder = in_base("boot"), *to = in_base("boot/initrd.cpio");
	_cleanup_str_ struct str toolbox = STR_INIT, all = STR_INIT;
	_cleanup_strv_ char **names = NULL;
	struct toolbox t;
	struct stat st;

	(void)state;
	make("cache", &t);
	assert_int_equal(mkdir(folder, 0755), 0);
	assert_int_equal(initrd_for_boot(t.cpio, "{\"job\": 1}", to, NULL), 0);
	assert_int_equal(fs_read(t.cpio, 64 << 20, &toolbox, NULL), 0);
	assert_int_equal(fs_read(to, 64 << 20, &all, NULL), 0);
	assert_true(all.len > toolbox.len);
	assert_memory_equal(all.buf, toolbox.buf, toolbox.len);
	assert_int_equal(toolbox.len % 4, 0);
	assert_non_null(memmem(all.buf + toolbox.len, all.len - toolbox.len, "lkp/job.json", 13));
	assert_non_null(memmem(all.buf + toolbox.len, all.len - toolbox.len, "{\"job\": 1}", 10));
	assert_int_equal(stat(to, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_int_equal(fs_list(folder, &names, NULL), 0);
	assert_int_equal(strv_len(names), 1);
	toolbox_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_holds_what_a_machine_needs),
		cmocka_unit_test(equal_programs_make_equal_archives),
		cmocka_unit_test(a_changed_program_makes_another_toolbox),
		cmocka_unit_test(unchanged_programs_are_not_read_again),
		cmocka_unit_test(missing_programs_are_named_with_the_remedy),
		cmocka_unit_test(a_boot_gets_the_toolbox_and_its_job),
	};

	return cmocka_run_group_tests(tests, make_programs, drop_base);
}
