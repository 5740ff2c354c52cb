/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/bench/bench.h"
#include "harness/util/mem.h"

static void names_come_back(void **state)
{
	static const char *const cases[][2] = {
		{"will-it-scale/pwrite2/thread/100%", "will-it-scale/pwrite2/thread/100%"},
		{"will-it-scale/pwrite2/thread/050%", "will-it-scale/pwrite2/thread/50%"},
		{"will-it-scale/context_switch1/process/16",
		 "will-it-scale/context_switch1/process/16"},
		{"hackbench/process/pipe/1", "hackbench/process/pipe/1"},
		{"hackbench/process/pipe/1/loops=50", "hackbench/process/pipe/1/loops=50"},
		{"hackbench/process/pipe/1/loops=1000", "hackbench/process/pipe/1"},
		{"pipe-test/process", "pipe-test/process"},
		{"pipe-test/thread/loops=5", "pipe-test/thread/loops=5"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(bench_case_done) struct bench_case c = {0};

		assert_int_equal(bench_case_parse(cases[i][0], &c, NULL), 0);
		assert_string_equal(c.name, cases[i][1]);
		assert_null(c.job);
		for (size_t k = 0; c.bench->params[k].name; k++)
			assert_string_equal(bench_case_param(&c, c.bench->params[k].name),
					    c.values[k]);
	}
}

static void late_parameters_have_their_default(void **state)
{
	_cleanup_(bench_case_done) struct bench_case c = {0};

	(void)state;
	assert_int_equal(bench_case_parse("pipe-test/process", &c, NULL), 0);
	assert_string_equal(bench_case_param(&c, "loops"), "100000");
	assert_null(bench_case_param(&c, "no-such"));
}

static void bad_names_are_refused(void **state)
{
	static const char *const cases[][2] = {
		{"", "no such benchmark"},
		{"/", "no such benchmark"},
		{"no-such/x", "no such benchmark"},
		{"will-it-scale", "\"test\" is missing"},
		{"will-it-scale/", "test: \"\" is none of"},
		{"will-it-scale/pwrite2", "\"mode\" is missing"},
		{"will-it-scale/pwrite2/threads/1", "did you mean \"thread\"?"},
		{"will-it-scale/pwrite2/thread/1/", "no more parameters"},
		{"will-it-scale/pwrite2/thread/0", "tasks: \"0\""},
		{"will-it-scale/../../etc/passwd", "none of"},
		{"pipe-test/process/100000", "no more parameters"},
		{"pipe-test/process/loops=0", "loops: \"0\""},
		{"pipe-test/process/loops=5/loops=5", "no more parameters"},
		{"pipe-test/\x1b[31m", "\\x1b"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bench_case c = {.name = (char *)"untouched"};
		struct err err = ERR_INIT;

		assert_int_equal(bench_case_parse(cases[i][0], &c, &err), -1);
		assert_int_equal(err.kind, ERR_USER);
		if (!strstr(err.msg, cases[i][1]))
			fail_msg("%s: \"%s\" without \"%s\"", cases[i][0], err.msg, cases[i][1]);
		assert_string_equal(c.name, "untouched");
	}
}

static void a_name_without_end_is_refused(void **state)
{
	_cleanup_free_ char *name = xmalloc(1 << 20);
	struct bench_case c;
	struct err err = ERR_INIT;

	(void)state;
	memset(name, '/', (1 << 20) - 1);
	name[(1 << 20) - 1] = '\0';
	memcpy(name, "pipe-test", 9);
	assert_int_equal(bench_case_parse(name, &c, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_come_back),
		cmocka_unit_test(late_parameters_have_their_default),
		cmocka_unit_test(bad_names_are_refused),
		cmocka_unit_test(a_name_without_end_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
