/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/special.h"

#include <float.h>
#include <math.h>

#define SHAPE_MAX 1e6
#define LENTZ_MAX 100000
#define TINY	  1e-290

double stats_lgamma(double x)
{
	int sign;

	return x > 0 ? lgamma_r(x, &sign) : NAN;
}

double stats_lbeta(double a, double b)
{
	return stats_lgamma(a) + stats_lgamma(b) - stats_lgamma(a + b);
}

/* Coefficient d_j of DLMF 8.17.22, j >= 1. */
static double fraction_term(double a, double b, double x, int j)
{
	double m = j / 2;

	if (j % 2 == 0)
		return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
	return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
}

/* 1 + d_1/(1 + d_2/(1 + ...)); NaN when it does not settle. */
static double fraction(double a, double b, double x)
{
	double f = 1, c = 1, d = 0;

	for (int j = 1; j < LENTZ_MAX; j++) {
		double term = fraction_term(a, b, x, j), step;

		d = 1 + term * d;
		c = 1 + term / c;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = fabs(c) < TINY ? TINY : c;
		step = c * d;
		f *= step;
		if (fabs(step - 1) < DBL_EPSILON)
			return f;
	}
	return NAN;
}

/* A point of [0, 1] from both its ends, with logarithms: near an end one of them would be lost. */
struct unit_point {
	double x, log_x, y, log_y; /* y = 1 - x */
};

static double ibeta_at(double a, double b, struct unit_point p)
{
	double front;

	if (p.x <= 0 && isinf(p.log_x))
		return 0;
	if (p.y <= 0 && isinf(p.log_y))
		return 1;
	front = a * p.log_x + b * p.log_y - stats_lbeta(a, b);
	if (p.x < (a + 1) / (a + b + 2))
		return exp(front - log(a)) / fraction(a, b, p.x);
	return 1 - exp(front - log(b)) / fraction(b, a, p.y);
}

int stats_ibeta(double a, double b, double x, double *ret, struct err *err)
{
	double value;

	if (!(a > 0 && a <= SHAPE_MAX && b > 0 && b <= SHAPE_MAX && x >= 0 && x <= 1))
		return err_set(
			err, ERR_USER,
			"incomplete beta I_%g(%g, %g): x must be in 0..1, a and b in (0, 1e6]", x,
			a, b);
	value = ibeta_at(
		a, b, (struct unit_point){.x = x, .log_x = log(x), .y = 1 - x, .log_y = log1p(-x)});
	if (isnan(value))
		return err_set(err, ERR_USER, "incomplete beta I_%g(%g, %g) does not converge", x,
			       a, b);
	*ret = value;
	return 0;
}

static double t_tails(double t, double nu)
{
	double u = fabs(t) / sqrt(nu), log_root = log(hypot(1, u));
	double root = exp(-log_root);
	/* x = 1/(1 + u^2): squaring u itself would overflow for a huge t. */
	struct unit_point p = {
		.x = root * root,
		.log_x = u < 1 ? -log1p(u * u) : -2 * log_root,
		.y = u * root * (u * root),
		.log_y = 2 * (log(u) - log_root),
	};

	if (isinf(u))
		return 0;
	return u > 0 ? ibeta_at(nu / 2, 0.5, p) : 1;
}

int stats_t_p(double t, double nu, double *ret, struct err *err)
{
	double value;

	if (isnan(t) || !(nu > 0 && nu <= SHAPE_MAX))
		return err_set(
			err, ERR_USER,
			"Student's t at %g with %g degrees of freedom: they must be in (0, 1e6]", t,
			nu);
	value = t_tails(t, nu);
	if (isnan(value))
		return err_set(err, ERR_USER,
			       "Student's t at %g with %g degrees of freedom does not converge", t,
			       nu);
	*ret = value;
	return 0;
}

int stats_t_quantile(double p, double nu, double *ret, struct err *err)
{
	double low = log(1e-20), high = log(1e280);

	if (!(p >= 1e-200 && p < 1) || !(nu >= 1 && nu <= SHAPE_MAX))
		return err_set(
			err, ERR_USER,
			"t quantile at p = %g, nu = %g: p must be in [1e-200, 1), nu in 1..1e6", p,
			nu);
	while (high - low > 2e-16 * fmax(1, fabs(low))) {
		double mid = low + (high - low) / 2;

		if (mid <= low || mid >= high)
			break;
		if (t_tails(exp(mid), nu) > p)
			low = mid;
		else
			high = mid;
	}
	*ret = exp(low + (high - low) / 2);
	return 0;
}

/* z >= 0 with Phi(z) - 1/2 = half, for half up to about 1/4, where this form keeps its digits. */
static double quantile_centre(double half)
{
	double z = half * sqrt(2 * M_PI);

	for (int i = 0; i < 20; i++) {
		double step = (0.5 * erf(z * M_SQRT1_2) - half) * sqrt(2 * M_PI) * exp(z * z / 2);

		z -= step;
		if (fabs(step) <= 2 * DBL_EPSILON * z)
			break;
	}
	return z;
}

/* z > 0 with 1 - Phi(z) = tail. ln(1 - Phi) is nearly a parabola: Newton's steps are safe on it. */
static double quantile_tail(double tail)
{
	double z = sqrt(-2 * log(2 * tail));

	for (int i = 0; i < 50; i++) {
		double q = 0.5 * erfc(z * M_SQRT1_2);
		double slope = exp(-z * z / 2) / sqrt(2 * M_PI) / q;
		double step = (log(q) - log(tail)) / slope;

		z += step;
		if (fabs(step) <= 4 * DBL_EPSILON * z)
			break;
	}
	return z;
}

int stats_normal_quantile(double p, double *ret, struct err *err)
{
	double half = fabs(p - 0.5), tail = p < 0.5 ? p : 1 - p, z;

	if (!(p >= 1e-300 && p < 1))
		return err_set(err, ERR_USER, "normal quantile at %g: p must be in [1e-300, 1)", p);
	z = half < 0.25 ? quantile_centre(half) : quantile_tail(tail);
	*ret = p < 0.5 ? -z : z;
	return 0;
}
