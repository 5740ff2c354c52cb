/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/bench/bench.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define MARK(l, c)                                            \
	{                                                     \
		.file = "jobs/x.yaml", .line = l, .column = c \
	}
#define LIST(...)                                    \
	.values = (struct job_value[]){__VA_ARGS__}, \
	.n_values = sizeof((struct job_value[]){__VA_ARGS__}) / sizeof(struct job_value)
#define V(t, l)                                       \
	{                                             \
		.text = (char *)t, .mark = MARK(l, 9) \
	}

/* A job that leaves the machine as it is. */
static struct job make_job(const char *suite, struct job_param *params, size_t n)
{
	return (struct job){
		.name = (char *)"x",
		.suite = (char *)suite,
		.suite_mark = MARK(2, 8),
		.params = params,
		.n_params = n,
		.setup = {.turbo = -1, .smt = -1, .numa_balancing = -1, .aslr = -1},
	};
}

static void the_product_in_order(void **state)
{
	static const char *const expected[] = {
		"will-it-scale/pwrite2/process/1",  "will-it-scale/pwrite2/process/50%",
		"will-it-scale/pwrite2/thread/1",   "will-it-scale/pwrite2/thread/50%",
		"will-it-scale/getppid1/process/1", "will-it-scale/getppid1/process/50%",
		"will-it-scale/getppid1/thread/1",  "will-it-scale/getppid1/thread/50%",
	};
	struct job_param params[] = {
		{.name = (char *)"tasks", LIST(V("1", 3), V("50%", 4))},
		{.name = (char *)"mode", LIST(V("process", 5), V("thread", 6))},
		{.name = (char *)"test", LIST(V("pwrite2", 7), V("getppid1", 8))},
	};
	struct job job = make_job("will-it-scale", params, 3);
	struct bench_case *cases;
	size_t n;

	(void)state;
	assert_int_equal(bench_expand(&job, &cases, &n, NULL), 0);
	assert_int_equal(n, ARRAY_SIZE(expected));
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(cases[i].name, expected[i]);
		assert_ptr_equal(cases[i].job, &job);
	}
	bench_cases_free(cases, n);
}

static void defaults_fill_in(void **state)
{
	struct job job = make_job("hackbench", NULL, 0);
	struct bench_case *cases;
	size_t n;

	(void)state;
	assert_int_equal(bench_expand(&job, &cases, &n, NULL), 0);
	assert_int_equal(n, 1);
	assert_string_equal(cases[0].name, "hackbench/process/socket/10");
	bench_cases_free(cases, n);
}

/* Set up differently, it is another test. */
static void the_setup_is_in_the_name(void **state)
{
	struct job job = make_job("hackbench", NULL, 0);
	_cleanup_(bench_case_done) struct bench_case again = {0};
	struct bench_case *cases;
	size_t n;

	(void)state;
	job.setup.taskset = (char *)"0-3,8";
	assert_int_equal(bench_expand(&job, &cases, &n, NULL), 0);
	assert_string_equal(cases[0].name, "hackbench/process/socket/10+taskset=0-3,8");
	assert_int_equal(bench_case_parse(cases[0].name, &again, NULL), 0);
	assert_string_equal(again.name, cases[0].name);
	assert_string_equal(bench_case_param(&again, "groups"), "10");
	bench_cases_free(cases, n);
}

static void check_fault(const char *suite, struct job_param *params, size_t n_params,
			const char *place, const char *text)
{
	struct job job = make_job(suite, params, n_params);
	struct bench_case *cases = NULL;
	struct err err = ERR_INIT;
	size_t n = 77;

	assert_int_equal(bench_expand(&job, &cases, &n, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	if (!str_starts(err.msg, place) || !strstr(err.msg, text))
		fail_msg("\"%s\": expected \"%s\" and \"%s\"", err.msg, place, text);
	assert_int_equal(n, 77);
	assert_null(cases);
}

static void faults_name_their_place(void **state)
{
	struct job_param wrong_name = {
		.name = (char *)"tets", .mark = MARK(4, 3), LIST(V("pwrite2", 4))};
	struct job_param wrong_value = {
		.name = (char *)"test", .mark = MARK(4, 3), LIST(V("pwrite2", 4), V("pwrite3", 5))};
	struct job_param twice = {
		.name = (char *)"test", .mark = MARK(4, 3), LIST(V("pwrite2", 4), V("pwrite2", 6))};
	struct job_param empty = {.name = (char *)"test", .mark = MARK(4, 3)};
	struct job_param tasks[] = {{.name = (char *)"test", LIST(V("pwrite2", 4))},
				    {.name = (char *)"tasks", LIST(V("all", 7))}};

	(void)state;
	check_fault("wil-it-scale", NULL, 0,
		    "jobs/x.yaml:2:8: ", "did you mean \"will-it-scale\"?");
	check_fault("will-it-scale", NULL, 0, "jobs/x.yaml:2:8: ", "\"test\" must be given");
	check_fault("will-it-scale", &wrong_name, 1, "jobs/x.yaml:4:3: ", "did you mean \"test\"?");
	check_fault("will-it-scale", &wrong_value, 1, "jobs/x.yaml:5:9: ", "did you mean");
	check_fault("will-it-scale", &twice, 1, "jobs/x.yaml:6:9: ", "given twice");
	check_fault("will-it-scale", &empty, 1, "jobs/x.yaml:4:3: ", "empty");
	check_fault("will-it-scale", tasks, 2, "jobs/x.yaml:7:9: ", "number of tasks");
}

static void no_more_than_a_thousand_cases(void **state)
{
	struct job_value values[1001];
	struct job_param param = {.name = (char *)"groups", .values = values, .n_values = 1001};
	char texts[1001][16];

	(void)state;
	for (int i = 0; i < 1001; i++) {
		snprintf(texts[i], sizeof(texts[i]), "%d", i + 1);
		values[i] = (struct job_value){.text = texts[i], .mark = MARK(9, 9)};
	}
	check_fault("hackbench", &param, 1, "jobs/x.yaml:2:8: ", "more than 1000 cases");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_product_in_order),
		cmocka_unit_test(defaults_fill_in),
		cmocka_unit_test(the_setup_is_in_the_name),
		cmocka_unit_test(faults_name_their_place),
		cmocka_unit_test(no_more_than_a_thousand_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
