/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/metric/metric.h"

#include "harness/util/mem.h"
#include "harness/util/str.h"

#define WIS  "will-it-scale."
#define PERF "perf-stat."

/* clang-format off */
const struct metric metrics[] = {
	{WIS "per_thread_ops", "operations/s", METRIC_HIGHER, .ratio = true, .kpi = true,
	 .summary = "operations a second of each thread, on average"},
	{WIS "per_process_ops", "operations/s", METRIC_HIGHER, .ratio = true, .kpi = true,
	 .summary = "operations a second of each process, on average"},
	{WIS "total_ops", "operations/s", METRIC_HIGHER, .ratio = true,
	 .summary = "operations a second of all tasks together"},
	{WIS "ns_per_op", "ns", METRIC_LOWER, .ratio = true,
	 .summary = "time of one operation of one task; on the icount machine 1 ns is 1 instruction"},
	{"hackbench.time", "s", METRIC_LOWER, .ratio = true, .kpi = true,
	 .aggregate_det = STATS_LOWER_QUARTILE,
	 .summary = "time until all messages of all groups have arrived"},
	{"pipe-test.usecs_per_op", "us", METRIC_LOWER, .ratio = true, .kpi = true,
	 .summary = "time of one round trip between two tasks through two pipes"},
	{"specjbb.TPut", "operations/s", METRIC_HIGHER, .ratio = true, .kpi = true,
	 .summary = "SPECjbb throughput of one warehouse count"},

	{PERF "task-clock", "ms", METRIC_LOWER, .ratio = true,
	 .summary = "CPU time of the benchmark and all its tasks"},
	{PERF "context-switches", "", METRIC_UNKNOWN,
	 .summary = "switches from one task to another"},
	{PERF "cpu-migrations", "", METRIC_UNKNOWN,
	 .summary = "moves of a task to another CPU"},
	{PERF "page-faults", "", METRIC_LOWER,
	 .summary = "page faults, minor and major"},
	{PERF "cycles", "", METRIC_LOWER, .ratio = true,
	 .summary = "CPU cycles"},
	{PERF "stalled-cycles-frontend", "", METRIC_LOWER,
	 .summary = "cycles in which no instruction could be fetched"},
	{PERF "stalled-cycles-backend", "", METRIC_LOWER,
	 .summary = "cycles in which no instruction could be executed"},
	{PERF "instructions", "", METRIC_LOWER, .ratio = true,
	 .summary = "instructions retired"},
	{PERF "branches", "", METRIC_LOWER, .ratio = true,
	 .summary = "branch instructions retired"},
	{PERF "branch-misses", "", METRIC_LOWER,
	 .summary = "branches that were predicted wrongly"},
	{PERF "duration_time", "ns", METRIC_LOWER, .ratio = true,
	 .summary = "wall-clock time of the iteration, start and warm-up included"},
};
/* clang-format on */

const size_t n_metrics = ARRAY_SIZE(metrics);

const struct metric *metric_find(const char *name)
{
	static const struct metric unknown = {
		.name = "", .unit = "", .summary = "not in the registry: its direction is unknown"};

	for (size_t i = 0; i < n_metrics; i++)
		if (streq(metrics[i].name, name))
			return &metrics[i];
	return &unknown;
}

void metric_set_add(struct metric_set *set, const char *name, double value)
{
	mem_grow(&set->values, &set->cap, set->n + 1, sizeof(*set->values));
	set->values[set->n++] = (struct metric_value){xstrdup(name), value};
}

void metric_set_done(struct metric_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		free(set->values[i].name);
	free(set->values);
	*set = (struct metric_set){0};
}

int metric_set_find(const struct metric_set *set, const char *name)
{
	for (size_t i = 0; i < set->n; i++)
		if (streq(set->values[i].name, name))
			return (int)i;
	return -1;
}
