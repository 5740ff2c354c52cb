/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/util/mem.h"
#include "harness/util/table.h"

static void aligns(void **state)
{
	static const char *const columns[] = {"name", ">value", "note", NULL};
	static const char want[] = "name    value  note\n"
				   "a           1  x\n"
				   "gr\xc3\xbc\xc3\x9f\x65    1000\n"
				   "\\x1b[m\n";
	_cleanup_str_ struct str s = STR_INIT;
	struct table *t = table_new(columns);

	(void)state;
	table_row(t);
	table_cell(t, "%s", "a");
	table_cell(t, "%d", 1);
	table_cell(t, "x");
	table_cell(t, "%s", "one too many");
	table_row(t);
	table_cell(t, "gr\xc3\xbc\xc3\x9f\x65");
	table_cell(t, "%d", 1000);
	table_row(t);
	table_cell(t, "\x1b[m");
	table_add(&s, t);
	table_free(t);
	assert_string_equal(s.buf, want);
}

static void nothing_without_rows(void **state)
{
	static const char *const columns[] = {"name", NULL};
	_cleanup_str_ struct str s = STR_INIT;
	struct table *t = table_new(columns);

	(void)state;
	str_add(&s, "before ");
	table_add(&s, t);
	table_free(t);
	table_free(NULL);
	assert_string_equal(s.buf, "before ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aligns),
		cmocka_unit_test(nothing_without_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
