/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/machine/share.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char folder[] = "/tmp/lkp-share-test.XXXXXX";

static void put(const char *name, off_t bytes, bool sparse)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(sparse ? ftruncate(fd, bytes) : posix_fallocate(fd, 0, bytes), 0);
	close(fd);
}

static void an_answer_fits(void **state)
{
	(void)state;
	put("done.json", 100, false);
	put("dmesg", 1 << 20, false);
	assert_false(share_over(folder));
	assert_false(share_over("/nonexistent"));
}

/* What a file claims to hold takes no room. */
static void bytes_on_the_disk_count(void **state)
{
	(void)state;
	put("sparse", (off_t)1 << 40, true);
	assert_false(share_over(folder));
	put("big", SHARE_BYTES_MAX + 4096, false);
	assert_true(share_over(folder));
}

static void files_count(void **state)
{
	(void)state;
	for (int i = 0; i < SHARE_FILES_MAX; i++) {
		_cleanup_free_ char *name = xasprintf("%d", i);
		put(name, 0, true);
	}
	assert_true(share_over(folder));
}

static int set_up(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/lkp-share-test.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int clean(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return fs_remove_tree(folder, &err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_answer_fits, set_up, clean),
		cmocka_unit_test_setup_teardown(bytes_on_the_disk_count, set_up, clean),
		cmocka_unit_test_setup_teardown(files_count, set_up, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
