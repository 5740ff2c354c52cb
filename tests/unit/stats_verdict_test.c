/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/verdict.h"

#include <float.h>

#include "tests/unit/stats_near.h"

static const struct stats_rule rule = STATS_RULE_INIT;
static const struct stats_noise none = {0, 0};
static const struct stats_noise learnt = {0.004, 20};

static struct stats_result judge(const double *d, size_t n, struct stats_noise noise,
				 const struct stats_rule *with)
{
	struct stats_result r;

	assert_int_equal(stats_verdict(d, n, noise, with, &r, NULL), 0);
	assert_int_equal(r.decided, r.verdict != STATS_UNDECIDED);
	assert_int_equal(r.n, n);
	assert_true(r.lo <= r.dbar && r.dbar <= r.hi);
	return r;
}

static void words(void **state)
{
	(void)state;
	assert_string_equal(stats_verdict_name(STATS_UNDECIDED), "undecided");
	assert_string_equal(stats_verdict_name(STATS_REGRESSION), "regression");
	assert_string_equal(stats_verdict_name(STATS_IMPROVEMENT), "improvement");
	assert_string_equal(stats_verdict_name(STATS_CLEAN), "clean");
	assert_string_equal(stats_verdict_name(STATS_INCONCLUSIVE), "inconclusive");
}

static void verdicts(void **state)
{
	static const struct {
		const char *name;
		double d[6];
		size_t n;
		struct stats_noise noise;
		enum stats_verdict want;
	} rows[] = {
		{"one block, nothing known", {0.5}, 1, {0, 0}, STATS_UNDECIDED},
		{"below n_min, however clear", {0.5, 0.5}, 2, {0.004, 20}, STATS_UNDECIDED},
		{"clear", {0.05, 0.052, 0.048}, 3, {0.004, 20}, STATS_REGRESSION},
		{"clear the other way", {-0.05, -0.052, -0.048}, 3, {0.004, 20}, STATS_IMPROVEMENT},
		{"no data: three cannot decide", {0.05, 0.05, 0.05}, 3, {0, 0}, STATS_UNDECIDED},
		{"no data: five can",
		 {0.05, 0.051, 0.05, 0.049, 0.05},
		 5,
		 {0, 0},
		 STATS_REGRESSION},
		{"nothing there", {0.001, -0.001, 0}, 3, {0.004, 20}, STATS_CLEAN},
		{"surely there, below min_effect",
		 {0.008, 0.008, 0.008, 0.008},
		 4,
		 {0.0005, 20},
		 STATS_CLEAN},
		{"a little above min_effect",
		 {0.011, 0.011, 0.011, 0.011},
		 4,
		 {0.0005, 20},
		 STATS_REGRESSION},
		{"noisy", {0.05, -0.04, 0.03}, 3, {0.05, 20}, STATS_UNDECIDED},
		{"perhaps better: not clean",
		 {-0.05, -0.01, -0.03},
		 3,
		 {0.02, 20},
		 STATS_UNDECIDED},
		{"exactly equal", {0, 0, 0}, 3, {0, 0}, STATS_CLEAN},
		{"huge", {1e300, 1e300, 1e300, 1e300, 1e300}, 5, {0, 0}, STATS_REGRESSION},
		{"tiny", {1e-300, -1e-300, 1e-300}, 3, {0.004, 20}, STATS_CLEAN},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stats_result r = judge(rows[i].d, rows[i].n, rows[i].noise, &rule);

		if (r.verdict != rows[i].want)
			print_error("%s: %s\n", rows[i].name, stats_verdict_name(r.verdict));
		assert_int_equal(r.verdict, rows[i].want);
	}
}

static void result_numbers(void **state)
{
	static const double d[] = {0.05, 0.046, 0.061, 0.039};
	struct stats_result r = judge(d, 4, (struct stats_noise){0.012, 10}, &rule);

	(void)state;
	/* See stats_evalue_test.c for where they come from. */
	assert_near(r.dbar, 0.049, 1e-14);
	assert_near(r.s, 0.011415239476580958, 1e-12);
	assert_near(r.log_e0, 9.3478040485233977, 1e-12);
	assert_near(r.lo, 0.049 - 0.020392332584977753, 1e-10);
	assert_near(r.hi, 0.049 + 0.020392332584977753, 1e-10);
	assert_int_equal(r.verdict, STATS_REGRESSION);
}

static void one_block_without_noise(void **state)
{
	static const double d[] = {0.3};
	struct stats_result r = judge(d, 1, none, &rule);

	(void)state;
	assert_true(isinf(r.lo) && isinf(r.hi));
	assert_near(r.log_e0, 0, 0);
}

