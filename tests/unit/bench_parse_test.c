/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/bench/bench.h"
#include "harness/util/mem.h"

#define WIS "testcase:Same file pwrite\nwarmup\nmin:5 max:9 total:14\nmeasurement\n"

static int parse(const char *name, const char *text, struct metric_set *set, struct err *err)
{
	_cleanup_(bench_case_done) struct bench_case c = {0};

	assert_int_equal(bench_case_parse(name, &c, NULL), 0);
	return c.bench->parse(text, strlen(text), &c, set, err);
}

static void values(void **state)
{
	static const struct {
		const char *name, *text, *metric;
		double value;
	} cases[] = {
		{"will-it-scale/pwrite2/thread/4", WIS "average:4000\n",
		 "will-it-scale.per_thread_ops", 1000},
		{"will-it-scale/pwrite2/process/4", WIS "average:4000\n",
		 "will-it-scale.per_process_ops", 1000},
		{"will-it-scale/pwrite2/thread/100%", WIS "average:4000\ntasks:8 mode:threads\n",
		 "will-it-scale.per_thread_ops", 500},
		{"will-it-scale/pwrite2/thread/4", WIS "average:4000\n", "will-it-scale.ns_per_op",
		 1e6},
		{"will-it-scale/pwrite2/thread/1",
		 "average:565679\nelapsed_ns:159100705 iterations:90000\ntasks:1\n",
		 "will-it-scale.ns_per_op", 159100705 / 90000.0},
		{"will-it-scale/pwrite2/thread/1", "average:7", "will-it-scale.per_thread_ops", 7},
		{"hackbench/process/pipe/1", "Running in process mode\nTime: 0.123\n",
		 "hackbench.time", 0.123},
		{"hackbench/process/pipe/1", "Time: 0.123\nelapsed_ns:123456789\n",
		 "hackbench.time", 0.123456789},
		{"pipe-test/process",
		 "     Total time: 1.2 [sec]\n\n      12.345678 usecs/op\n"
		 "          81000 ops/sec\n",
		 "pipe-test.usecs_per_op", 12.345678},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(metric_set_done) struct metric_set set = {0};
		struct err err = ERR_INIT;
		int index;

		if (parse(cases[i].name, cases[i].text, &set, &err) < 0)
			fail_msg("%zu: %s", i, err.msg);
		index = metric_set_find(&set, cases[i].metric);
		assert_true(index >= 0);
		if (fabs(set.values[index].value / cases[i].value - 1) > 1e-12)
			fail_msg("%zu: %g, not %g", i, set.values[index].value, cases[i].value);
		for (size_t k = 0; k < set.n; k++)
			assert_string_equal(metric_find(set.values[k].name)->name,
					    set.values[k].name);
	}
}

static void faults(void **state)
{
	static const struct {
		const char *name, *text, *fault;
	} cases[] = {
		{"will-it-scale/pwrite2/thread/1", "", "without \"average:\""},
		{"will-it-scale/pwrite2/thread/1", WIS, "line 4: "},
		{"will-it-scale/pwrite2/thread/1", "average:", "line 1: \"average:\""},
		{"will-it-scale/pwrite2/thread/1", "average:-5\n", "expected a positive number"},
		{"will-it-scale/pwrite2/thread/1", "average:0\n", "expected a positive number"},
		{"will-it-scale/pwrite2/thread/1", "average:nan\n", "expected a positive number"},
		{"will-it-scale/pwrite2/thread/1", "average:inf\n", "expected a positive number"},
		{"will-it-scale/pwrite2/thread/1", "average:1e999\n", "expected a positive number"},
		{"will-it-scale/pwrite2/thread/1", "average:1e300\n", "expected a positive number"},
		{"will-it-scale/pwrite2/thread/1", "average:12abc\n", "expected a positive number"},
		{"will-it-scale/pwrite2/thread/1", "average:1\naverage:2\n",
		 "line 2: \"average:\""},
		{"will-it-scale/pwrite2/thread/1", "average:1\nelapsed_ns:5\n", "only together"},
		{"will-it-scale/pwrite2/thread/100%", "average:1\n", "how many tasks"},
		{"hackbench/process/pipe/1", "", "without \"Time:\""},
		{"hackbench/process/pipe/1", "Time: \n", "line 1: \"Time:\""},
		{"hackbench/process/pipe/1", "Time: 0.000\n", "expected a positive number"},
		{"hackbench/process/pipe/1", "Time: 1\nTime: 1\n", "second time"},
		{"pipe-test/process", "usecs/op\n", "without \"usecs/op\""},
		{"pipe-test/process", "\x1b[2J usecs/op\n", "\\x1b[2J"},
		{"pipe-test/process", "5 usecs/op\n5 usecs/op\n", "line 2: "},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(metric_set_done) struct metric_set set = {0};
		struct err err = ERR_INIT;

		if (parse(cases[i].name, cases[i].text, &set, &err) == 0)
			fail_msg("%zu: \"%s\" was read", i, cases[i].text);
		assert_int_equal(err.kind, ERR_BENCH);
		if (!strstr(err.msg, cases[i].fault))
			fail_msg("%zu: \"%s\" without \"%s\"", i, err.msg, cases[i].fault);
		assert_int_equal(set.n, 0);
	}
}

static void output_without_end(void **state)
{
	size_t n = (4 << 20) + 1;
	_cleanup_free_ char *text = xmalloc(n);
	struct metric_set set = {0};
	struct err err = ERR_INIT;

	(void)state;
	memset(text, 'x', n);
	for (const struct bench *const *b = benches; *b; b++) {
		assert_int_equal((*b)->parse(text, n, NULL, &set, &err), -1);
		assert_non_null(strstr(err.msg, "more than"));
		assert_int_equal((*b)->parse(text, n - 1, NULL, &set, &err), -1);
		assert_non_null(strstr(err.msg, "without"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(faults),
		cmocka_unit_test(output_without_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
