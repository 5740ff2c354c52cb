/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <unistd.h>

#include "harness/kernel/diskfault.h"
#include "harness/kernel/outguard.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char dir[] = "/tmp/lkp-outguard-XXXXXX";

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

/* Really takes the bytes: a hole takes none. */
static void put(const char *name, size_t bytes)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", dir, name);
	_cleanup_free_ char *data = xcalloc(1, bytes);

	memset(data, 'x', bytes);
	assert_int_equal(fs_write_atomic(path, data, bytes, 0644, NULL), 0);
}

static void an_output_that_grows_too_large_is_seen(void **state)
{
	struct outguard g;
	struct err err = ERR_INIT;

	(void)state;
	outguard_start(&g, dir, 8 << 20, 0);
	assert_false(outguard_look(&g, true));
	assert_int_equal(outguard_judge(&g, &err), 0);
	put("a", 4 << 20);
	assert_false(outguard_look(&g, true));
	put("b", 5 << 20);
	assert_true(outguard_look(&g, true));
	assert_int_equal(g.verdict, OUTGUARD_TOO_LARGE);
	/* It stays said. */
	assert_true(outguard_look(&g, false));
	assert_int_equal(outguard_judge(&g, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_string_equal(err.cause, "output-too-large");
	assert_non_null(strstr(err.msg, "more than 8M in /tmp/lkp-outguard-"));
}

static void holes_take_no_room(void **state)
{
	_cleanup_free_ char *path = xasprintf("%s/hole", dir);
	struct outguard g;

	(void)state;
	assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0644)), 0);
	assert_int_equal(truncate(path, (off_t)1 << 40), 0);
	outguard_start(&g, dir, 64 << 20, 0);
	g.next_measure = 0;
	assert_false(outguard_look(&g, true));
	assert_true(g.known < 64 << 20);
}

static void no_limit_is_no_limit(void **state)
{
	struct outguard g;

	(void)state;
	outguard_start(&g, dir, 0, 0);
	put("c", 4 << 20);
	g.next_measure = 0;
	assert_false(outguard_look(&g, true));
}

static void looks_are_rare(void **state)
{
	struct outguard g;

	(void)state;
	outguard_start(&g, dir, 0, 0);
	assert_false(outguard_look(&g, false));
	/* The next is due in a quarter of a second: until then the new limit is not looked at. */
	g.keep_free = INT64_MAX;
	assert_false(outguard_look(&g, false));
	assert_true(outguard_look(&g, true));
}

static void a_disk_that_is_full_is_seen(void **state)
{
	struct outguard g;
	struct err err = ERR_INIT;

	(void)state;
	outguard_start(&g, dir, 0, (int64_t)1 << 50);
	assert_true(outguard_look(&g, true));
	assert_int_equal(outguard_judge(&g, &err), -1);
	assert_int_equal(err.kind, ERR_INFRA);
	assert_string_equal(err.cause, "disk-full");
	assert_non_null(strstr(err.msg, "1024T"));
	assert_non_null(strstr(err.msg, "build: keep_free:"));
}

static void failed_writes_are_explained(void **state)
{
	static const struct {
		enum err_kind kind;
		const char *cause, *msg, *then_cause, *says;
	} rows[] = {
		{ERR_INFRA, "", "cannot write /c/x: No space left on device", "disk-full",
		 "cannot write /c/x: No space left on device (the cache is /c): make room"},
		{ERR_INFRA, "", "checking out: cannot write /c/x: Read-only file system", "disk",
		 "mount it for writing"},
		{ERR_INFRA, "", "cannot open the lock /c/x: Permission denied", "disk",
		 "paths: cache:"},
		{ERR_INFRA, "", "cannot sync the folder /c: Input/output error", "disk",
		 "the disk fails"},
		/* Not the end of it; not ours; not such a kind; another error. */
		{ERR_INFRA, "", "No space left on device: what a commit says", "",
		 "No space left on device: what a commit says"},
		{ERR_INFRA, "host", "x: No space left on device", "host",
		 "x: No space left on device"},
		{ERR_USER, "", "x: Permission denied", "", "x: Permission denied"},
		{ERR_INFRA, "", "x: Bad file descriptor", "", "x: Bad file descriptor"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = ERR_INIT;

		err_set_cause(&err, rows[i].kind, rows[i].cause, "%s", rows[i].msg);
		assert_int_equal(diskfault_explain("/c", &err), -1);
		assert_string_equal(err.cause, rows[i].then_cause);
		if (!strstr(err.msg, rows[i].says))
			fail_msg("%s", err.msg);
		if (!*rows[i].then_cause)
			assert_string_equal(err.msg, rows[i].msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_output_that_grows_too_large_is_seen),
		cmocka_unit_test(holes_take_no_room),
		cmocka_unit_test(no_limit_is_no_limit),
		cmocka_unit_test(looks_are_rare),
		cmocka_unit_test(a_disk_that_is_full_is_seen),
		cmocka_unit_test(failed_writes_are_explained),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
