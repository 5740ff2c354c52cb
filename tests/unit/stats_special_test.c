/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers without a comment were computed with mpmath 1.3 at 40 digits: the incomplete beta
 * from the series of 2F1(a+b, 1; a+1; x) (another formula than the code's), the normal quantile
 * by inverting erfc. Closed forms are computed here.
 */
#include "harness/stats/special.h"

#include "tests/unit/stats_near.h"

#define TOLERANCE 1e-10

static void log_gamma_and_beta(void **state)
{
	(void)state;
	assert_near(stats_lgamma(0.5), log(M_PI) / 2, 1e-15);
	assert_near(stats_lgamma(5), log(24), 1e-15);
	assert_near(stats_lgamma(1), 0, 0);
	assert_near(stats_lbeta(0.5, 0.5), log(M_PI), 1e-15);
	assert_near(stats_lbeta(2, 3), log(1.0 / 12), 1e-14);
	assert_true(isnan(stats_lgamma(0)));
	assert_true(isnan(stats_lgamma(-1.5)));
	assert_true(isnan(stats_lgamma(NAN)));
	assert_true(isnan(stats_lbeta(1, 0)));
}

static void incomplete_beta(void **state)
{
	static const struct {
		double a, b, x, want;
	} rows[] = {
		{0.5, 0.5, 0.1, 0.20483276469913346},
		{2, 3, 0.4, 0.52480000000000004},
		{0.5, 50, 0.01, 0.68269560212580242},
		{50, 0.5, 0.99, 0.31730439787419737},
		{10, 10, 0.5, 0.5},
		{3.75, 1.25, 0.999, 0.99914964409229253},
		{1000, 2000, 0.34, 0.78121509116064273},
		{10000, 0.5, 0.9999, 0.1572940177633515},
		{5000, 5000, 0.49, 0.022742032324574546},
		{20, 30, 1e-5, 2.8269718406240746e-87},
		{0.5, 1.5, 1e-12, 1.2732395447349505e-6},
		{7, 3, 0, 0},
		{7, 3, 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double got = -1, other = -1;

		assert_int_equal(stats_ibeta(rows[i].a, rows[i].b, rows[i].x, &got, NULL), 0);
		assert_near(got, rows[i].want, TOLERANCE);
		assert_int_equal(stats_ibeta(rows[i].b, rows[i].a, 1 - rows[i].x, &other, NULL), 0);
		assert_near(got + other, 1, TOLERANCE);
	}
}

/* I_x(a, 1) = x^a and I_x(1, b) = 1 - (1 - x)^b. */
static void incomplete_beta_powers(void **state)
{
	static const double shapes[] = {0.5, 1, 2.5, 17, 400, 9999};

	(void)state;
	for (size_t i = 0; i < COUNT(shapes); i++)
		for (double x = 0.03; x < 1; x += 0.07) {
			double a = shapes[i], got = -1;

			assert_int_equal(stats_ibeta(a, 1, x, &got, NULL), 0);
			assert_near(got, pow(x, a), TOLERANCE);
			assert_int_equal(stats_ibeta(1, a, x, &got, NULL), 0);
			assert_near(got, -expm1(a * log1p(-x)), TOLERANCE);
		}
}

static void student_t(void **state)
{
	static const struct {
		double t, nu, want;
	} rows[] = {
		{0, 3, 1},
		{1, 1, 0.5},
		{2.5, 3, 0.087706647008065547},
		{0.001, 7, 0.99923001724499884},
		{12.75, 4.5, 0.00010561819565685324},
		{4, 30, 0.00038184563608375684},
		{40, 30, 1.3726045194406403e-27},
		{3.29, 1000, 0.0010368589588677519},
		{1.96, 10000, 0.05002352023183305},
		{1e-8, 5, 0.9999999924078662},
		{1e6, 5, 1.8980334490921361e-29},
		{1e200, 1, 6.3661977236758136e-201},
		{1.7320508, 19, 0.09946835864456885},
		{30, 3.25, 4.3870953069590228e-5},
		{INFINITY, 3, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double got = -1, mirrored = -2;

		assert_int_equal(stats_t_p(rows[i].t, rows[i].nu, &got, NULL), 0);
		assert_near(got, rows[i].want, TOLERANCE);
		assert_int_equal(stats_t_p(-rows[i].t, rows[i].nu, &mirrored, NULL), 0);
		assert_near(got, mirrored, 0);
	}
}

/* nu = 1: 2/pi atan(1/t); nu = 2: 1 - t/sqrt(2 + t^2) = 2/(r (r + t)), r = sqrt(2 + t^2). */
static void student_t_closed(void **state)
{
	(void)state;
	for (double t = 1e-3; t < 1e6; t *= 1.7) {
		double got = -1, r = sqrt(2 + t * t);

		assert_int_equal(stats_t_p(t, 1, &got, NULL), 0);
		assert_near(got, M_2_PI * atan(1 / t), TOLERANCE);
		assert_int_equal(stats_t_p(t, 2, &got, NULL), 0);
		assert_near(got, 2 / (r * (r + t)), TOLERANCE);
	}
}

static void student_t_large_nu(void **state)
{
	double got = -1;

	(void)state;
	assert_int_equal(stats_t_p(3, 1e6, &got, NULL), 0);
	assert_near(got, erfc(3 / M_SQRT2), 1e-4); /* nearly normal */
	assert_true(got > erfc(3 / M_SQRT2));
}

static void t_quantile(void **state)
{
	static const struct {
		double p, nu, want;
	} rows[] = {
		{0.5, 1, 1},
		{0.01, 5, 4.0321429835552281},
		{0.001, 3.5, 10.20482863165588},
		{0.9, 100, 0.12598088204153965},
		{6.3661977236758136e-101, 1, 1e100},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double got = -1, p = -1;

		assert_int_equal(stats_t_quantile(rows[i].p, rows[i].nu, &got, NULL), 0);
		assert_near(got, rows[i].want, TOLERANCE);
		assert_int_equal(stats_t_p(got, rows[i].nu, &p, NULL), 0);
		assert_near(p, rows[i].p, TOLERANCE);
	}
}

static void normal_quantile(void **state)
{
	static const struct {
		double p, want;
	} rows[] = {
		{1e-300, -37.047096299361199},
		{1e-100, -21.273453560965324},
		{1e-20, -9.2623400897984076},
		{0.001, -3.0902323061678135},
		{0.025, -1.9599639845400542},
		{0.2, -0.84162123357291417},
		{0.3, -0.52440051270804082},
		{0.4999999, -2.5066282747031065e-7},
		{0.5, 0},
		{0.500001, 2.5066282747057052e-6},
		{0.75, 0.67448975019608174},
		{0.76, 0.70630256284008748},
		{0.975, 1.9599639845400539},
		{0.9999, 3.7190164854557084},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double got = -99;

		assert_int_equal(stats_normal_quantile(rows[i].p, &got, NULL), 0);
		assert_near(got, rows[i].want, 1e-13);
	}
}

static void bad_arguments(void **state)
{
	static const struct {
		double a, b, x;
	} rows[] = {
		{0, 1, 0.5},  {1, -1, 0.5}, {NAN, 1, 0.5}, {1, NAN, 0.5},    {1, 1, NAN},
		{1, 1, -0.1}, {1, 1, 1.1},  {1e7, 1, 0.5}, {1, 1, INFINITY}, {INFINITY, 1, 0.5},
	};
	static const double not_p[] = {0, 1, -1, 2, NAN, INFINITY};
	static const double not_nu[] = {0, -1, NAN, INFINITY, 2e6};
	double got = -7;
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(stats_ibeta(rows[i].a, rows[i].b, rows[i].x, &got, NULL), -1);
	for (size_t i = 0; i < COUNT(not_p); i++) {
		assert_int_equal(stats_t_quantile(not_p[i], 5, &got, NULL), -1);
		assert_int_equal(stats_normal_quantile(not_p[i], &got, NULL), -1);
	}
	for (size_t i = 0; i < COUNT(not_nu); i++) {
		assert_int_equal(stats_t_p(1, not_nu[i], &got, NULL), -1);
		assert_int_equal(stats_t_quantile(0.05, not_nu[i], &got, NULL), -1);
	}
	assert_int_equal(stats_t_p(NAN, 5, &got, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_near(got, -7, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(log_gamma_and_beta),
		cmocka_unit_test(incomplete_beta),
		cmocka_unit_test(incomplete_beta_powers),
		cmocka_unit_test(student_t),
		cmocka_unit_test(student_t_closed),
		cmocka_unit_test(student_t_large_nu),
		cmocka_unit_test(t_quantile),
		cmocka_unit_test(normal_quantile),
		cmocka_unit_test(bad_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
