/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/bench/suites.h"

#include "harness/bench/lines.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define DET_LOOPS "12500" /* 0.1 to 0.2 s on the deterministic machine */

static const struct bench_param params[] = {
	{.name = "mode",
	 .summary = "the two tasks are processes or threads",
	 .def = "process",
	 .choices = bench_modes},
	{.name = "loops",
	 .summary = "round trips; the deterministic machine always does " DET_LOOPS,
	 .def = "100000",
	 .late = true,
	 .check = bench_check_count},
	{.name = NULL},
};

static int make_argv(const struct bench_case *c, const struct bench_target *t, char ***ret,
		     struct err *err)
{
	_cleanup_free_ char *program = xasprintf("%s/bin/pipe-test", t->toolbox);
	char **argv = NULL;

	(void)err;
	strv_add(&argv, program);
	strv_add(&argv, "-n");
	strv_add(&argv, t->deterministic ? DET_LOOPS : bench_case_param(c, "loops"));
	if (bench_case_is(c, "mode", "thread"))
		strv_add(&argv, "-T");
	*ret = argv;
	return 0;
}

static char *describe(const struct bench_case *c)
{
	return xasprintf(
		"two %s send a number to and fro through two pipes, one round trip at a time",
		bench_case_is(c, "mode", "thread") ? "threads" : "processes");
}

static bool single(const struct bench_case *c, int cpus)
{
	(void)c;
	(void)cpus;
	return true;
}

/* "usecs/op" stands behind its number. */
static int read_line(const struct lines *l, double *usecs, struct err *err)
{
	_cleanup_free_ char *number = NULL;
	size_t n = strcspn(l->line.buf, " \t");

	if (!streq(l->line.buf + n + strspn(l->line.buf + n, " \t"), "usecs/op"))
		return 0;
	number = xstrndup(l->line.buf, n);
	return lines_number(l, number, "usecs/op", usecs, err);
}

static int parse(const char *text, size_t n, const struct bench_case *c, struct metric_set *ret,
		 struct err *err)
{
	_cleanup_(lines_done) struct lines lines;
	double usecs = 0;

	(void)c;
	if (lines_start(&lines, text, n, err) < 0)
		return -1;
	while (lines_next(&lines))
		if (read_line(&lines, &usecs, err) < 0)
			return -1;
	if (usecs == 0)
		return err_set(err, ERR_BENCH, "line %d: the output ends without \"usecs/op\"",
			       lines.number);
	metric_set_add(ret, "pipe-test.usecs_per_op", usecs);
	return 0;
}

const struct bench bench_pipe_test = {
	.name = "pipe-test",
	.summary =
		"Two tasks wake each other through pipes, so that each round trip is two context switches.",
	.source = "benchmarks/pipe-test/",
	.params = params,
	.argv = make_argv,
	.describe = describe,
	.parse = parse,
	.single = single,
	.kpi = "pipe-test.usecs_per_op",
};
