/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/util/mem.h"
#include "harness/util/str.h"

static void grows_and_shrinks(void **state)
{
	_cleanup_str_ struct str s = STR_INIT;
	char *text;

	(void)state;
	assert_string_equal(s.buf, "");
	str_rtrim(&s);
	str_cut(&s, 0);
	for (int i = 0; i < 1000; i++)
		str_addf(&s, "%d,", i % 10);
	assert_int_equal(s.len, 2000);
	str_cut(&s, 4);
	assert_string_equal(s.buf, "0,1,");
	str_addn(&s, "a\0b", 3);
	assert_int_equal(s.len, 7);
	assert_memory_equal(s.buf, "0,1,a\0b", 8);
	str_reset(&s);
	assert_string_equal(s.buf, "");
	str_addc(&s, 'x');
	text = str_detach(&s);
	assert_string_equal(text, "x");
	free(text);
	assert_string_equal(s.buf, "");
	text = str_detach(&s);
	assert_string_equal(text, "");
	free(text);
}

static void trims(void **state)
{
	static const struct {
		const char *in, *trim, *rtrim;
	} cases[] = {
		{"", "", ""},
		{" \t\n", "", ""},
		{"  a b \r\n", "a b", "  a b"},
		{"a", "a", "a"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str s = STR_INIT, r = STR_INIT;

		str_add(&s, cases[i].in);
		str_add(&r, cases[i].in);
		str_trim(&s);
		str_rtrim(&r);
		assert_string_equal(s.buf, cases[i].trim);
		assert_string_equal(r.buf, cases[i].rtrim);
		assert_int_equal(s.len, strlen(cases[i].trim));
	}
}

#define TEXT(s) s, sizeof(s) - 1

static void hostile_text_is_made_safe(void **state)
{
	static const struct {
		const char *in;
		size_t n;
		const char *want;
	} cases[] = {
		{TEXT(""), ""},
		{TEXT("plain ~ text"), "plain ~ text"},
		{TEXT("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7"),
		 "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7"},
		{TEXT("a\0b"), "a\\x00b"},
		{TEXT("\x1b[31m\n\t\x7f"), "\\x1b[31m\\x0a\\x09\\x7f"},
		{TEXT("\xc2\x9b"
		      "1m"),
		 "\\xc2\\x9b1m"}, /* C1: CSI */
		{TEXT("a\xe2\x80\xae"
		      "b"),
		 "a\\xe2\\x80\\xaeb"},			   /* RLO */
		{TEXT("\xe2\x80\x8f"), "\\xe2\\x80\\x8f"}, /* RLM */
		{TEXT("\xd8\x9c"), "\\xd8\\x9c"},	   /* ALM */
		{TEXT("\xe2\x81\xa6"
		      "\xe2\x81\xa9"),
		 "\\xe2\\x81\\xa6\\xe2\\x81\\xa9"},		    /* isolates */
		{TEXT("\xe2\x80\xa8"), "\\xe2\\x80\\xa8"},	    /* LS */
		{TEXT("\xf3\xa0\x81\x81"), "\\xf3\\xa0\\x81\\x81"}, /* tag */
		{TEXT("\xc0\xaf"), "\\xc0\\xaf"},		    /* overlong / */
		{TEXT("\xe0\x80\xaf"), "\\xe0\\x80\\xaf"},
		{TEXT("\xf0\x80\x80\xaf"), "\\xf0\\x80\\x80\\xaf"},
		{TEXT("\xc1\xbf"), "\\xc1\\xbf"},
		{TEXT("\xed\xa0\x80"), "\\xed\\xa0\\x80"},	    /* surrogate */
		{TEXT("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"}, /* > 10ffff */
		{TEXT("\xf8\x88\x80\x80\x80"), "\\xf8\\x88\\x80\\x80\\x80"},
		{TEXT("\x80z"), "\\x80z"},
		{TEXT("\xe2\x82"), "\\xe2\\x82"}, /* cut off */
		{TEXT("\xe2z"), "\\xe2z"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str s = STR_INIT;
		/* Exactly n bytes, so that a sanitizer sees a read beyond. */
		_cleanup_free_ char *in = xmalloc(cases[i].n);

		memcpy(in, cases[i].in, cases[i].n);
		str_add_safe(&s, in, cases[i].n);
		assert_string_equal(s.buf, cases[i].want);
	}
}

static void finds_the_nearest_name(void **state)
{
	static const char *const names[] = {"compare", "commit", "config", "base", "b", NULL};
	static const struct {
		const char *word, *want;
	} cases[] = {
		{"compare", "compare"},
		{"comapre", "compare"},
		{"compere", "compare"},
		{"comit", "commit"},
		{"comitt", "commit"},
		{"confg", "config"},
		{"bsae", "base"},
		{"bas", "base"},
		{"xyzzy", NULL},
		{"", NULL},
		{"x", NULL},
		{"cnofgi", "config"},
		{"complexity", NULL},
	};
	char word[200];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *found = str_nearest(cases[i].word, names);

		if (!streq(found, cases[i].want))
			fail_msg("%s: %s, not %s", cases[i].word, found, cases[i].want);
	}
	memset(word, 'c', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_null(str_nearest(word, names));
	word[63] = '\0';
	assert_null(str_nearest(word, names));
}

static void compares(void **state)
{
	(void)state;
	assert_true(streq(NULL, NULL));
	assert_false(streq(NULL, ""));
	assert_false(streq("a", NULL));
	assert_true(streq("a", "a"));
	assert_true(str_starts("abc", "ab"));
	assert_false(str_starts("a", "ab"));
	assert_true(str_ends("abc", "bc"));
	assert_true(str_ends("abc", ""));
	assert_false(str_ends("c", "bc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_and_shrinks),
		cmocka_unit_test(trims),
		cmocka_unit_test(hostile_text_is_made_safe),
		cmocka_unit_test(finds_the_nearest_name),
		cmocka_unit_test(compares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
