/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 0:2 against 2:2 is worked out by hand below; the other numbers come from mpmath 1.3. */
#include "harness/stats/failures.h"

#include "tests/unit/stats_near.h"

/*
 * M(0:2; H) = 50*51/(50.5*51.5), M(2:2; F) = (1/2*3/2)/(1*2) = 3/8,
 * M(2:4; H) = (1/2*3/2*50*51)/(50.5*51.5*52.5*53.5): E = 3/8*52.5*53.5/(3/4) = 1404.375.
 */
static void the_reference_case(void **state)
{
	double got = -1;

	(void)state;
	assert_int_equal(stats_fails_log_e((struct stats_fails){0, 2}, (struct stats_fails){2, 2},
					   &got, NULL),
			 0);
	assert_near(exp(got), 1404.375, 1e-12);
	assert_int_equal((int)exp(got), 1404);
}

static void known_cases(void **state)
{
	static const struct {
		struct stats_fails base, head;
		double want, want_any;
	} rows[] = {
		{{0, 0}, {0, 0}, 1, 1},
		{{0, 1}, {1, 1}, 51.5, 1.9801980198},
		{{0, 2}, {2, 2}, 1404.375, 5.88291838893},
		{{0, 3}, {3, 3}, 26970.6875, 19.4229686492},
		{{0, 7}, {7, 7}, 586400555.60302734, 3213.37583465},
		{{0, 10}, {1, 10}, 1.3826961976026223, 0.448492268431},
		{{0, 5}, {0, 5}, 0.25708522279629126, 0.23458786502},
		{{1, 10}, {9, 10}, 163865452.19249968, 75.1954168878},
		{{2, 2}, {0, 2}, 0.41305147058823529, 0.00173027011439},
		/* A base that fails as often: only the second one stays small. */
		{{5, 10}, {5, 10}, 24.632089364156152, 1.13032991627e-5},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double e = -99, any = -99;

		assert_int_equal(stats_fails_log_e(rows[i].base, rows[i].head, &e, NULL), 0);
		assert_near(exp(e), rows[i].want, 1e-11);
		assert_int_equal(stats_fails_log_e_any(rows[i].base, rows[i].head, &any, NULL), 0);
		assert_near(exp(any), rows[i].want_any, 1e-10);
	}
}

static void more_failures_say_more(void **state)
{
	double before = -1e9;

	(void)state;
	for (int fails = 0; fails <= 20; fails++) {
		double e = -99;

		assert_int_equal(stats_fails_log_e((struct stats_fails){0, 20},
						   (struct stats_fails){fails, 20}, &e, NULL),
				 0);
		assert_true(e > before);
		before = e;
	}
}

static double choose(int n, int k)
{
	return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

/* The mean of E when both sides fail at the same rate, over all outcomes of n runs a side. */
static double mean_e(int n, double rate,
		     int (*log_e)(struct stats_fails, struct stats_fails, double *, struct err *))
{
	double mean = 0;

	for (int i = 0; i <= n; i++)
		for (int j = 0; j <= n; j++) {
			double e = 0;

			assert_int_equal(log_e((struct stats_fails){i, n},
					       (struct stats_fails){j, n}, &e, NULL),
					 0);
			mean += choose(n, i) * choose(n, j) * pow(rate, i + j) *
				pow(1 - rate, 2 * n - i - j) * exp(e);
		}
	return mean;
}

static void mean_is_at_most_one(void **state)
{
	static const int runs[] = {1, 2, 5, 10, 20};
	static const double healthy[] = {0.0001, 0.001, 0.005},
			    any[] = {0.001, 0.03, 0.3, 0.5, 0.97};

	(void)state;
	for (size_t i = 0; i < COUNT(runs); i++) {
		for (size_t k = 0; k < COUNT(healthy); k++)
			assert_true(mean_e(runs[i], healthy[k], stats_fails_log_e) <= 1);
		for (size_t k = 0; k < COUNT(any); k++)
			assert_true(mean_e(runs[i], any[k], stats_fails_log_e_any) <= 1);
	}
}

static void large_counts(void **state)
{
	double e = NAN;

	(void)state;
	assert_int_equal(stats_fails_log_e((struct stats_fails){0, 1000000},
					   (struct stats_fails){1000000, 1000000}, &e, NULL),
			 0);
	assert_true(isfinite(e) && e > 1e5);
}

static void bad_counts_are_refused(void **state)
{
	static const struct stats_fails bad[] = {{-1, 2}, {3, 2}, {0, -1}, {0, 1000001}};
	static const struct stats_fails good = {0, 2};
	double e = -99;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err err = ERR_INIT;

		assert_int_equal(stats_fails_log_e(bad[i], good, &e, &err), -1);
		assert_int_equal(err.kind, ERR_USER);
		assert_non_null(strstr(err.msg, "base"));
		assert_int_equal(stats_fails_log_e_any(good, bad[i], &e, &err), -1);
		assert_non_null(strstr(err.msg, "head"));
	}
	assert_near(e, -99, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_reference_case),	  cmocka_unit_test(known_cases),
		cmocka_unit_test(more_failures_say_more), cmocka_unit_test(mean_is_at_most_one),
		cmocka_unit_test(large_counts),		  cmocka_unit_test(bad_counts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
