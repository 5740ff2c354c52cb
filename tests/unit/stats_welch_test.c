/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers with 15 digits and more: the formulas of welch.h, computed with mpmath 1.3. */
#include "harness/stats/welch.h"

#include "tests/unit/stats_near.h"

#define TOLERANCE 1e-9

static const struct stats_rule rule = STATS_RULE_INIT;
static const struct stats_noise none = {0, 0};
static const double rates_base[] = {100.2, 99.1, 101.3, 100.6};
static const double rates_head[] = {97.0, 96.1, 98.4, 97.7, 96.9};

static struct stats_welch welch_of(const double *base, size_t n_base, const double *head,
				   size_t n_head, struct stats_noise noise)
{
	struct stats_welch w;

	assert_int_equal(stats_welch(base, n_base, head, n_head, true, noise, &rule, &w, NULL), 0);
	return w;
}

static void known_values(void **state)
{
	static const struct {
		struct stats_noise noise;
		double se, df, p, lo, hi;
		enum stats_verdict verdict;
	} rows[] = {
		{{0, 0},
		 0.0060912573397908403,
		 6.4804909500291636,
		 0.0017288309598298723,
		 0.0165486950208577,
		 0.0458305838393158,
		 STATS_INCONCLUSIVE},
		{{0.012, 10},
		 0.0057942636814842312,
		 15.794660063722022,
		 6.3746595935385413e-5,
		 0.0188933579159179,
		 0.0434859209442557,
		 STATS_REGRESSION},
	};
	double base[4], head[5];

	(void)state;
	for (int i = 0; i < 4; i++)
		base[i] = log(rates_base[i]);
	for (int i = 0; i < 5; i++)
		head[i] = log(rates_head[i]);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stats_welch w = welch_of(base, 4, head, 5, rows[i].noise), back;

		assert_near(w.diff, 0.031189639430086774, TOLERANCE);
		assert_near(w.se, rows[i].se, TOLERANCE);
		assert_near(w.df, rows[i].df, TOLERANCE);
		assert_near(w.p, rows[i].p, TOLERANCE);
		assert_near(w.lo, rows[i].lo, TOLERANCE);
		assert_near(w.hi, rows[i].hi, TOLERANCE);
		assert_int_equal(w.verdict, rows[i].verdict);
		/* The sides swapped: the mirror image. */
		back = welch_of(head, 5, base, 4, rows[i].noise);
		assert_near(back.lo, -w.hi, TOLERANCE);
		assert_int_equal(back.verdict,
				 w.verdict == STATS_REGRESSION ? STATS_IMPROVEMENT : w.verdict);
	}
}

static void lower_is_better_turns_the_sign(void **state)
{
	static const double fast[] = {1, 1.001, 0.999}, slow[] = {1.1, 1.101, 1.099};
	struct stats_welch w;

	(void)state;
	assert_int_equal(stats_welch(fast, 3, slow, 3, false, none, &rule, &w, NULL), 0);
	assert_int_equal(w.verdict, STATS_REGRESSION);
	assert_near(w.diff, 0.1, TOLERANCE);
	assert_int_equal(stats_welch(fast, 3, slow, 3, true, none, &rule, &w, NULL), 0);
	assert_int_equal(w.verdict, STATS_IMPROVEMENT);
}

static void verdicts(void **state)
{
	static const struct {
		double base[4], head[4];
		size_t n;
		struct stats_noise noise;
		enum stats_verdict want;
	} rows[] = {
		{{1, 1.001, 0.999, 1}, {1, 1.001, 0.999, 1}, 4, {0, 0}, STATS_CLEAN},
		/* Surely there, but less than min_effect (1 %). */
		{{1, 1, 1, 1}, {0.995, 0.995, 0.995, 0.995}, 4, {0, 0}, STATS_CLEAN},
		{{1, 1, 1, 1}, {0.985, 0.985, 0.985, 0.985}, 4, {0, 0}, STATS_REGRESSION},
		{{1, 1.1, 0.9, 1}, {1, 1.1, 0.9, 1}, 4, {0, 0}, STATS_INCONCLUSIVE},
		/* Two a side, the same: the floor keeps it from being infinitely sure. */
		{{1, 1}, {1, 1}, 2, {0, 0}, STATS_CLEAN},
		/* One a side: only A/A noise gives a variance. */
		{{1}, {0.8}, 1, {0, 0}, STATS_INCONCLUSIVE},
		{{1}, {0.8}, 1, {0.01, 10}, STATS_REGRESSION},
		{{1}, {1}, 1, {0.005, 10}, STATS_CLEAN},
		{{1}, {1}, 1, {0.05, 10}, STATS_INCONCLUSIVE},
		{{1e300, 1.1e300}, {1e300, 1.1e300}, 2, {0, 0}, STATS_INCONCLUSIVE},
		{{1e-300, 2e-300}, {1e-300, 2e-300}, 2, {0, 0}, STATS_CLEAN},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stats_welch w =
			welch_of(rows[i].base, rows[i].n, rows[i].head, rows[i].n, rows[i].noise);

		if (w.verdict != rows[i].want)
			print_error("row %zu\n", i);
		assert_int_equal(w.verdict, rows[i].want);
		assert_true(w.lo <= w.diff && w.diff <= w.hi);
	}
}

