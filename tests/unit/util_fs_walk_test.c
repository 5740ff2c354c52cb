/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mount.h>
#include <sys/stat.h>
#include <errno.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char root[] = "/tmp/util_fs_test-XXXXXX";

/* Each test runs in an empty folder. */
static int enter(void **state)
{
	(void)state;
	memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
	return mkdtemp(root) ? chdir(root) : -1;
}

static int leave(void **state)
{
	(void)state;
	return chdir("/") < 0 ? -1 : fs_remove_tree(root, NULL);
}

static void put(const char *path, const char *text)
{
	assert_int_equal(fs_write_atomic(path, text, strlen(text), 0644, NULL), 0);
}

static void removes_without_following(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(fs_mkdirs("keep/sub", NULL), 0);
	assert_int_equal(fs_mkdirs("t/a/b", NULL), 0);
	put("keep/f", "x");
	put("t/a/b/f", "x");
	assert_int_equal(symlink("../../keep", "t/a/link"), 0);
	assert_int_equal(symlink("keep", "link"), 0);
	assert_int_equal(mkfifo("t/fifo", 0600), 0);
	assert_int_equal(fs_remove_tree("t", &err), 0);
	assert_int_equal(fs_remove_tree("link", &err), 0);
	assert_int_equal(fs_remove_tree("gone", &err), 0);
	assert_false(fs_exists("t"));
	assert_true(fs_exists("keep/f") && fs_exists("keep/sub"));
	assert_int_equal(fs_remove_tree("keep/f", &err), 0);
	assert_false(fs_exists("keep/f"));
}

/* Deeper than a path may be long, and than descriptors go. */
static void removes_what_is_very_deep(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		assert_int_equal(mkdir("deep", 0755), 0);
		assert_int_equal(chdir("deep"), 0);
	}
	assert_int_equal(chdir(root), 0);
	if (fs_remove_tree("deep", &err) < 0)
		fail_msg("%s", err.msg);
	assert_false(fs_exists("deep"));
}

static void does_not_cross_a_mount(void **state)
{
	struct err err = ERR_INIT;
	int status;

	(void)state;
	assert_int_equal(fs_mkdirs("keep", NULL), 0);
	assert_int_equal(fs_mkdirs("t/mnt", NULL), 0);
	put("keep/f", "x");
	if (mount("keep", "t/mnt", NULL, MS_BIND, NULL) < 0) {
		print_message("skip: a mount needs root: %s\n", strerror(errno));
		skip();
	}
	status = fs_remove_tree("t", &err);
	umount("t/mnt");
	assert_int_equal(status, -1);
	assert_non_null(strstr(err.msg, "t/mnt"));
	assert_true(fs_exists("keep/f"));
}

static void sizes_and_owners(void **state)
{
	unsigned long long size = 7;
	struct err err = ERR_INIT;
	struct stat st;

	(void)state;
	assert_int_equal(fs_mkdirs("t/a", NULL), 0);
	put("t/f", "123");
	put("t/a/f", "45");
	put("outside", "1234567");
	assert_int_equal(symlink("../outside", "t/link"), 0);
	assert_int_equal(fs_tree_size("gone", &size, &err), -1);
	assert_int_equal(size, 7);
	assert_int_equal(fs_tree_size("t", &size, &err), 0);
	assert_int_equal(size, 5);
	if (geteuid() != 0) {
		print_message("skip: chown needs root\n");
		skip();
	}
	assert_int_equal(fs_chown_tree("t", 1234, 1235, &err), 0);
	assert_int_equal(stat("t/a/f", &st), 0);
	assert_int_equal(st.st_uid, 1234);
	assert_int_equal(st.st_gid, 1235);
	assert_int_equal(lstat("t/link", &st), 0);
	assert_int_equal(st.st_uid, 1234);
	assert_int_equal(stat("outside", &st), 0);
	assert_int_equal(st.st_uid, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(removes_without_following),
		TEST(removes_what_is_very_deep),
		TEST(does_not_cross_a_mount),
		TEST(sizes_and_owners),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
