/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "harness/mail/maildir.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char folder[] = "/tmp/lkp-maildir-XXXXXX";

static int setup(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;
	(void)state;
	return fs_remove_tree(folder, &err);
}

static size_t count(const char *part)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, part);
	_cleanup_strv_ char **names = NULL;
	struct err err = ERR_INIT;
	assert_int_equal(fs_list(path, &names, &err), 0);
	return strv_len(names);
}

static void twice_is_once_even_when_read(void **state)
{
	_cleanup_str_ struct str first = STR_INIT, second = STR_INIT, third = STR_INIT;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(maildir_deliver(folder, "<a@example.org>", "text", 4, &first, &err), 0);
	assert_int_equal(maildir_deliver(folder, "<a@example.org>", "text", 4, &second, &err), 0);
	assert_string_equal(first.buf, second.buf);
	assert_int_equal(count("new"), 1);
	assert_int_equal(count("tmp"), 0);
	assert_int_equal(fs_read(first.buf, 100, &text, &err), 0);
	assert_string_equal(text.buf, "text");

	/* A reader moves it to cur/ and flags it as seen. */
	_cleanup_free_ char *seen = xasprintf("%s/cur/%s:2,S", folder, strrchr(first.buf, '/') + 1);
	assert_int_equal(fs_rename(first.buf, seen, &err), 0);
	assert_int_equal(maildir_deliver(folder, "<a@example.org>", "text", 4, &third, &err), 0);
	assert_string_equal(third.buf, seen);

	/* A copy that a person keeps beside it is another file. */
	_cleanup_free_ char *copy =
		xasprintf("%s/cur/%s-copy", folder, strrchr(first.buf, '/') + 1);
	assert_int_equal(fs_rename(seen, copy, &err), 0);
	str_reset(&third);
	assert_int_equal(maildir_deliver(folder, "<a@example.org>", "text", 4, &third, &err), 0);
	assert_string_equal(third.buf, first.buf);
	assert_int_equal(fs_rename(third.buf, seen, &err), 0);
	assert_int_equal(count("new"), 0);
}

static void others_are_others(void **state)
{
	_cleanup_str_ struct str a = STR_INIT, b = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(maildir_deliver(folder, "<b@example.org>", "1", 1, &a, &err), 0);
	assert_int_equal(maildir_deliver(folder, "<c@example.org>", "2", 1, &b, &err), 0);
	assert_string_not_equal(a.buf, b.buf);
}

static void a_file_in_the_way_is_an_error(void **state)
{
	_cleanup_str_ struct str place = STR_INIT;
	_cleanup_free_ char *path = xasprintf("%s/file", folder);
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(fs_write_atomic(path, "", 0, 0600, &err), 0);
	assert_int_equal(maildir_deliver(path, "<b@example.org>", "1", 1, &place, &err), -1);
	assert_int_equal(place.len, 0);
	assert_non_null(strstr(err.msg, "file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twice_is_once_even_when_read),
		cmocka_unit_test(others_are_others),
		cmocka_unit_test(a_file_in_the_way_is_an_error),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
