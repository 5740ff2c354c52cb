/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "db/json_at.h"
#include "harness/util/mem.h"

/* The path of the place marked by '@' in the text. */
static void paths(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"@", "$"},
		{"{@", "$"},
		{"{\"a\"@", "$.a"},
		{"{\"a\": 1@", "$.a"},
		{"{\"a\": {\"b\": [1, 2, x@", "$.a.b[2]"},
		{"{\"a\": [1, 2], \"b\": x@", "$.b"},
		{"{\"a\": {\"b\": 1}, @", "$.a"},
		{"[[], [], {\"k\": @", "$[2].k"},
		{"{\"a b\": @", "$[\"a b\"]"},
		{"{\"a.b\": [@", "$[\"a.b\"][0]"},
		{"{\"metrics\": {\"x\": [1, N@", "$.metrics[\"x\"][1]"},
		{"{\"a\": \"[{,\\\"[\", \"b\": @", "$.b"},
		{"{\"a\": \"\\\\\", \"b\": [0, @", "$.b[1]"},
		{"{\"a\": \"unfinished@", "$.a"},
		{"{\"a\\n\\u001b\": @", "$[\"a\\n\\u001b\"]"},
		{"{\"\x1b[1m\": @", "$[\"\\x1b[1m\"]"},
		{"]]}}@", "$"},
		{"{\"a\": {\"b\"@: ", "$.a.b"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str path = STR_INIT;
		const char *text = cases[i].text;
		size_t at = strcspn(text, "@");
		json_add_path_at(&path, text, strlen(text), at, "metrics");
		assert_string_equal(path.buf, cases[i].want);
	}
}

static void offsets_past_the_end(void **state)
{
	_cleanup_str_ struct str path = STR_INIT;

	(void)state;
	json_add_path_at(&path, "[1,2", 4, 1000, "metrics");
	assert_string_equal(path.buf, "$[1]");
}

static void long_keys_are_cut(void **state)
{
	_cleanup_str_ struct str path = STR_INIT;
	char key[1000];

	(void)state;
	memset(key, 'k', sizeof(key));
	json_add_path_key(&path, key, sizeof(key));
	assert_true(path.len < 200);
	assert_non_null(strstr(path.buf, "...\"]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths),
		cmocka_unit_test(offsets_past_the_end),
		cmocka_unit_test(long_keys_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
