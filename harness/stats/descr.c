/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/descr.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define SIGN_BIT (UINT64_C(1) << 63)

int stats_check(const double *v, size_t n, struct err *err)
{
	if (n == 0)
		return err_set(err, ERR_USER, "no values to describe: at least one is needed");
	for (size_t i = 0; i < n; i++)
		if (!isfinite(v[i]))
			return err_set(err, ERR_USER,
				       "value %zu of %zu is %s: leave out what was not measured",
				       i + 1, n, isnan(v[i]) ? "NaN" : "infinite");
	return 0;
}

static bool all_equal(const double *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i] != v[0])
			return false;
	return true;
}

/* e such that every |v| * 2^-e is below 1. */
static int scale_of(const double *v, size_t n)
{
	double most = 0;
	int e = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(v[i]));
	frexp(most, &e);
	return e;
}

static double unscale(double x, int e)
{
	return fmax(-DBL_MAX, fmin(DBL_MAX, ldexp(x, e)));
}

/* The mean of v * 2^-e; the second pass takes back what the first one's rounding lost. */
static double scaled_mean(const double *v, size_t n, int e)
{
	double sum = 0, rest = 0, mean;

	for (size_t i = 0; i < n; i++)
		sum += ldexp(v[i], -e);
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		rest += ldexp(v[i], -e) - mean;
	return mean + rest / (double)n;
}

static double mean_of(const double *v, size_t n)
{
	int e = scale_of(v, n);

	return all_equal(v, n) ? v[0] : unscale(scaled_mean(v, n, e), e);
}

static double stddev_of(const double *v, size_t n)
{
	int e = scale_of(v, n);
	double mean, squares = 0;

	if (all_equal(v, n))
		return 0;
	mean = scaled_mean(v, n, e);
	for (size_t i = 0; i < n; i++) {
		double x = ldexp(v[i], -e) - mean;

		squares += x * x;
	}
	return unscale(sqrt(squares / (double)(n - 1)), e);
}

/* Doubles as integers in the same order: negative ones count down. */
static uint64_t order_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits & SIGN_BIT ? ~bits : bits | SIGN_BIT;
}

static double from_order(uint64_t order)
{
	uint64_t bits = order & SIGN_BIT ? order & ~SIGN_BIT : ~order;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x + 0.0; /* -0 becomes 0 */
}

/* The k-th smallest value (k from 0), found bit by bit: needs no copy and no memory. */
static double kth(const double *v, size_t n, size_t k)
{
	uint64_t low = 0, high = UINT64_MAX;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;
		size_t below = 0;

		for (size_t i = 0; i < n; i++)
			below += order_of(v[i]) <= mid;
		if (below > k)
			high = mid;
		else
			low = mid + 1;
	}
	return from_order(low);
}

static double quantile(const double *v, size_t n, double p)
{
	double at = p * (double)(n - 1), part = at - floor(at);
	size_t k = (size_t)at;
	double a = kth(v, n, k), b = part > 0 ? kth(v, n, k + 1) : a;

	if (a == b)
		return a;
	/* b - a may overflow when the signs differ; the other form loses bits when they agree. */
	return (a < 0) != (b < 0) ? a * (1 - part) + b * part : a + (b - a) * part;
}

int stats_aggregate(enum stats_aggregate kind, const double *v, size_t n, double *ret,
		    struct err *err)
{
	if (stats_check(v, n, err))
		return -1;
	switch (kind) {
	case STATS_MEDIAN:
		*ret = quantile(v, n, 0.5);
		return 0;
	case STATS_MIN:
		*ret = kth(v, n, 0);
		return 0;
	case STATS_LOWER_QUARTILE:
		*ret = quantile(v, n, 0.25);
		return 0;
	case STATS_MEAN:
		*ret = mean_of(v, n);
		return 0;
	}
	return err_set(err, ERR_USER, "unknown aggregate %d: use the values of stats_aggregate",
		       (int)kind);
}

int stats_mean(const double *v, size_t n, double *ret, struct err *err)
{
	return stats_aggregate(STATS_MEAN, v, n, ret, err);
}

int stats_stddev(const double *v, size_t n, double *ret, struct err *err)
{
	if (stats_check(v, n, err))
		return -1;
	*ret = stddev_of(v, n);
	return 0;
}

int stats_geomean(const double *v, size_t n, double *ret, struct err *err)
{
	double sum = 0, rest = 0, mean;

	if (stats_check(v, n, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (v[i] <= 0)
			return err_set(
				err, ERR_USER,
				"value %zu of %zu is %g: a geometric mean needs positive values",
				i + 1, n, v[i]);
		sum += log(v[i]);
	}
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		rest += log(v[i]) - mean;
	*ret = all_equal(v, n) ? v[0] : fmin(DBL_MAX, exp(mean + rest / (double)n));
	return 0;
}

int stats_describe(const double *v, size_t n, struct stats_descr *ret, struct err *err)
{
	if (stats_check(v, n, err))
		return -1;
	*ret = (struct stats_descr){
		.n = n,
		.mean = mean_of(v, n),
		.stddev = stddev_of(v, n),
		.min = kth(v, n, 0),
		.lower_quartile = quantile(v, n, 0.25),
		.median = quantile(v, n, 0.5),
	};
	return 0;
}