static void inconclusive_at_n_max(void **state)
{
	static const double d[] = {0.05, -0.04, 0.03, -0.05};
	struct stats_rule short_rule = rule;

	(void)state;
	short_rule.n_max = 4;
	assert_int_equal(judge(d, 3, none, &short_rule).verdict, STATS_UNDECIDED);
	assert_int_equal(judge(d, 4, none, &short_rule).verdict, STATS_INCONCLUSIVE);
	short_rule.n_max = 3;
	assert_int_equal(judge(d, 4, none, &short_rule).verdict, STATS_INCONCLUSIVE);
}

static void more_kpis_ask_for_more(void **state)
{
	static const double d[] = {0.05, 0.046, 0.061, 0.039};
	static const struct stats_noise noise = {0.012, 10};
	struct stats_rule many = rule;

	(void)state;
	many.m_kpis = 12; /* E = e^9.35 = 11 470 >= 1000 m up to m = 11 */
	assert_int_equal(judge(d, 4, noise, &many).verdict, STATS_UNDECIDED);
	many.m_kpis = 11;
	assert_int_equal(judge(d, 4, noise, &many).verdict, STATS_REGRESSION);
}

static void plain_differences(void **state)
{
	static const double same[] = {70, 70, 70, 70}, more[] = {1900, 1910, 1890, 1900, 1900};
	struct stats_rule counts = rule;

	(void)state;
	counts.ratio = false;
	counts.theta = 1000;
	assert_near(stats_rule_floor(&counts), 10, 1e-15);
	assert_near(stats_rule_floor(&rule), 0.0002, 1e-15);
	assert_near(judge(same, 4, none, &counts).s, 10, 1e-15);
	assert_int_equal(judge(same, 4, none, &counts).verdict, STATS_CLEAN);
	assert_int_equal(judge(more, 5, none, &counts).verdict, STATS_REGRESSION);
}

static void min_effect(void **state)
{
	static const double d[] = {0.011, 0.011, 0.011, 0.011};
	struct stats_rule set = rule;

	(void)state;
	assert_near(stats_rule_min_effect(&rule), 0.01, 1e-15);
	set.min_effect = 0.015;
	assert_near(stats_rule_min_effect(&set), 0.015, 0);
	assert_int_equal(judge(d, 4, learnt, &rule).verdict, STATS_REGRESSION);
	assert_int_not_equal(judge(d, 4, learnt, &set).verdict, STATS_REGRESSION);
}

/* want: is it enough, evident, stable, big enough? */
static const struct {
	enum stats_verdict claim;
	int m;
	size_t n;
	double d[6];
	const char *want;
} gates[] = {
	{STATS_REGRESSION, 1, 5, {0.05, 0.051, 0.049, 0.05, 0.05}, "yyyy"},
	/* Four blocks are too few, however clear. */
	{STATS_REGRESSION, 1, 4, {0.05, 0.05, 0.05, 0.05}, "nyyy"},
	/* Twenty KPIs need a sixth. */
	{STATS_REGRESSION, 20, 5, {0.05, 0.051, 0.049, 0.05, 0.05}, "ynyy"},
	{STATS_REGRESSION, 20, 6, {0.05, 0.051, 0.049, 0.05, 0.05, 0.05}, "yyyy"},
	/* The other sign than claimed. */
	{STATS_REGRESSION, 1, 5, {-0.05, -0.051, -0.049, -0.05, -0.05}, "yyny"},
	{STATS_IMPROVEMENT, 1, 5, {-0.05, -0.051, -0.049, -0.05, -0.05}, "yyyy"},
	{STATS_IMPROVEMENT, 1, 5, {0.05, 0.051, 0.049, 0.05, 0.05}, "yyny"},
	/* One block carries it, the first or the last. */
	{STATS_REGRESSION, 1, 5, {0.5, -0.01, -0.01, 0.01, -0.01}, "ynny"},
	{STATS_IMPROVEMENT, 1, 5, {0.01, 0.01, -0.01, 0.01, -0.5}, "ynny"},
	/* Certain, but too small to matter. */
	{STATS_REGRESSION, 1, 5, {0.005, 0.005, 0.005, 0.005, 0.005}, "yyyn"},
	{STATS_REGRESSION, 1, 1, {0.05}, "nnny"},
	{STATS_REGRESSION, 1, 5, {0, 0, 0, 0, 0}, "ynnn"},
};

static void gate(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(gates); i++) {
		struct stats_rule with = rule;
		struct stats_confirmation c;
		char got[5] = "nnnn";

		with.m_kpis = gates[i].m;
		assert_int_equal(
			stats_confirm(gates[i].d, gates[i].n, gates[i].claim, &with, &c, NULL), 0);
		got[0] = c.enough ? 'y' : 'n';
		got[1] = c.evident ? 'y' : 'n';
		got[2] = c.stable ? 'y' : 'n';
		got[3] = c.big_enough ? 'y' : 'n';
		assert_string_equal(got, gates[i].want);
		assert_int_equal(c.passed, strchr(got, 'n') == NULL);
		assert_int_equal(c.n, gates[i].n);
	}
}

