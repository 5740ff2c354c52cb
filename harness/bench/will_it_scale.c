/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/bench/suites.h"

#include "harness/bench/lines.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"
#include "harness/util/units.h"

#define SECONDS "5" /* measured, where the work is not fixed */

/* The cases of the suite, and in the same order what each does. */
static const char *const test_names[] = {"context_switch1", "getppid1", "pwrite1", "pwrite2", NULL};

static const struct wis_test {
	/* Operations of all tasks together that take 0.1 to 0.2 s on the deterministic machine,
	 * where a nanosecond is an instruction. */
	int64_t work;
	const char *one_does; /* follows "each of N threads " */
} tests[] = {
	{27000,
	 "passes a byte to and fro with a partner through two pipes, two switches an operation"},
	{600000, "calls getppid(), the cheapest way into the kernel and back"},
	{60000, "writes 4 KiB to offset 0 of a tmpfs file of its own"},
	{60000, "writes 4 KiB to offset 0 of one tmpfs file that all share"},
};
_Static_assert(ARRAY_SIZE(tests) + 1 == ARRAY_SIZE(test_names), "a row for each name");

static const struct bench_param params[] = {
	{.name = "test", .summary = "the suite's test case", .choices = test_names},
	{.name = "mode",
	 .summary = "tasks are processes or threads",
	 .def = "thread",
	 .choices = bench_modes},
	{.name = "tasks",
	 .summary = "number of tasks, or percent of the CPUs",
	 .def = "100%",
	 .check = bench_check_tasks},
	{.name = NULL},
};

static const struct wis_test *test_of(const struct bench_case *c)
{
	const char *name = bench_case_param(c, "test");
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(tests) && !streq(test_names[i], name))
		i++;
	return &tests[i];
}

static int make_argv(const struct bench_case *c, const struct bench_target *t, char ***ret,
		     struct err *err)
{
	bool process = bench_case_is(c, "mode", "process");
	_cleanup_free_ char *program =
		xasprintf("%s/bin/%s_%s", t->toolbox, bench_case_param(c, "test"),
			  process ? "processes" : "threads");
	_cleanup_free_ char *number = NULL, *work = NULL;
	char **argv = NULL;
	int tasks;

	if (bench_tasks(bench_case_param(c, "tasks"), t->cpus, &tasks, err) < 0)
		return -1;
	number = xasprintf("%d", tasks);
	work = xasprintf("%lld", (long long)bench_share(test_of(c)->work, tasks));
	strv_add(&argv, program);
	strv_add(&argv, "-t");
	strv_add(&argv, number);
	strv_add(&argv, t->deterministic ? "-w" : "-s");
	strv_add(&argv, t->deterministic ? work : SECONDS);
	strv_add(&argv, "-d");
	strv_add(&argv, t->scratch);
	*ret = argv;
	return 0;
}

static char *describe(const struct bench_case *c)
{
	const char *tasks = bench_case_param(c, "tasks");
	bool process = bench_case_is(c, "mode", "process");
	bool percent = str_ends(tasks, "%");

	if (streq(tasks, "1"))
		return xasprintf("one %s %s", process ? "process" : "thread", test_of(c)->one_does);
	if (streq(tasks, "100%"))
		return xasprintf("one %s per CPU: each %s", process ? "process" : "thread",
				 test_of(c)->one_does);
	return xasprintf("%s %s%s: each %s", tasks, process ? "processes" : "threads",
			 percent ? " per CPU" : "", test_of(c)->one_does);
}

static bool single(const struct bench_case *c, int cpus)
{
	int tasks = 2;

	bench_tasks(bench_case_param(c, "tasks"), cpus, &tasks, NULL);
	return tasks == 1;
}

/* What the output says; 0: it does not. */
struct wis_output {
	double average; /* operations a second of all tasks */
	double tasks;
	double elapsed_ns, iterations; /* fixed work: of all tasks together */
	bool process, thread;
};

