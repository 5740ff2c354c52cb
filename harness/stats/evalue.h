/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence from blocks: the e-value for "the effect is D", and the confidence sequence made of it.
 * Both hold however often one looks. Pure functions.
 *
 * d_j is the difference of block j (head against base, > 0 is worse), for a ratio metric in log
 * units. With n blocks, noise s0 learnt from d0 + 1 A/A blocks, and theta the effect that matters:
 *	s^2 = (d0 s0^2 + sum (d_j - dbar)^2) / nu,  nu = d0 + n - 1,  g = theta^2 / s0^2
 *	t   = sqrt(n) (dbar - D) / s
 *	E   = (1+ng)^(-1/2) [(1 + t^2/nu) / (1 + t^2/(nu (1+ng)))]^((nu+1)/2)
 *	K   = (sqrt(1+ng) / alpha)^(2/(nu+1)),  t*^2 = nu (K-1) / (1 - K/(1+ng))
 * and the confidence sequence at level 1 - alpha is dbar +- t* s / sqrt(n). E is the Bayes factor
 * of a t test whose effect has the prior N(D, g sigma^2), under the right Haar prior for sigma.
 */
#ifndef LKP_STATS_EVALUE_H
#define LKP_STATS_EVALUE_H

#include <stddef.h>

#include "harness/util/err.h"

/* s and s0 are never taken to be less: a machine that repeats itself is not infinitely sure. */
#define STATS_FLOOR_RATIO 0.0002 /* log units: 0.02 % */
#define STATS_FREE_G	  25.0	 /* g without A/A data */
#define STATS_D0_MAX	  20	 /* A/A data count for no more than this */

/* What A/A blocks taught: the stddev of a block's difference, and its degrees of freedom. */
struct stats_noise {
	double s0;
	int d0; /* A/A blocks - 1, at most STATS_D0_MAX are counted; 0: no data, s0 is not read */
};

/* 0 when d0 is not negative and, with d0 > 0, s0 is finite and not negative; else kind USER. */
int stats_noise_check(struct stats_noise noise, struct err *err);

struct stats_seq {
	size_t n;
	double dbar;
	double s; /* s~ above, floored */
	double nu;
	double g;
};

/*
 * Sums up n >= 1 blocks. theta > 0 and s_floor > 0 are in the unit of d. Refused with kind USER:
 * n = 0, NaN or infinities, a negative s0 or d0, a theta or s_floor that is not positive and
 * finite.
 */
int stats_seq_init(const double *d, size_t n, struct stats_noise noise, double theta,
		   double s_floor, struct stats_seq *ret, struct err *err);

/* ln E_n(D). 0 (no evidence) when nu = 0; at an infinite t, E's limit. D must not be NaN. */
double stats_seq_log_e(const struct stats_seq *seq, double D);

/* e^log_e, but at most DBL_MAX. */
double stats_e_value(double log_e);

/* ln K. Here and below alpha outside (0, 1), NaN too, gives +Inf: nothing is excluded. */
double stats_seq_log_k(const struct stats_seq *seq, double alpha);

/* t*; +Inf when K >= 1 + n g: no mean, however far, can be excluded yet. */
double stats_seq_t_star(const struct stats_seq *seq, double alpha);

/* Half the width of the confidence sequence, t* s / sqrt(n); may be +Inf. */
double stats_seq_half_width(const struct stats_seq *seq, double alpha);

#endif