static void gate_refuses_other_claims(void **state)
{
	static const double d[] = {1, 1, 1, 1, 1}, bad[] = {1, NAN};
	struct stats_confirmation c = {.n = 77};
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(stats_confirm(d, 5, STATS_CLEAN, &rule, &c, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(stats_confirm(bad, 2, STATS_REGRESSION, &rule, &c, &err), -1);
	assert_int_equal(stats_confirm(d, 0, STATS_REGRESSION, &rule, &c, &err), -1);
	assert_int_equal(c.n, 77);
}

static void block_differences(void **state)
{
	static const struct {
		double base, head;
		bool higher, ratio;
		double want;
	} rows[] = {
		{100, 90, true, true, 0.10536051565782628}, /* ln(100/90) */
		{100, 90, false, true, -0.10536051565782628},
		{100, 90, true, false, 10},
		{0, 3, false, false, 3},
		{5, 5, true, true, 0},
		{1e300, 1e-300, true, true, 1381.5510557964274}, /* 600 ln 10 */
	};
	static const double bad[] = {0, -1, NAN, INFINITY};
	double got = -99;
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(stats_block_d(rows[i].base, rows[i].head, rows[i].higher,
					       rows[i].ratio, &got, NULL),
				 0);
		assert_near(got, rows[i].want, 1e-14);
	}
	got = -99;
	for (size_t i = 0; i < COUNT(bad); i++) {
		assert_int_equal(stats_block_d(bad[i], 1, true, true, &got, &err), -1);
		assert_int_equal(stats_block_d(1, bad[i], true, true, &got, &err), -1);
	}
	assert_int_equal(stats_block_d(DBL_MAX, -DBL_MAX, true, false, &got, &err), -1);
	assert_near(got, -99, 0);
}

static void readable(void **state)
{
	static const struct {
		double lo, hi;
		bool higher, ratio;
		double want_lo, want_hi;
	} rows[] = {
		/* Throughput fell: d > 0 is worse, people read a minus. */
		{0.09, 0.11, true, true, -10.416586470347177, -8.606881472877181},
		{0.09, 0.11, false, true, 9.417428370521042, 11.627807045887131},
		{-0.01, 0.02, true, true, -1.9801326693244698, 1.0050167084168057},
		{-INFINITY, INFINITY, true, true, -100, INFINITY},
		{2, 3, true, false, -3, -2},
		{2, 3, false, false, 2, 3},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double lo = 0, hi = 0;

		stats_readable_interval(rows[i].lo, rows[i].hi, rows[i].higher, rows[i].ratio, &lo,
					&hi);
		assert_near(lo, rows[i].want_lo, 1e-13);
		assert_near(hi, rows[i].want_hi, 1e-13);
	}
}

static void bad_input_is_refused(void **state)
{
	static const double d[] = {1, NAN}, infinite[] = {INFINITY};
	static const struct stats_rule rules[] = {
		{0, 0, 1e-3, 0.1, 1, 3, 30, true},     {NAN, 0, 1e-3, 0.1, 1, 3, 30, true},
		{0.02, -1, 1e-3, 0.1, 1, 3, 30, true}, {0.02, 0, 0, 0.1, 1, 3, 30, true},
		{0.02, 0, 1e-3, 1, 1, 3, 30, true},    {0.02, 0, 1e-3, 0.1, 0, 3, 30, true},
		{0.02, 0, 1e-3, 0.1, 1, 0, 30, true},  {0.02, 0, 1e-3, 0.1, 1, 3, 2, true},
		{0.02, 0, NAN, 0.1, 1, 3, 30, true},
	};
	struct stats_result r = {.n = 77};
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(stats_verdict(d, 2, none, &rule, &r, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, "NaN"));
	assert_int_equal(stats_verdict(infinite, 1, none, &rule, &r, &err), -1);
	assert_int_equal(stats_verdict(d, 0, none, &rule, &r, &err), -1);
	assert_int_equal(stats_verdict(d, 1, (struct stats_noise){NAN, 3}, &rule, &r, &err), -1);
	for (size_t i = 0; i < COUNT(rules); i++)
		assert_int_equal(stats_verdict(d, 1, none, &rules[i], &r, &err), -1);
	assert_int_equal(r.n, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(result_numbers),
		cmocka_unit_test(one_block_without_noise),
		cmocka_unit_test(inconclusive_at_n_max),
		cmocka_unit_test(more_kpis_ask_for_more),
		cmocka_unit_test(plain_differences),
		cmocka_unit_test(min_effect),
		cmocka_unit_test(gate),
		cmocka_unit_test(gate_refuses_other_claims),
		cmocka_unit_test(block_differences),
		cmocka_unit_test(readable),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
