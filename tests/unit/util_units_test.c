/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/units.h"

#define BAD -99 /* nothing parses to this here */

static void ints(void **state)
{
	static const struct {
		const char *text;
		int64_t min, max, want;
	} cases[] = {
		{"0", -5, 5, 0},
		{"-5", -5, 5, -5},
		{"5", -5, 5, 5},
		{"007", 0, 9, 7},
		{"9223372036854775807", INT64_MIN, INT64_MAX, INT64_MAX},
		{"-9223372036854775808", INT64_MIN, INT64_MAX, INT64_MIN},
		{"9223372036854775808", INT64_MIN, INT64_MAX, BAD},
		{"-9223372036854775809", INT64_MIN, INT64_MAX, BAD},
		{"99999999999999999999999999", INT64_MIN, INT64_MAX, BAD},
		{"18446744073709551617", 0, 9, BAD},
		{"6", -5, 5, BAD},
		{"-6", -5, 5, BAD},
		{"", 0, 9, BAD},
		{"-", -9, 9, BAD},
		{"+1", 0, 9, BAD},
		{" 1", 0, 9, BAD},
		{"1 ", 0, 9, BAD},
		{"1x", 0, 9, BAD},
		{"1.0", 0, 9, BAD},
		{"0x1", 0, 9, BAD},
		{"1\n", 0, 9, BAD},
		{"--1", -9, 9, BAD},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = ERR_INIT;
		int64_t value = BAD;
		int status =
			units_parse_int(cases[i].text, cases[i].min, cases[i].max, &value, &err);

		assert_int_equal(value, cases[i].want);
		assert_int_equal(status, cases[i].want == BAD ? -1 : 0);
		assert_int_equal(err.kind, status ? ERR_USER : ERR_INFRA);
	}
}

typedef int parse_fn(const char *text, double *ret, struct err *err);

struct real_case {
	parse_fn *parse;
	const char *text;
	double want;
};

static void check_reals(const struct real_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;
		double value = BAD;
		int status = cases[i].parse(cases[i].text, &value, &err);

		if (value != cases[i].want || status != (cases[i].want == BAD ? -1 : 0))
			fail_msg("\"%s\": %.17g, not %.17g", cases[i].text, value, cases[i].want);
		assert_int_equal(err.kind, status ? ERR_USER : ERR_INFRA);
	}
}

static const struct real_case reals[] = {
	{units_parse_double, "0", 0},	       {units_parse_double, "1.5", 1.5},
	{units_parse_double, "-1.5e3", -1500}, {units_parse_double, "+.5", 0.5},
	{units_parse_double, "5.", 5},	       {units_parse_double, "1e-2", 0.01},
	{units_parse_double, "1e400", BAD},    {units_parse_double, "1,5", BAD},
	{units_parse_double, "", BAD},	       {units_parse_double, ".", BAD},
	{units_parse_double, "-", BAD},	       {units_parse_double, "1e", BAD},
	{units_parse_double, "e5", BAD},       {units_parse_double, "nan", BAD},
	{units_parse_double, "inf", BAD},      {units_parse_double, "0x10", BAD},
	{units_parse_double, " 1", BAD},       {units_parse_double, "1 ", BAD},
	{units_parse_double, "1.2.3", BAD},    {units_parse_duration, "90", 90},
	{units_parse_duration, "90s", 90},     {units_parse_duration, "200ms", 200 * 1e-3},
	{units_parse_duration, "1.5 min", 90}, {units_parse_duration, "2h", 7200},
	{units_parse_duration, "3d", 259200},  {units_parse_duration, "-1s", BAD},
	{units_parse_duration, "-0", BAD},     {units_parse_duration, "5m", BAD},
	{units_parse_duration, "5 ", BAD},     {units_parse_duration, "5  s", BAD},
	{units_parse_duration, "5sx", BAD},    {units_parse_duration, "s", BAD},
	{units_parse_duration, "", BAD},       {units_parse_duration, "1e308d", BAD},
	{units_parse_ratio, "2%", 0.02},       {units_parse_ratio, "0.5 %", 0.005},
	{units_parse_ratio, "0.02", 0.02},     {units_parse_ratio, "2%%", BAD},
	{units_parse_ratio, "2 percent", BAD}, {units_parse_ratio, "%", BAD},
	{units_parse_ratio, "", BAD},
};

static void reals_in_the_c_locale(void **state)
{
	(void)state;
	check_reals(reals, ARRAY_SIZE(reals));
}

