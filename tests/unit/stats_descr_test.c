/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/descr.h"

#include <float.h>

#include "tests/unit/stats_near.h"

#define EXACT 4e-16

static const struct {
	const char *name;
	double v[8];
	size_t n;
	struct stats_descr want;
} sets[] = {
	{"one", {42.5}, 1, {1, 42.5, 0, 42.5, 42.5, 42.5}},
	{"negative one", {-3}, 1, {1, -3, 0, -3, -3, -3}},
	{"two", {3, 1}, 2, {2, 2, M_SQRT2, 1, 1.5, 2}},
	/* Sum of squares 32 over 7. */
	{"eight", {2, 4, 4, 4, 5, 5, 7, 9}, 8, {8, 5, 2.1380899352993952, 2, 4, 4.5}},
	{"five, unsorted", {5, 1, 4, 2, 3}, 5, {5, 3, 1.5811388300841898, 1, 2, 3}},
	{"both signs", {-2, 2, -1, 1}, 4, {4, 0, 1.8257418583505537, -2, -1.25, 0}},
	{"equal", {0.1, 0.1, 0.1}, 3, {3, 0.1, 0, 0.1, 0.1, 0.1}},
	{"zeros", {0, -0.0, 0}, 3, {3, 0, 0, 0, 0, 0}},
	{"huge", {1e300, 3e300}, 2, {2, 2e300, M_SQRT2 * 1e300, 1e300, 1.5e300, 2e300}},
	{"tiny", {1e-300, 3e-300}, 2, {2, 2e-300, M_SQRT2 * 1e-300, 1e-300, 1.5e-300, 2e-300}},
	{"huge and tiny",
	 {1e300, 1e-300},
	 2,
	 {2, 5e299, M_SQRT1_2 * 1e300, 1e-300, 2.5e299, 5e299}},
	{"the ends", {DBL_MAX, -DBL_MAX}, 2, {2, 0, DBL_MAX, -DBL_MAX, -DBL_MAX / 2, 0}},
	{"far from zero",
	 {1e15 + 1, 1e15 + 2, 1e15 + 3},
	 3,
	 {3, 1e15 + 2, 1, 1e15 + 1, 1e15 + 1.5, 1e15 + 2}},
};

static void known_sets(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(sets); i++) {
		const double *v = sets[i].v;
		const struct stats_descr *want = &sets[i].want;
		struct stats_descr got;
		double x;

		assert_int_equal(stats_describe(v, sets[i].n, &got, NULL), 0);
		assert_int_equal(got.n, want->n);
		assert_near(got.mean, want->mean, EXACT);
		assert_near(got.stddev, want->stddev, EXACT);
		assert_near(got.min, want->min, 0);
		assert_near(got.lower_quartile, want->lower_quartile, EXACT);
		assert_near(got.median, want->median, EXACT);
		assert_int_equal(stats_mean(v, sets[i].n, &x, NULL), 0);
		assert_near(x, got.mean, 0);
		assert_int_equal(stats_stddev(v, sets[i].n, &x, NULL), 0);
		assert_near(x, got.stddev, 0);
	}
}

static void aggregates(void **state)
{
	static const double v[] = {10, 1, 2, 40};
	static const struct {
		enum stats_aggregate kind;
		double want;
	} rows[] = {
		{STATS_MEDIAN, 6},
		{STATS_MIN, 1},
		{STATS_LOWER_QUARTILE, 1.75},
		{STATS_MEAN, 13.25},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double got = -1;

		assert_int_equal(stats_aggregate(rows[i].kind, v, COUNT(v), &got, NULL), 0);
		assert_near(got, rows[i].want, EXACT);
	}
}

/* A plain sum of so many values is off by 1e-12. */
static void many_values(void **state)
{
	static double v[100000];
	double got = -1;

	(void)state;
	for (size_t i = 0; i < COUNT(v); i++)
		v[i] = i == 0 ? 0.3 : 0.1;
	assert_int_equal(stats_mean(v, COUNT(v), &got, NULL), 0);
	assert_near(got, 0.100002, EXACT);
	assert_int_equal(stats_stddev(v, COUNT(v), &got, NULL), 0);
	assert_near(got, 0.2 / sqrt(1e5), 1e-11); /* n a^2 (1/n)(1 - 1/n) / (n - 1) = a^2 / n */
}

static void aggregate_unknown(void **state)
{
	static const double v[] = {1};
	double got = -1;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(stats_aggregate((enum stats_aggregate)9, v, 1, &got, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_near(got, -1, 0);
}

static void geometric_mean(void **state)
{
	static const double simple[] = {1, 4, 16}, far[] = {1e300, 1e-300, 1e300, 1e-300};
	static const double equal[] = {1e300, 1e300, 1e300}, most[] = {DBL_MAX, DBL_MAX / 2};
	static const double zero[] = {1, 0}, negative[] = {1, -1};
	struct err err = ERR_INIT;
	double got = -1;

	(void)state;
	assert_int_equal(stats_geomean(simple, 3, &got, NULL), 0);
	assert_near(got, 4, 1e-15);
	assert_int_equal(stats_geomean(far, 4, &got, NULL), 0);
	assert_near(got, 1, 1e-12);
	assert_int_equal(stats_geomean(equal, 3, &got, NULL), 0);
	assert_near(got, 1e300, 0);
	assert_int_equal(stats_geomean(most, 2, &got, NULL), 0);
	assert_near(got, DBL_MAX * M_SQRT1_2, 1e-12);
	got = -1;
	assert_int_equal(stats_geomean(zero, 2, &got, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, "value 2 of 2 is 0"));
	assert_int_equal(stats_geomean(negative, 2, &got, &err), -1);
	assert_near(got, -1, 0);
}

static void not_finite_is_refused(void **state)
{
	static const double bad[] = {NAN, INFINITY, -INFINITY};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		double v[] = {1, 2, bad[i]}, got = -1;
		struct stats_descr descr = {.n = 77};
		struct err err = ERR_INIT;

		assert_int_equal(stats_describe(v, 3, &descr, &err), -1);
		assert_int_equal(descr.n, 77);
		assert_int_equal(err.kind, ERR_USER);
		assert_non_null(strstr(err.msg, "value 3 of 3"));
		for (int kind = STATS_MEDIAN; kind <= STATS_MEAN; kind++)
			assert_int_equal(stats_aggregate(kind, v, 3, &got, NULL), -1);
		assert_int_equal(stats_mean(v, 3, &got, NULL), -1);
		assert_int_equal(stats_stddev(v, 3, &got, NULL), -1);
		assert_int_equal(stats_geomean(v, 3, &got, NULL), -1);
		assert_near(got, -1, 0);
		assert_int_equal(stats_check(v, 2, NULL), 0);
	}
}

static void empty_is_refused(void **state)
{
	double got = -1;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(stats_mean(NULL, 0, &got, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(stats_stddev(NULL, 0, &got, NULL), -1);
	assert_int_equal(stats_geomean(NULL, 0, &got, NULL), -1);
	assert_near(got, -1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_sets),	    cmocka_unit_test(aggregates),
		cmocka_unit_test(many_values),	    cmocka_unit_test(aggregate_unknown),
		cmocka_unit_test(geometric_mean),   cmocka_unit_test(not_finite_is_refused),
		cmocka_unit_test(empty_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
