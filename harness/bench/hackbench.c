/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/bench/suites.h"

#include "harness/bench/lines.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

/* Loops of one group that take 0.1 to 0.2 s on the deterministic machine; more groups share them.
 */
#define DET_LOOPS_PIPE	 160
#define DET_LOOPS_SOCKET 90

static const char *const ipcs[] = {"pipe", "socket", NULL};

static const struct bench_param params[] = {
	{.name = "mode",
	 .summary = "tasks are processes or threads",
	 .def = "process",
	 .choices = bench_modes},
	{.name = "ipc",
	 .summary = "messages go through pipes or socket pairs",
	 .def = "socket",
	 .choices = ipcs},
	{.name = "groups",
	 .summary = "groups of 20 senders and 20 receivers",
	 .def = "10",
	 .check = bench_check_count},
	{.name = "loops",
	 .summary = "messages from each sender to each receiver",
	 .def = "1000",
	 .late = true,
	 .check = bench_check_count},
	{.name = NULL},
};

static int make_argv(const struct bench_case *c, const struct bench_target *t, char ***ret,
		     struct err *err)
{
	bool pipe = bench_case_is(c, "ipc", "pipe");
	int64_t groups = bench_case_count(c, "groups");
	int64_t loops = bench_case_count(c, "loops");
	_cleanup_free_ char *program = xasprintf("%s/bin/hackbench", t->toolbox);
	_cleanup_free_ char *number = NULL;
	char **argv = NULL;

	(void)err;
	if (t->deterministic)
		loops = bench_share(pipe ? DET_LOOPS_PIPE : DET_LOOPS_SOCKET, groups);
	number = xasprintf("%lld", (long long)loops);
	strv_add(&argv, program);
	strv_add(&argv, bench_case_is(c, "mode", "thread") ? "-T" : "-P");
	if (pipe)
		strv_add(&argv, "-p");
	strv_add(&argv, "-g");
	strv_add(&argv, bench_case_param(c, "groups"));
	strv_add(&argv, "-l");
	strv_add(&argv, number);
	*ret = argv;
	return 0;
}

static char *describe(const struct bench_case *c)
{
	bool one = streq(bench_case_param(c, "groups"), "1");

	return xasprintf(
		"%s group%s of 20 senders and 20 receivers (%s) exchange%s 100-byte messages "
		"through %s",
		one ? "one" : bench_case_param(c, "groups"), one ? "" : "s",
		bench_case_is(c, "mode", "thread") ? "threads" : "processes", one ? "s" : "",
		bench_case_is(c, "ipc", "pipe") ? "pipes" : "socket pairs");
}

static bool single(const struct bench_case *c, int cpus)
{
	(void)c;
	(void)cpus;
	return false;
}

/* "Time: 0.123" has only milliseconds; our own program says the same in nanoseconds too. */
static int parse(const char *text, size_t n, const struct bench_case *c, struct metric_set *ret,
		 struct err *err)
{
	_cleanup_(lines_done) struct lines lines;
	double seconds = 0, elapsed_ns = 0;
	const char *value;

	(void)c;
	if (lines_start(&lines, text, n, err) < 0)
		return -1;
	while (lines_next(&lines)) {
		value = lines_after(&lines, "Time:");
		if (value && lines_number(&lines, value, "Time:", &seconds, err) < 0)
			return -1;
		value = lines_after(&lines, "elapsed_ns:");
		if (value && lines_number(&lines, value, "elapsed_ns:", &elapsed_ns, err) < 0)
			return -1;
	}
	if (seconds == 0)
		return err_set(err, ERR_BENCH, "line %d: the output ends without \"Time:\"",
			       lines.number);
	metric_set_add(ret, "hackbench.time", elapsed_ns > 0 ? elapsed_ns / 1e9 : seconds);
	return 0;
}

const struct bench bench_hackbench = {
	.name = "hackbench",
	.summary =
		"Groups of tasks send each other small messages, as a chat server does, and stress the scheduler.",
	.source = "benchmarks/hackbench/",
	.params = params,
	.argv = make_argv,
	.describe = describe,
	.parse = parse,
	.single = single,
	.kpi = "hackbench.time",
};