/* Makes a locale whose decimal point is a comma in a folder of its own, unless one is installed. */
static bool use_comma(const char *folder)
{
	_cleanup_free_ char *target = xasprintf("%s/de_DE.UTF-8", folder);
	const char *const argv[] = {"localedef", "-i", "de_DE", "-f", "UTF-8", target, NULL};

	if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8"))
		return true;
	if (proc_check(argv, NULL, NULL) < 0)
		return false;
	setenv("LOCPATH", folder, 1);
	return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void reals_in_another_locale(void **state)
{
	char folder[] = "/tmp/util_units_test-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(folder));
	if (!use_comma(folder)) {
		fs_remove_tree(folder, NULL);
		print_message("skip: Debian's package locales is not installed\n");
		skip();
	}
	fs_remove_tree(folder, NULL);
	assert_string_equal(localeconv()->decimal_point, ",");
	check_reals(reals, ARRAY_SIZE(reals));
	setlocale(LC_ALL, "C");
}

static void sizes(void **state)
{
	static const struct {
		const char *text;
		uint64_t want;
		int status;
	} cases[] = {
		{"0", 0, 0},
		{"100", 100, 0},
		{"64K", 65536, 0},
		{"512M", 512ull << 20, 0},
		{"4 G", 4ull << 30, 0},
		{"1T", 1ull << 40, 0},
		{"18446744073709551615", UINT64_MAX, 0},
		{"18446744073709551616", 0, -1},
		{"16777216T", 0, -1},
		{"99999999999999999999K", 0, -1},
		{"1.5G", 0, -1},
		{"-1", 0, -1},
		{"", 0, -1},
		{"K", 0, -1},
		{"1k", 0, -1},
		{"1KB", 0, -1},
		{"1 ", 0, -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = ERR_INIT;
		uint64_t value = 0;

		assert_int_equal(units_parse_size(cases[i].text, &value, &err), cases[i].status);
		assert_true(value == cases[i].want);
	}
}

static void refusals_are_safe_to_show(void **state)
{
	char text[500];
	struct err err = ERR_INIT;
	double value;

	(void)state;
	memset(text, 'z', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	text[1] = '\x1b';
	assert_int_equal(units_parse_double(text, &value, &err), -1);
	assert_null(strchr(err.msg, '\x1b'));
	assert_true(strlen(err.msg) < 100);
}

static void shows(void **state)
{
	static const struct {
		uint64_t n;
		const char *size, *count;
	} cases[] = {
		{0, "0 B", "0"},
		{999, "999 B", "999"},
		{1000, "1.0 kB", "1 000"},
		{9949, "9.9 kB", "9 949"},
		{9950, "10 kB", "9 950"},
		{999499, "999 kB", "999 499"},
		{999500, "1.0 MB", "999 500"},
		{243000000, "243 MB", "243 000 000"},
		{1200000000, "1.2 GB", "1 200 000 000"},
		{1730000, "1.7 MB", "1 730 000"},
		{INT64_MAX, "9.2 EB", "9 223 372 036 854 775 807"},
	};
	_cleanup_str_ struct str least = STR_INIT, most = STR_INIT, minus = STR_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str size = STR_INIT, count = STR_INIT;

		units_add_size(&size, cases[i].n);
		units_add_count(&count, (int64_t)cases[i].n);
		assert_string_equal(size.buf, cases[i].size);
		assert_string_equal(count.buf, cases[i].count);
	}
	units_add_count(&least, INT64_MIN);
	assert_string_equal(least.buf, "-9 223 372 036 854 775 808");
	units_add_count(&minus, -1000);
	assert_string_equal(minus.buf, "-1 000");
	units_add_size(&most, UINT64_MAX);
	assert_string_equal(most.buf, "18 EB");
}

static void settings_read_back(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{0, "0"},	    {1023, "1023"},	    {1024, "1K"},
		{1025, "1025"},	    {512ull << 20, "512M"}, {4ull << 30, "4G"},
		{1ull << 40, "1T"}, {1ull << 50, "1024T"},  {(3ull << 30) + 1024, "3145729K"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str s = STR_INIT;
		uint64_t back;

		units_add_setting(&s, cases[i].bytes);
		assert_string_equal(s.buf, cases[i].text);
		assert_int_equal(units_parse_size(s.buf, &back, NULL), 0);
		assert_true(back == cases[i].bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ints),
		cmocka_unit_test(reals_in_the_c_locale),
		cmocka_unit_test(reals_in_another_locale),
		cmocka_unit_test(sizes),
		cmocka_unit_test(refusals_are_safe_to_show),
		cmocka_unit_test(shows),
		cmocka_unit_test(settings_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