/* One word "key:value" of a line of results; words of other lines and unknown keys say nothing. */
static int read_word(const struct lines *l, const char *word, struct wis_output *o, struct err *err)
{
	const struct {
		const char *key;
		double *value;
	} numbers[] = {
		{"average:", &o->average},
		{"tasks:", &o->tasks},
		{"elapsed_ns:", &o->elapsed_ns},
		{"iterations:", &o->iterations},
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (str_starts(word, numbers[i].key))
			return lines_number(l, word + strlen(numbers[i].key), numbers[i].key,
					    numbers[i].value, err);
	o->process |= streq(word, "mode:processes");
	o->thread |= streq(word, "mode:threads");
	return 0;
}

static int read_line(const struct lines *l, struct wis_output *o, struct err *err)
{
	static const char *const firsts[] = {
		"average:", "tasks:", "mode:", "elapsed_ns:", "iterations:"};
	_cleanup_free_ char *copy = NULL;
	char *rest;
	size_t i = 0;

	while (i < ARRAY_SIZE(firsts) && !str_starts(l->line.buf, firsts[i]))
		i++;
	if (i == ARRAY_SIZE(firsts))
		return 0;
	rest = copy = xstrdup(l->line.buf);
	for (char *word; (word = strsep(&rest, " \t"));)
		if (read_word(l, word, o, err) < 0)
			return -1;
	return 0;
}

static int read_output(const char *text, size_t n, struct wis_output *o, struct err *err)
{
	_cleanup_(lines_done) struct lines lines;

	if (lines_start(&lines, text, n, err) < 0)
		return -1;
	while (lines_next(&lines))
		if (read_line(&lines, o, err) < 0)
			return -1;
	if (o->average == 0)
		return err_set(err, ERR_BENCH, "line %d: the output ends without \"average:\"",
			       lines.number);
	if ((o->elapsed_ns == 0) != (o->iterations == 0))
		return err_set(err, ERR_BENCH,
			       "line %d: \"elapsed_ns:\" and \"iterations:\" come only together",
			       lines.number);
	return 0;
}

/* The case knows better than the output, but not how many CPUs a percentage was of. */
static void complete(struct wis_output *o, const struct bench_case *c)
{
	const char *tasks = c ? bench_case_param(c, "tasks") : "";

	if (o->tasks == 0 && units_parse_double(tasks, &o->tasks, NULL) < 0)
		o->tasks = 0;
	o->process = c ? bench_case_is(c, "mode", "process") : o->process;
	o->thread = c ? bench_case_is(c, "mode", "thread") : o->thread;
}

static int parse(const char *text, size_t n, const struct bench_case *c, struct metric_set *ret,
		 struct err *err)
{
	struct wis_output o = {0};
	double total;

	if (read_output(text, n, &o, err) < 0)
		return -1;
	complete(&o, c);
	if (c && o.tasks == 0)
		return err_set(err, ERR_BENCH, "the output does not say how many tasks ran");
	/* average: is cut to whole operations; fixed work is known exactly. */
	total = o.iterations > 0 ? o.iterations * 1e9 / o.elapsed_ns : o.average;
	if (o.tasks > 0 && o.thread)
		metric_set_add(ret, "will-it-scale.per_thread_ops", total / o.tasks);
	if (o.tasks > 0 && o.process)
		metric_set_add(ret, "will-it-scale.per_process_ops", total / o.tasks);
	if (o.tasks > 0)
		metric_set_add(ret, "will-it-scale.ns_per_op", o.tasks * 1e9 / total);
	if (o.tasks == 0)
		metric_set_add(ret, "will-it-scale.total_ops", total);
	return 0;
}

const struct bench bench_will_it_scale = {
	.name = "will-it-scale",
	.summary =
		"Runs one small system call test in 1 to N tasks at once and counts operations a second.",
	.source = "benchmarks/will-it-scale/",
	.params = params,
	.argv = make_argv,
	.describe = describe,
	.parse = parse,
	.single = single,
	.kpi = "will-it-scale.per_thread_ops",
};
