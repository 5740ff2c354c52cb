/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/mail/encode.h"
#include "harness/util/mem.h"

static void quoted_printable(void **state)
{
	static const char *const cases[][2] = {
		{"", ""},
		{"plain\n", "plain\n"},
		{"no line end", "no line end=\n"},
		{"a=b\n", "a=3Db\n"},
		{"blank \n", "blank=20\n"},
		{"tab\t\n", "tab=09\n"},
		{"\xc3\xa4\r\n", "=C3=A4=0D\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str s = STR_INIT;
		encode_quoted_printable(&s, cases[i][0], strlen(cases[i][0]));
		assert_string_equal(s.buf, cases[i][1]);
	}
}

static size_t longest_line(const char *text)
{
	size_t longest = 0;
	while (*text) {
		size_t n = strcspn(text, "\n");
		longest = n > longest ? n : longest;
		text += n + (text[n] != '\0');
	}
	return longest;
}

static void long_lines_are_broken(void **state)
{
	_cleanup_str_ struct str in = STR_INIT, qp = STR_INIT, b64 = STR_INIT, words = STR_INIT;

	(void)state;
	for (int i = 0; i < 3000; i++)
		str_add(&in, i % 3 ? "x" : "\xe2\x82\xac");
	encode_quoted_printable(&qp, in.buf, in.len);
	encode_base64_lines(&b64, in.buf, in.len);
	encode_header_text(&words, in.buf, 9);
	assert_true(longest_line(qp.buf) <= 76);
	assert_true(longest_line(b64.buf) <= 76);
	assert_true(longest_line(words.buf) <= 76);
}

static void names_and_blanks_without_end_are_folded(void **state)
{
	_cleanup_str_ struct str name = STR_INIT, gap = STR_INIT, quoted = STR_INIT;
	_cleanup_str_ struct str phrase = STR_INIT, header = STR_INIT;

	(void)state;
	for (int i = 0; i < 400; i++)
		str_add(&name, "Sam ");
	str_add(&name, "Slow");
	str_addf(&gap, "a%2000sb", "");
	encode_phrase(&phrase, name.buf, 4);
	assert_true(longest_line(phrase.buf) <= 76);
	str_add(&name, ", \"Dr.\"");
	encode_phrase(&quoted, name.buf, 4);
	assert_true(longest_line(quoted.buf) <= 76);
	encode_header_text(&header, gap.buf, 9);
	assert_true(longest_line(header.buf) <= 76);
}

static void header_text(void **state)
{
	static const char *const cases[][2] = {
		{"", ""},
		{"mm: faster writes", "mm: faster writes"},
		{"J\xc3\xb6rg", "=?UTF-8?B?SsO2cmc=?="},
		{"a\r\nBcc: x@example.org", "a  Bcc: x@example.org"}, /* no second line */
		{"\xff", "=?UTF-8?B?77+9?="},			      /* U+FFFD */
		{"a\x1b[31m", "a [31m"},			      /* escape sequences end */
		{"a\xe2\x80\xae"
		 "b\xc2\x9b"
		 "c",
		 "a b c"}, /* and so does what turns text around, and C1 */
		{"=?UTF-8?Q?x?=", "=?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?="},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str s = STR_INIT;
		encode_header_text(&s, cases[i][0], 9);
		assert_string_equal(s.buf, cases[i][1]);
	}
}

static void phrases(void **state)
{
	static const char *const cases[][2] = {
		{"Sam Slow", "Sam Slow"},
		{"O. \"Quote\" <x>", "\"O. \\\"Quote\\\" <x>\""},
		{"back\\slash", "\"back\\\\slash\""},
		{"`rm -rf .`", "\"`rm -rf .`\""},
		{"\xe4\xbd\x95", "=?UTF-8?B?5L2V?="},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str s = STR_INIT;
		encode_phrase(&s, cases[i][0], 4);
		assert_string_equal(s.buf, cases[i][1]);
	}
}

static void utf8_lengths(void **state)
{
	static const struct {
		const char *text;
		size_t length;
	} cases[] = {
		{"a", 1},
		{"\xc3\xa4", 2},
		{"\xe2\x82\xac", 3},
		{"\xf0\x9f\x90\xa7", 4},
		{"\x80", 0},
		{"\xc0\xaf", 0},
		{"\xe0\x80\xaf", 0}, /* overlong */
		{"\xed\xa0\x80", 0},
		/* surrogate */ {"\xf4\x90\x80\x80", 0},
		{"\xe2\x82", 0},
		/* cut */ {"", 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(encode_utf8_length(cases[i].text, strlen(cases[i].text)),
				 cases[i].length);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quoted_printable),
		cmocka_unit_test(long_lines_are_broken),
		cmocka_unit_test(header_text),
		cmocka_unit_test(phrases),
		cmocka_unit_test(utf8_lengths),
		cmocka_unit_test(names_and_blanks_without_end_are_folded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
