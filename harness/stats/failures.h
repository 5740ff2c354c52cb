/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence from failures (does not build, boot, or survive; the benchmark fails): fail:runs of two
 * sides, compared by beta-binomial e-values. One may look after every boot. Pure functions.
 *
 * With M(f, n; a, b) = B(a + f, b + n - f) / B(a, b), the chance of one sequence of n runs with f
 * failures under a rate drawn from Beta(a, b); H = Beta(1/2, 50) healthy, F = Beta(1/2, 1/2)
 * failing.
 */
#ifndef LKP_STATS_FAILURES_H
#define LKP_STATS_FAILURES_H

#include "harness/util/err.h"

struct stats_fails {
	int fails, runs; /* 0 <= fails <= runs <= 1 000 000 */
};

/*
 * ln of E = M(base; H) M(head; F) / M(base + head; H): "the head fails, the base is healthy"
 * against "both are healthy, with one rate". 0:2 against 2:2 gives 1404.375. To ask whether a
 * failure was fixed, swap the sides. Kind USER: counts outside the range above.
 *
 * It is an e-value while both share a rate that is a healthy one (drawn from H; at a fixed rate the
 * mean of E stays below 1 up to 0.5 %). When the *base* fails often, a large E does not mean
 * that the head is worse: then use stats_fails_log_e_any().
 */
int stats_fails_log_e(struct stats_fails base, struct stats_fails head, double *ret,
		      struct err *err);

/*
 * The same against "both have one rate, whichever": the denominator is the largest likelihood of
 * one shared rate, so that E is an e-value at every rate (universal inference: Wasserman, Ramdas
 * and Balakrishnan, PNAS 117, 2020). It needs more boots: 0:2 against 2:2 gives 5.88, 0:7 against
 * 7:7 3226.
 */
int stats_fails_log_e_any(struct stats_fails base, struct stats_fails head, double *ret,
			  struct err *err);

#endif
