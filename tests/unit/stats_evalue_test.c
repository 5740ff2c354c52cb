/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers with 17 digits: the formulas of evalue.h, computed with mpmath 1.3 at 40 digits. */
#include "harness/stats/evalue.h"

#include <float.h>
#include <stdbool.h>

#include "tests/unit/stats_near.h"

#define THETA	  0.02
#define FLOOR	  STATS_FLOOR_RATIO
#define TOLERANCE 1e-12

static const double four[] = {0.05, 0.046, 0.061, 0.039};
static const struct stats_noise none = {0, 0};

static struct stats_seq seq_of(const double *d, size_t n, struct stats_noise noise)
{
	struct stats_seq seq;

	assert_int_equal(stats_seq_init(d, n, noise, THETA, FLOOR, &seq, NULL), 0);
	return seq;
}

static void formulas(void **state)
{
	static const double alphas[] = {0.001, 0.05, 0.1};
	static const struct {
		struct stats_noise noise;
		double s, nu, g, log_e0, log_e_theta, log_k[3], t_star[3], half[3];
	} rows[] = {
		{{0.012, 10},
		 0.011415239476580958,
		 13,
		 2.7777777777777778,
		 9.3478040485233977,
		 5.3472453596533006,
		 {1.1649738473469427, 0.60611341800006473, 0.50709239220578683},
		 {6.2449215019155149, 3.5728260676114302, 3.1543794324902935},
		 {0.035643637228407617, 0.020392332584977753, 0.018003998310939119}},
		{{99, 0},
		 0.0092014491612281736,
		 3,
		 25,
		 4.373862484101158,
		 2.7586908950211093,
		 {4.6076577687013834, 2.6516462659873103, 2.3050726757073377},
		 {200.11710294570646, 6.7813945030737113, 5.4825351193497731},
		 {0.92068367452359139, 0.031199328381132474, 0.025223634087672487}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stats_seq seq = seq_of(four, 4, rows[i].noise);

		assert_near(seq.dbar, 0.049, 1e-15);
		assert_near(seq.s, rows[i].s, TOLERANCE);
		assert_near(seq.nu, rows[i].nu, 0);
		assert_near(seq.g, rows[i].g, TOLERANCE);
		assert_near(stats_seq_log_e(&seq, 0), rows[i].log_e0, TOLERANCE);
		assert_near(stats_seq_log_e(&seq, THETA), rows[i].log_e_theta, TOLERANCE);
		for (size_t k = 0; k < COUNT(alphas); k++) {
			double a = alphas[k];

			assert_near(stats_seq_log_k(&seq, a), rows[i].log_k[k], TOLERANCE);
			assert_near(stats_seq_t_star(&seq, a), rows[i].t_star[k], 1e-10);
			assert_near(stats_seq_half_width(&seq, a), rows[i].half[k], 1e-10);
		}
	}
}

/* E(D) = 1/alpha exactly on the edge of the sequence: the two are one statement. */
static void edge_of_the_sequence(void **state)
{
	static const double alphas[] = {1e-6, 1e-3, 0.05, 0.1, 0.5};
	static const struct stats_noise noise = {0.01, 15};

	(void)state;
	for (size_t i = 0; i < COUNT(alphas); i++) {
		struct stats_seq seq = seq_of(four, 4, noise);
		double half = stats_seq_half_width(&seq, alphas[i]);

		assert_near(stats_seq_log_e(&seq, seq.dbar + half), -log(alphas[i]), 1e-10);
		assert_near(stats_seq_log_e(&seq, seq.dbar - half), -log(alphas[i]), 1e-10);
	}
}

static void smaller_alpha_contains_larger(void **state)
{
	static const struct stats_noise noises[] = {{0, 0}, {0.002, 1}, {0.01, 20}, {0.1, 5}};

	(void)state;
	for (size_t i = 0; i < COUNT(noises); i++)
		for (size_t n = 1; n <= 4; n++) {
			struct stats_seq seq = seq_of(four, n, noises[i]);
			double wider = INFINITY;

			for (double alpha = 1e-9; alpha < 0.99; alpha *= 1.5) {
				double half = stats_seq_half_width(&seq, alpha);

				assert_true(half <= wider && half > 0);
				wider = half;
			}
		}
}

static void e_falls_towards_dbar(void **state)
{
	struct stats_seq seq = seq_of(four, 4, none);
	double before = stats_seq_log_e(&seq, -1);

	(void)state;
	for (double D = -0.9; D <= seq.dbar; D += 0.05) {
		double e = stats_seq_log_e(&seq, D);

		assert_true(e < before);
		before = e;
	}
	/* At dbar itself it is the least: -ln(1 + n g)/2. */
	assert_near(stats_seq_log_e(&seq, seq.dbar), -log(101) / 2, TOLERANCE);
}

static void one_block_without_noise_says_nothing(void **state)
{
	static const double d[] = {5};
	struct stats_seq seq = seq_of(d, 1, none);

	(void)state;
	assert_near(seq.nu, 0, 0);
	assert_near(seq.s, FLOOR, 0);
	assert_near(stats_seq_log_e(&seq, 0), 0, 0);
	assert_near(stats_e_value(stats_seq_log_e(&seq, 0)), 1, 0);
	assert_true(isinf(stats_seq_half_width(&seq, 0.5)));
}

/* Without A/A data one KPI can be decided from n = 4 (barely), twenty not even at n = 5. */
static void first_n_that_can_decide(void **state)
{
	static const struct {
		size_t n;
		double alpha;
		bool finite;
	} rows[] = {
		{3, 1e-3, false},     {4, 1e-3, true},	     {4, 1e-3 / 2, false}, {5, 1e-3, true},
		{5, 1e-3 / 15, true}, {5, 1e-3 / 20, false}, {6, 1e-3 / 20, true},
	};
	static const double d[] = {0.05, 0.046, 0.061, 0.039, 0.052, 0.048};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stats_seq seq = seq_of(d, rows[i].n, none);

		assert_int_equal(isfinite(stats_seq_half_width(&seq, rows[i].alpha)) != 0,
				 rows[i].finite);
	}
}

