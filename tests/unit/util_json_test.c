/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/util/json.h"
#include "harness/util/mem.h"

#define TEXT(s) s, sizeof(s) - 1

static void refuses(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		const char *where;
	} cases[] = {
		{TEXT(""), "in:1:"},
		{TEXT("{\"a\":1,\n \"a\":2}"), "in:2:"},
		{TEXT("{\"a\":{\"b\":1,\"b\":1}}"), "in:1:"},
		{TEXT("{} x"), "in:1:"},
		{TEXT("{}\n{}"), "in:2:"},
		{TEXT("[1,]"), "in:1:"},
		{TEXT("\"a\\u0000b\""), "in:1:"},
		{TEXT("{\"a\\u0000b\":1}"), "in:1:"},
		{TEXT("\"a\0b\""), "in:1:"},
		{TEXT("{}\0"), "in:1:"},
		{TEXT("\"\xc0\xaf\""), "in:1:"},
		{TEXT("\"\\ud800\""), "in:1:"},
		{TEXT("1e999"), "in:1:"},
		{TEXT("99999999999999999999"), "in:1:"},
		{TEXT("NaN"), "in:1:"},
		{TEXT("'a'"), "in:1:"},
		{TEXT("\"\x1b[2J\""), "in:1:"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_json_ json_t *json = NULL;
		_cleanup_free_ char *in = xmalloc(cases[i].n);
		struct err err = ERR_INIT;

		memcpy(in, cases[i].text, cases[i].n);
		if (json_load("in", in, cases[i].n, &json, &err) != -1)
			fail_msg("taken: %s", cases[i].text);
		assert_null(json);
		assert_int_equal(err.kind, ERR_USER);
		assert_memory_equal(err.msg, cases[i].where, strlen(cases[i].where));
		assert_null(strchr(err.msg, '\x1b'));
	}
}

static int load_depth(int depth, struct err *err)
{
	_cleanup_str_ struct str s = STR_INIT;
	_cleanup_json_ json_t *json = NULL;

	for (int i = 0; i < depth; i++)
		str_add(&s, i % 2 ? "{\"[[[{{{\\\"[\":" : "[\n");
	str_add(&s, "1");
	for (int i = depth; i--;)
		str_addc(&s, i % 2 ? '}' : ']');
	return json_load("in", s.buf, s.len, &json, err);
}

static void depth_is_limited(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(load_depth(64, &err), 0);
	assert_int_equal(load_depth(65, &err), -1);
	assert_string_equal(err.msg, "in:33:14: nested deeper than 64");
	assert_int_equal(load_depth(100000, &err), -1);
}

static void takes_any_value(void **state)
{
	static const char *const texts[] = {"1", " null ", "\"x\"", "[]", "{\"a\":[1,2.5,true]}"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_json_ json_t *json = NULL;

		assert_int_equal(json_load("in", texts[i], strlen(texts[i]), &json, NULL), 0);
		assert_non_null(json);
	}
}

static json_t *sample(void)
{
	static const char text[] =
		"{\"s\":\"x\",\"i\":7,\"r\":1.5,\"b\":true,\"a\":[1],\"o\":{},\"n\":null}";
	json_t *json = NULL;

	assert_int_equal(json_load("in", text, sizeof(text) - 1, &json, NULL), 0);
	return json;
}

static void members(void **state)
{
	_cleanup_json_ json_t *json = sample();
	const char *s = NULL;
	json_t *a = NULL, *o = NULL;
	struct err err = ERR_INIT;
	double r = 0, whole = 0;
	int64_t i = 0;
	bool b = false;

	(void)state;
	assert_int_equal(json_get_str(json, "$", "s", true, &s, &err), 0);
	assert_string_equal(s, "x");
	assert_int_equal(json_get_int(json, "$", "i", true, &i, &err), 0);
	assert_int_equal(i, 7);
	assert_int_equal(json_get_num(json, "$", "r", true, &r, &err), 0);
	assert_true(r == 1.5);
	assert_int_equal(json_get_num(json, "$", "i", true, &whole, &err), 0);
	assert_true(whole == 7);
	assert_int_equal(json_get_bool(json, "$", "b", true, &b, &err), 0);
	assert_true(b);
	assert_int_equal(json_get_array(json, "$", "a", true, &a, &err), 0);
	assert_int_equal(json_array_size(a), 1);
	assert_int_equal(json_get_object(json, "$", "o", true, &o, &err), 0);
	assert_true(json_is_object(o));
}

