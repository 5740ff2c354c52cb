/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/bench/bench.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

static void rows_are_whole(void **state)
{
	(void)state;
	for (const struct bench *const *b = benches; *b; b++) {
		size_t n = 0;
		bool late = false;

		assert_ptr_equal(bench_find((*b)->name), *b);
		assert_true(str_ends((*b)->summary, "."));
		assert_true(metric_find((*b)->kpi)->kpi);
		for (const struct bench_param *p = (*b)->params; p->name; p++, n++) {
			assert_true(p->summary && (p->choices || p->check));
			assert_true(!late || p->late); /* or a name could be read in two ways */
			assert_true(!p->late || p->def);
			late = p->late;
		}
		assert_true(n <= BENCH_PARAMS_MAX);
	}
	assert_null(bench_find("no-such"));
}

static void tasks_round(void **state)
{
	static const struct {
		const char *text;
		int cpus, tasks; /* tasks 0: refused */
	} cases[] = {
		{"4", 2, 4},	      {"1", 64, 1},   {"100%", 8, 8},	{"50%", 8, 4},
		{"50%", 1, 1},	      {"50%", 3, 2},  {"10%", 64, 6},	{"1%", 4, 1},
		{"25%", 2, 1},	      {"200%", 4, 8}, {"16%", 32, 5},	{"0", 4, 0},
		{"0%", 4, 0},	      {"-1", 4, 0},   {"", 4, 0},	{"%", 4, 0},
		{"4x", 4, 0},	      {"1.5", 4, 0},  {" 4", 4, 0},	{"4%%", 4, 0},
		{"+4", 4, 0},	      {"0x4", 4, 0},  {"10001%", 4, 0}, {"1e3", 4, 0},
		{"9999999999", 4, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = ERR_INIT;
		int tasks = 0, rc = bench_tasks(cases[i].text, cases[i].cpus, &tasks, &err);

		if (tasks != cases[i].tasks || (rc == 0) != (cases[i].tasks > 0))
			fail_msg("%s of %d: %d, not %d", cases[i].text, cases[i].cpus, tasks,
				 cases[i].tasks);
		if (rc < 0)
			assert_int_equal(err.kind, ERR_USER);
	}
}

/* The command of a case, words joined by blanks. */
static void check_command(const char *name, const struct bench_target *t, const char *expected)
{
	_cleanup_(bench_case_done) struct bench_case c = {0};
	_cleanup_strv_ char **argv = NULL;
	_cleanup_str_ struct str joined = STR_INIT;

	assert_int_equal(bench_case_parse(name, &c, NULL), 0);
	assert_int_equal(c.bench->argv(&c, t, &argv, NULL), 0);
	for (char **word = argv; *word; word++)
		str_addf(&joined, "%s%s", joined.len ? " " : "", *word);
	assert_string_equal(joined.buf, expected);
}

static void commands(void **state)
{
	const struct bench_target real = {8, false, "/opt/lkp", "/scratch"};

	(void)state;
	check_command("will-it-scale/pwrite2/thread/50%", &real,
		      "/opt/lkp/bin/pwrite2_threads -t 4 -s 5 -d /scratch");
	check_command("will-it-scale/getppid1/process/3", &real,
		      "/opt/lkp/bin/getppid1_processes -t 3 -s 5 -d /scratch");
	check_command("hackbench/process/pipe/10", &real,
		      "/opt/lkp/bin/hackbench -P -p -g 10 -l 1000");
	check_command("hackbench/thread/socket/2/loops=7", &real,
		      "/opt/lkp/bin/hackbench -T -g 2 -l 7");
	check_command("pipe-test/process", &real, "/opt/lkp/bin/pipe-test -n 100000");
	check_command("pipe-test/thread/loops=500", &real, "/opt/lkp/bin/pipe-test -n 500 -T");
}

/* There, all tasks together do a fixed amount of work, however many there are. */
static void commands_of_fixed_work(void **state)
{
	const struct bench_target det = {1, true, "/lkp", "/tmp"};
	_cleanup_(bench_case_done) struct bench_case one = {0}, two = {0};
	_cleanup_strv_ char **argv1 = NULL, **argv2 = NULL;

	(void)state;
	assert_int_equal(bench_case_parse("will-it-scale/pwrite2/thread/1", &one, NULL), 0);
	assert_int_equal(bench_case_parse("will-it-scale/pwrite2/thread/2", &two, NULL), 0);
	assert_int_equal(one.bench->argv(&one, &det, &argv1, NULL), 0);
	assert_int_equal(two.bench->argv(&two, &det, &argv2, NULL), 0);
	assert_string_equal(argv1[3], "-w");
	assert_int_equal(strtol(argv1[4], NULL, 10), 2 * strtol(argv2[4], NULL, 10));
	assert_string_equal(argv1[6], "/tmp");
}

static void single_task_cases(void **state)
{
	static const struct {
		const char *name;
		int cpus;
		bool single;
	} cases[] = {
		{"will-it-scale/pwrite2/thread/100%", 1, true},
		{"will-it-scale/pwrite2/thread/100%", 2, false},
		{"will-it-scale/pwrite2/thread/1", 8, true},
		{"hackbench/process/pipe/1", 1, false},
		{"pipe-test/process", 8, true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(bench_case_done) struct bench_case c = {0};

		assert_int_equal(bench_case_parse(cases[i].name, &c, NULL), 0);
		assert_int_equal(c.bench->single(&c, cases[i].cpus), cases[i].single);
	}
}

static void descriptions(void **state)
{
	static const char *const cases[][2] = {
		{"will-it-scale/pwrite2/thread/1",
		 "one thread writes 4 KiB to offset 0 of one tmpfs file that all share"},
		{"will-it-scale/getppid1/process/4",
		 "4 processes: each calls getppid(), the cheapest way into the kernel and back"},
		{"will-it-scale/pwrite2/thread/100%",
		 "one thread per CPU: each writes 4 KiB to offset 0 of one tmpfs file that all share"},
		{"hackbench/process/pipe/1", "one group of 20 senders and 20 receivers (processes) "
					     "exchanges 100-byte messages through pipes"},
		{"pipe-test/thread", "two threads send a number to and fro through two pipes, one "
				     "round trip at a time"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(bench_case_done) struct bench_case c = {0};
		_cleanup_free_ char *text = NULL;

		assert_int_equal(bench_case_parse(cases[i][0], &c, NULL), 0);
		text = c.bench->describe(&c);
		assert_string_equal(text, cases[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_whole),    cmocka_unit_test(tasks_round),
		cmocka_unit_test(commands),	     cmocka_unit_test(commands_of_fixed_work),
		cmocka_unit_test(single_task_cases), cmocka_unit_test(descriptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