static void one_value_and_no_noise(void **state)
{
	static const double one[] = {1}, three[] = {1, 2, 3};
	struct stats_welch w = welch_of(one, 1, three, 3, none);

	(void)state;
	assert_true(isinf(w.lo) && isinf(w.hi) && w.lo < 0 && w.hi > 0 && isinf(w.se));
	assert_near(w.p, 1, 0);
	assert_near(w.diff, -1, 0);
	assert_int_equal(w.verdict, STATS_INCONCLUSIVE);
}

/* One boot a side: the variance of a block's difference again, with its own degrees of freedom. */
static void noise_alone(void **state)
{
	static const double one[] = {1};
	struct stats_welch w = welch_of(one, 1, one, 1, (struct stats_noise){0.01, 7});

	(void)state;
	assert_near(w.se, 0.01, TOLERANCE);
	assert_near(w.df, 7, TOLERANCE);
}

static void more_kpis_ask_for_more(void **state)
{
	static const double base[] = {1, 1.002, 0.998}, head[] = {0.97, 0.972, 0.968};
	struct stats_rule many = rule;
	struct stats_welch w = welch_of(base, 3, head, 3, none);

	(void)state;
	assert_int_equal(w.verdict, STATS_REGRESSION);
	many.m_kpis = 100;
	assert_int_equal(stats_welch(base, 3, head, 3, true, none, &many, &w, NULL), 0);
	assert_int_equal(w.verdict, STATS_INCONCLUSIVE);
}

static void summaries(void **state)
{
	static const struct stats_side a = {100, 2, 10}, b = {90, 1.5, 5}, flat = {100, 0, 3};
	static const struct stats_side bad[] = {{NAN, 1, 3}, {1, NAN, 3}, {1, -1, 3},
						{1, 1, 1},   {1, 1, NAN}, {INFINITY, 1, 3}};
	double p = -1;

	(void)state;
	assert_int_equal(stats_welch_p(&a, &b, &p, NULL), 0);
	assert_near(p, 0.0015490766679598587, TOLERANCE);
	assert_int_equal(stats_welch_p(&a, &a, &p, NULL), 0);
	assert_near(p, 1, 0);
	assert_int_equal(stats_welch_p(&flat, &flat, &p, NULL), 0);
	assert_near(p, 1, 0);
	p = -1;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(stats_welch_p(&a, &bad[i], &p, NULL), -1);
	assert_near(p, -1, 0);
}

static void bad_input_is_refused(void **state)
{
	static const double good[] = {1, 2}, bad[] = {1, NAN};
	struct stats_rule no_theta = rule;
	struct stats_welch w = {.df = 77};
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(stats_welch(good, 2, bad, 2, true, none, &rule, &w, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, "head: value 2 of 2 is NaN"));
	assert_int_equal(stats_welch(good, 0, good, 2, true, none, &rule, &w, &err), -1);
	assert_non_null(strstr(err.msg, "base"));
	assert_int_equal(
		stats_welch(good, 2, good, 2, true, (struct stats_noise){NAN, 1}, &rule, &w, &err),
		-1);
	no_theta.theta = 0;
	assert_int_equal(stats_welch(good, 2, good, 2, true, none, &no_theta, &w, &err), -1);
	assert_near(w.df, 77, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values), cmocka_unit_test(lower_is_better_turns_the_sign),
		cmocka_unit_test(verdicts),	cmocka_unit_test(one_value_and_no_noise),
		cmocka_unit_test(noise_alone),	cmocka_unit_test(more_kpis_ask_for_more),
		cmocka_unit_test(summaries),	cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