static void faults_name_the_place(void **state)
{
	_cleanup_json_ json_t *json = sample();
	struct err err = ERR_INIT;
	const char *s = "kept";
	double r = 3;
	int64_t i = 3;
	bool b = true;
	json_t *o = json;

	(void)state;
	assert_int_equal(json_get_int(json, "$.runs[3]", "s", true, &i, &err), -1);
	assert_string_equal(err.msg, "$.runs[3].s: expected an integer, found a string");
	assert_int_equal(json_get_int(json, "$", "r", true, &i, &err), -1);
	assert_int_equal(json_get_num(json, "$", "s", false, &r, &err), -1);
	assert_int_equal(json_get_str(json, "$", "n", false, &s, &err), -1);
	assert_string_equal(err.msg, "$.n: expected a string, found null");
	assert_int_equal(json_get_bool(json, "$", "i", true, &b, &err), -1);
	assert_int_equal(json_get_object(json, "$", "a", true, &o, &err), -1);
	assert_int_equal(json_get_array(json, "$", "o", true, &o, &err), -1);
	assert_int_equal(json_get_str(json, "$", "gone", true, &s, &err), -1);
	assert_string_equal(err.msg, "$: the key \"gone\" is missing");
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(json_get_str(json_object_get(json, "a"), "$.a", "x", false, &s, &err), -1);
	assert_int_equal(json_get_str(NULL, "$.z", "x", false, &s, &err), -1);
	assert_string_equal(s, "kept");
	assert_int_equal(i, 3);
	assert_true(r == 3 && b && o == json);
}

static void optional_members_may_be_missing(void **state)
{
	_cleanup_json_ json_t *json = sample();
	const char *s = "kept";

	(void)state;
	assert_int_equal(json_get_str(json, "$", "gone", false, &s, NULL), 0);
	assert_string_equal(s, "kept");
}

static void unknown_keys(void **state)
{
	static const char *const all[] = {"s", "i", "r", "b", "a", "o", "n", NULL};
	static const char *const known[] = {"unit", "metric", NULL};
	_cleanup_json_ json_t *json = sample(), *other = json_pack("{s:i}", "metrci", 1);
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(json_check_keys(json, "$", all, &err), 0);
	assert_int_equal(json_check_keys(other, "$.x", known, &err), -1);
	assert_string_equal(err.msg, "$.x: unknown key \"metrci\"; did you mean \"metric\"?");
	assert_int_equal(json_check_keys(json, "$", known, &err), -1);
	assert_string_equal(err.msg, "$: unknown key \"s\"");
}

static void prints(void **state)
{
	_cleanup_json_ json_t *json = json_object();
	_cleanup_json_ json_t *nan = json_num(NAN), *inf = json_num(-INFINITY);
	_cleanup_str_ struct str s = STR_INIT;

	(void)state;
	json_object_set_new(json, "z", json_num(1.5));
	json_object_set_new(json, "a", json_pack("[i]", 1));
	json_add(&s, json);
	assert_string_equal(s.buf, "{\n  \"z\": 1.5,\n  \"a\": [\n    1\n  ]\n}\n");
	assert_true(json_is_null(nan));
	assert_true(json_is_null(inf));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses),
		cmocka_unit_test(depth_is_limited),
		cmocka_unit_test(takes_any_value),
		cmocka_unit_test(members),
		cmocka_unit_test(faults_name_the_place),
		cmocka_unit_test(optional_members_may_be_missing),
		cmocka_unit_test(unknown_keys),
		cmocka_unit_test(prints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
