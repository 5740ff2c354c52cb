/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "harness/util/err.h"
#include "harness/util/mem.h"

static void sets_kind_and_message(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(err_set_cause(&err, ERR_KERNEL, "panic", "boot %d", 7), -1);
	assert_int_equal(err.kind, ERR_KERNEL);
	assert_string_equal(err.cause, "panic");
	assert_string_equal(err.msg, "boot 7");
	assert_int_equal(err_set(&err, ERR_USER, "line %d", 3), -1);
	assert_string_equal(err.cause, "");
	assert_string_equal(err.msg, "line 3");
}

static void wrap_keeps_kind_and_cause(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	err_set_cause(&err, ERR_BENCH, "no-metric", "nothing printed");
	assert_int_equal(err_wrap(&err, "run %s", "x"), -1);
	assert_int_equal(err.kind, ERR_BENCH);
	assert_string_equal(err.cause, "no-metric");
	assert_string_equal(err.msg, "run x: nothing printed");
}

static void takes_its_own_text_as_argument(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	err_set_cause(&err, ERR_INFRA, "hang", "first");
	err_set_cause(&err, ERR_INFRA, err.cause, "second after %s", err.msg);
	assert_string_equal(err.msg, "second after first");
	assert_string_equal(err.cause, "hang");
	err_wrap(&err, "%s", err.msg);
	assert_string_equal(err.msg, "second after first: second after first");
}

static void errno_is_named_and_kept(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	errno = ENOSPC;
	assert_int_equal(err_errno(&err, "cannot write %s", "f"), -1);
	assert_string_equal(err.msg, "cannot write f: No space left on device");
	assert_int_equal(err.kind, ERR_INFRA);
	assert_int_equal(errno, ENOSPC);
}

static void cuts_what_is_too_long(void **state)
{
	char text[3000];
	struct err err = ERR_INIT;

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	err_set_cause(&err, ERR_USER, text, "%s", text);
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	assert_int_equal(strlen(err.cause), sizeof(err.cause) - 1);
	err_wrap(&err, "%s", text);
	errno = EIO;
	err_errno(&err, "%s", text);
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
}

static void null_is_fine(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, ERR_USER, "x"), -1);
	assert_int_equal(err_set_cause(NULL, ERR_USER, "y", "x"), -1);
	assert_int_equal(err_errno(NULL, "x"), -1);
	assert_int_equal(err_wrap(NULL, "x"), -1);
}

static void kinds_have_names(void **state)
{
	(void)state;
	assert_string_equal(err_kind_name(ERR_USER), "USER");
	assert_string_equal(err_kind_name(ERR_INFRA), "INFRA");
	assert_string_equal(err_kind_name(ERR_KERNEL), "KERNEL");
	assert_string_equal(err_kind_name(ERR_BENCH), "BENCH");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_kind_and_message),
		cmocka_unit_test(wrap_keeps_kind_and_cause),
		cmocka_unit_test(takes_its_own_text_as_argument),
		cmocka_unit_test(errno_is_named_and_kept),
		cmocka_unit_test(cuts_what_is_too_long),
		cmocka_unit_test(null_is_fine),
		cmocka_unit_test(kinds_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
