/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describing a set of values: mean, standard deviation, order statistics. Pure functions.
 *
 * Values are in the caller's unit. Every function refuses, with kind USER, an empty set and a set
 * that holds NaN or an infinity; the message names the index. Intermediate results are scaled, so
 * that values near 1e300 or 1e-300 neither overflow nor vanish; a result that would pass DBL_MAX
 * is DBL_MAX. A set of equal values has exactly that mean, and the stddev 0.
 */
#ifndef LKP_STATS_DESCR_H
#define LKP_STATS_DESCR_H

#include <stddef.h>

#include "harness/util/err.h"

/* How the iterations of a boot become the one value that stands for the boot. */
enum stats_aggregate {
	STATS_MEDIAN,
	STATS_MIN,
	STATS_LOWER_QUARTILE,
	STATS_MEAN,
};

struct stats_descr {
	size_t n;
	double mean;
	double stddev; /* of the sample: divided by n - 1; 0 for one value */
	double min, lower_quartile, median;
};

/* 0 when v holds at least one value and only finite ones. */
int stats_check(const double *v, size_t n, struct err *err);

/*
 * The aggregate of v. Between two order statistics the quantile is linear: the p-quantile of
 * n sorted values x[0..n-1] is at the position p (n - 1) (type 7 of Hyndman and Fan, The American
 * Statistician 50, 1996). v is not changed.
 */
int stats_aggregate(enum stats_aggregate kind, const double *v, size_t n, double *ret,
		    struct err *err);

int stats_mean(const double *v, size_t n, double *ret, struct err *err);

/* Sample standard deviation (n - 1); 0 for one value. */
int stats_stddev(const double *v, size_t n, double *ret, struct err *err);

/* Geometric mean; a value that is not positive is refused too. */
int stats_geomean(const double *v, size_t n, double *ret, struct err *err);

/* All of the above but the geometric mean at once. */
int stats_describe(const double *v, size_t n, struct stats_descr *ret, struct err *err);

#endif
