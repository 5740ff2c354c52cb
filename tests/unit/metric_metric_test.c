/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/metric/metric.h"
#include "harness/util/str.h"

static void rows_are_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_metrics; i++) {
		const struct metric *m = &metrics[i];

		assert_non_null(strchr(m->name, '.'));
		assert_non_null(m->unit);
		assert_true(m->summary && *m->summary);
		assert_false(str_ends(m->summary, "."));
		assert_ptr_equal(metric_find(m->name), m);
	}
}

/* A KPI decides verdicts: it must have a direction and be compared in logarithms. */
static void kpis_can_decide(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < n_metrics; i++) {
		if (!metrics[i].kpi)
			continue;
		n++;
		assert_int_not_equal(metrics[i].direction, METRIC_UNKNOWN);
		assert_true(metrics[i].ratio);
		assert_false(metrics[i].percent);
	}
	assert_true(n >= 4);
}

static void registry_says(void **state)
{
	static const struct {
		const char *name;
		enum metric_direction direction;
		bool kpi, ratio;
		enum stats_aggregate aggregate, aggregate_det;
	} cases[] = {
		{"will-it-scale.per_thread_ops", METRIC_HIGHER, true, true, STATS_MEDIAN,
		 STATS_MEDIAN},
		{"will-it-scale.ns_per_op", METRIC_LOWER, false, true, STATS_MEDIAN, STATS_MEDIAN},
		{"hackbench.time", METRIC_LOWER, true, true, STATS_MEDIAN, STATS_LOWER_QUARTILE},
		{"pipe-test.usecs_per_op", METRIC_LOWER, true, true, STATS_MEDIAN, STATS_MEDIAN},
		{"specjbb.TPut", METRIC_HIGHER, true, true, STATS_MEDIAN, STATS_MEDIAN},
		{"perf-stat.context-switches", METRIC_UNKNOWN, false, false, STATS_MEDIAN,
		 STATS_MEDIAN},
		{"perf-stat.instructions", METRIC_LOWER, false, true, STATS_MEDIAN, STATS_MEDIAN},
		{"perf-stat.branch-misses", METRIC_LOWER, false, false, STATS_MEDIAN, STATS_MEDIAN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct metric *m = metric_find(cases[i].name);

		assert_string_equal(m->name, cases[i].name);
		assert_int_equal(m->direction, cases[i].direction);
		assert_int_equal(m->kpi, cases[i].kpi);
		assert_int_equal(m->ratio, cases[i].ratio);
		assert_int_equal(m->aggregate, cases[i].aggregate);
		assert_int_equal(m->aggregate_det, cases[i].aggregate_det);
	}
}

static void unknown_names_decide_nothing(void **state)
{
	const struct metric *m = metric_find("vmstat.no-such");

	(void)state;
	assert_string_equal(m->name, "");
	assert_int_equal(m->direction, METRIC_UNKNOWN);
	assert_false(m->kpi);
	assert_non_null(m->unit);
}

static void sets_grow_and_find(void **state)
{
	struct metric_set set = {0};
	char name[32];

	(void)state;
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "m.%d", i);
		metric_set_add(&set, name, i * 1.5);
	}
	assert_int_equal(set.n, 100);
	assert_int_equal(metric_set_find(&set, "m.99"), 99);
	assert_true(set.values[99].value == 148.5);
	assert_int_equal(metric_set_find(&set, "m.100"), -1);
	metric_set_done(&set);
	assert_int_equal(set.n, 0);
	assert_int_equal(metric_set_find(&set, "m.0"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(kpis_can_decide),
		cmocka_unit_test(registry_says),
		cmocka_unit_test(unknown_names_decide_nothing),
		cmocka_unit_test(sets_grow_and_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
