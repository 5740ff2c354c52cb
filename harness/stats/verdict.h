/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict on a head against its base from blocks, and the gate before a mail. Pure functions;
 * the mathematics is in evalue.h. d > 0 is worse, whatever the metric's direction.
 */
#ifndef LKP_STATS_VERDICT_H
#define LKP_STATS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/stats/evalue.h"

#define STATS_CONFIRM_BLOCKS 5 /* fresh blocks before a mail, at least */

enum stats_verdict {
	STATS_UNDECIDED, /* measure one more block */
	STATS_REGRESSION,
	STATS_IMPROVEMENT,
	STATS_CLEAN,
	STATS_INCONCLUSIVE, /* n_max reached; never to be read as clean */
};

struct stats_rule {
	double theta;	    /* the effect that matters, in d's unit */
	double min_effect;  /* least |dbar| of a change; 0: theta / 2 */
	double alpha;	    /* of all KPIs of one head together: each is judged at alpha / m_kpis */
	double clean_alpha; /* clean: the sequence at this level is inside (-theta, theta) */
	int m_kpis;	    /* KPIs judged for this head, over cases and machines */
	int n_min, n_max;   /* blocks */
	bool ratio;	    /* d is in log units; else in the metric's own unit */
};

#define STATS_RULE_INIT                                                                     \
	{                                                                                   \
		.theta = 0.02, .alpha = 1e-3, .clean_alpha = 0.10, .m_kpis = 1, .n_min = 3, \
		.n_max = 30, .ratio = true                                                  \
	}

struct stats_result {
	enum stats_verdict verdict;
	bool decided; /* anything but STATS_UNDECIDED: stop measuring */
	int n;
	double dbar;
	double lo, hi; /* 95 % confidence sequence, signed, in d's unit; -Inf, Inf: no bound yet */
	double log_e0; /* ln of the e-value against "no effect" */
	double s;      /* stddev of a block's difference, moderated and floored */
};

struct stats_confirmation {
	bool passed;	 /* all four below */
	bool enough;	 /* n >= STATS_CONFIRM_BLOCKS */
	bool evident;	 /* prior-free e-value >= m_kpis / alpha */
	bool stable;	 /* dbar has the claim's sign, and keeps it without any one block */
	bool big_enough; /* |dbar| >= min_effect */
	int n;
	double dbar;
	double log_e0;
};

/* "undecided", "regression", "improvement", "clean", "inconclusive". */
const char *stats_verdict_name(enum stats_verdict verdict);

/* 0 when the rule makes sense: theta > 0, levels in (0, 1), 1 <= n_min <= n_max, m_kpis >= 1. */
int stats_rule_check(const struct stats_rule *rule, struct err *err);

/* What min_effect means when unset, and the floor of s and s0: 0.02 %, or theta / 100 if not ratio.
 */
double stats_rule_min_effect(const struct stats_rule *rule);
double stats_rule_floor(const struct stats_rule *rule);

/* One block's d from the two boots' aggregates. A ratio metric must be positive (else kind USER).
 */
int stats_block_d(double base, double head, bool higher_is_better, bool ratio, double *ret,
		  struct err *err);

/* Judges n >= 1 blocks. From n_max blocks on, what is not decided is inconclusive. Kind USER: bad
 * input. */
int stats_verdict(const double *d, size_t n, struct stats_noise noise,
		  const struct stats_rule *rule, struct stats_result *ret, struct err *err);

/*
 * The gate before a mail: d are n fresh blocks, none of which led to the claim (REGRESSION or
 * IMPROVEMENT). Uses no A/A noise: it must hold when s0 is wrong. Failing the gate is no error.
 */
int stats_confirm(const double *d, size_t n, enum stats_verdict claim,
		  const struct stats_rule *rule, struct stats_confirmation *ret, struct err *err);

/*
 * A signed interval of d as people read it, in the metric's own direction, lower end first:
 * 100 (e^bound - 1) percent for a ratio metric, else plain differences. [-Inf, Inf] is [-100, Inf]
 * %.
 */
void stats_readable_interval(double lo, double hi, bool higher_is_better, bool ratio,
			     double *ret_lo, double *ret_hi);

#endif