static void floors_and_caps(void **state)
{
	static const double equal[] = {0.001, 0.001, 0.001};
	struct stats_seq seq = seq_of(equal, 3, none);

	(void)state;
	assert_near(seq.s, FLOOR, 0);
	assert_true(isfinite(stats_seq_log_e(&seq, 0)));
	/* s0 = 0 is the floor too, and decides g. */
	seq = seq_of(equal, 3, (struct stats_noise){0, 10});
	assert_near(seq.s, FLOOR, 0);
	assert_near(seq.g, THETA / FLOOR * (THETA / FLOOR), TOLERANCE);
	/* A thousand A/A blocks count for twenty degrees of freedom. */
	seq = seq_of(equal, 3, (struct stats_noise){0.01, 1000});
	assert_near(seq.nu, STATS_D0_MAX + 2, 0);
}

static void extremes(void **state)
{
	static const double huge[] = {1e300, 1.1e300, 0.9e300, 1e300, 1e300};
	static const double same[] = {DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX};
	static const double tiny[] = {1e-300, 3e-300, -1e-300};
	struct stats_seq seq = seq_of(huge, 5, none);

	(void)state;
	assert_near(seq.s, sqrt(0.005) * 1e300, TOLERANCE);
	assert_true(stats_seq_log_e(&seq, 0) > log(1000));
	assert_true(isfinite(stats_seq_half_width(&seq, 1e-3)));
	/* t is infinite here: E has the limit (1 + n g)^(nu/2). */
	seq = seq_of(same, 5, none);
	assert_near(stats_seq_log_e(&seq, 0), 2 * log(126), TOLERANCE);
	seq = seq_of(tiny, 3, none);
	assert_near(seq.s, FLOOR, 0);
	assert_true(stats_seq_log_e(&seq, 0) < 0);
	/* Noise so large that theta cannot be seen: nothing is ever excluded. */
	seq = seq_of(four, 4, (struct stats_noise){1e300, 20});
	assert_true(isinf(stats_seq_half_width(&seq, 0.1)));
	assert_near(stats_seq_log_e(&seq, 0), 0, 0);
	assert_near(stats_e_value(1e6), DBL_MAX, 0);
	assert_near(stats_e_value(log(1404)), 1404, TOLERANCE);
	assert_near(stats_e_value(-1e6), 0, 0);
}

static void bad_alpha_excludes_nothing(void **state)
{
	static const double alphas[] = {0, 1, -1, 2, NAN, INFINITY};
	struct stats_seq seq = seq_of(four, 4, none);

	(void)state;
	for (size_t i = 0; i < COUNT(alphas); i++)
		assert_true(isinf(stats_seq_half_width(&seq, alphas[i])));
}

static void bad_input_is_refused(void **state)
{
	static const struct {
		double value;
		size_t n;
		struct stats_noise noise;
		double theta, floor;
	} rows[] = {
		{1, 0, {0, 0}, THETA, FLOOR},	     {NAN, 1, {0, 0}, THETA, FLOOR},
		{INFINITY, 1, {0, 0}, THETA, FLOOR}, {1, 1, {NAN, 1}, THETA, FLOOR},
		{1, 1, {-1, 1}, THETA, FLOOR},	     {1, 1, {INFINITY, 1}, THETA, FLOOR},
		{1, 1, {1, -1}, THETA, FLOOR},	     {1, 1, {0, 0}, 0, FLOOR},
		{1, 1, {0, 0}, NAN, FLOOR},	     {1, 1, {0, 0}, THETA, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stats_seq seq = {.n = 77};
		struct err err = ERR_INIT;

		assert_int_equal(stats_seq_init(&rows[i].value, rows[i].n, rows[i].noise,
						rows[i].theta, rows[i].floor, &seq, &err),
				 -1);
		assert_int_equal(err.kind, ERR_USER);
		assert_int_equal(seq.n, 77);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas),
		cmocka_unit_test(edge_of_the_sequence),
		cmocka_unit_test(smaller_alpha_contains_larger),
		cmocka_unit_test(e_falls_towards_dbar),
		cmocka_unit_test(one_block_without_noise_says_nothing),
		cmocka_unit_test(first_n_that_can_decide),
		cmocka_unit_test(floors_and_caps),
		cmocka_unit_test(extremes),
		cmocka_unit_test(bad_alpha_excludes_nothing),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
