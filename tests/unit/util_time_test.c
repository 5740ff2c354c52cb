/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>

#include "harness/util/mem.h"
#include "harness/util/time.h"

static void instants(void **state)
{
	static const struct {
		int64_t utc;
		const char *plain, *mail;
	} cases[] = {
		{0, "1970-01-01 00:00:00", "Thu, 01 Jan 1970 00:00:00 +0000"},
		{1406211231, "2014-07-24 14:13:51", "Thu, 24 Jul 2014 14:13:51 +0000"},
		{951782400, "2000-02-29 00:00:00", "Tue, 29 Feb 2000 00:00:00 +0000"},
		{-1, "1969-12-31 23:59:59", "Wed, 31 Dec 1969 23:59:59 +0000"},
		{253402300799, "9999-12-31 23:59:59", "Fri, 31 Dec 9999 23:59:59 +0000"},
		{INT64_MAX, "@9223372036854775807", "Thu, 01 Jan 1970 00:00:00 +0000"},
		{INT64_MIN, "@-9223372036854775808", "Thu, 01 Jan 1970 00:00:00 +0000"},
	};

	(void)state;
	setenv("TZ", "America/New_York", 1);
	tzset();
	setlocale(LC_ALL, "de_DE.UTF-8");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str a = STR_INIT, b = STR_INIT;

		time_add_utc(&a, cases[i].utc);
		time_add_rfc5322(&b, cases[i].utc);
		assert_string_equal(a.buf, cases[i].plain);
		assert_string_equal(b.buf, cases[i].mail);
	}
}

static void durations(void **state)
{
	static const struct {
		double seconds;
		const char *want;
	} cases[] = {
		{0, "0 ms"},
		{0.0004, "0 ms"},
		{0.85, "850 ms"},
		{0.9994, "999 ms"},
		{0.9996, "1.0 s"},
		{12.3, "12.3 s"},
		{59.94, "59.9 s"},
		{59.96, "1 min 00 s"},
		{245, "4 min 05 s"},
		{3599.4, "59 min 59 s"},
		{3599.6, "1 h 00 min"},
		{7380, "2 h 03 min"},
		{86399, "23 h 59 min"},
		{86400, "1 d 0 h"},
		{273600, "3 d 4 h"},
		{-12.3, "-12.3 s"},
		{1e300, "unknown"},
		{0.0 / 0.0, "unknown"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str s = STR_INIT;

		time_add_duration(&s, cases[i].seconds);
		assert_string_equal(s.buf, cases[i].want);
	}
}

static void clocks_run(void **state)
{
	double before = time_monotonic();
	int64_t now = time_now();

	(void)state;
	assert_true(time_monotonic() >= before);
	assert_true(now > 1700000000 && now <= (int64_t)time(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instants),
		cmocka_unit_test(durations),
		cmocka_unit_test(clocks_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
