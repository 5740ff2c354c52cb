/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unpaired rule, for data without blocks: Welch's test, moderated by A/A noise. It says the
 * verdict words of verdict.h, but may only be displayed. It must not be looked at repeatedly: its
 * levels hold for one look. Pure functions.
 */
#ifndef LKP_STATS_WELCH_H
#define LKP_STATS_WELCH_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/stats/verdict.h"

/* What one side is when only its summary is known, as in printed perf stat output. */
struct stats_side {
	double mean;
	double se; /* standard error of the mean, >= 0 */
	double n;  /* runs behind it, >= 2 */
};

struct stats_welch {
	enum stats_verdict verdict; /* never STATS_UNDECIDED */
	size_t n_base, n_head;
	double diff;   /* head against base, > 0 is worse; in log units for a ratio metric */
	double lo, hi; /* 95 % confidence interval of diff; -Inf, Inf when there is no variance */
	double se;     /* standard error of diff; +Inf likewise */
	double df;     /* degrees of freedom; 0 likewise */
	double p;      /* two-sided, for "no difference"; 1 likewise */
};

/*
 * Compares the boots' values y (log of the aggregate for a ratio metric) of two sides. noise is
 * that of a block's difference, so that one boot has s0 / sqrt(2); with d0 = 0 there is none.
 *
 * Per side the variance is v_i = (d0 s0^2/2 + (n_i - 1) var_i) / (d0 + n_i - 1), and
 * se^2 = v_base/n_base + v_head/n_head. Degrees of freedom by Satterthwaite's rule (Biometrics
 * Bulletin 2, 1946) over the three independent estimates in se^2, s0^2 and the two var_i; without
 * noise this is Welch's test. Each estimate has the floor of verdict.h / sqrt(2).
 *
 * regression/improvement: the 1 - alpha/m_kpis interval excludes 0 and |diff| >= min_effect; clean:
 * the 1 - clean_alpha interval is inside (-theta, theta); else inconclusive, as with one value on a
 * side and no noise. n_min and n_max are not used. Kind USER: empty side, NaN, infinities, bad
 * rule.
 */
int stats_welch(const double *base, size_t n_base, const double *head, size_t n_head,
		bool higher_is_better, struct stats_noise noise, const struct stats_rule *rule,
		struct stats_welch *ret, struct err *err);

/*
 * Welch's two-sided p from summaries. Both standard errors 0: p is 1 for equal means, else 0.
 * Kind USER: NaN, infinities, a negative se, fewer than 2 runs.
 */
int stats_welch_p(const struct stats_side *a, const struct stats_side *b, double *ret_p,
		  struct err *err);

#endif
