/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One row of a comparison while it is judged: the boots behind it and what the rule says of them.
 */
#ifndef LKP_JUDGE_JUDGED_H
#define LKP_JUDGE_JUDGED_H

#include "harness/judge/compare.h"
#include "harness/judge/pairs.h"

/* How many tasks of the case can run at a time; UNKNOWN for cases of no suite of ours. */
enum tasks { TASKS_UNKNOWN, TASKS_ONE, TASKS_SEVERAL };

struct judged {
	struct report_row row;
	struct boots base, head;
	struct pairs blocks, confirm; /* deciding and confirming ones */
	bool deterministic;	      /* accel icount */
	enum tasks tasks;
	double theta;	   /* the effect that matters, as a ratio */
	double min_effect; /* the smallest reported, by the job; 0: no opinion */
	double log_e; /* evidence against "no effect", for selecting among the metrics; -Inf: none
		       */
	bool differs; /* selected as different (metrics that are no KPI) */
};

/* A row for the samples of one machine, case and metric; n_head or n_base may be 0. */
int judged_make(const struct compare_spec *spec, const struct db_sample *const *base, size_t n_base,
		const struct db_sample *const *head, size_t n_head, struct judged *ret,
		struct err *err);
void judged_done(struct judged *j);

/* Fills interval, e-value, noise, and for a KPI verdict, reason and confirmation. m: KPIs judged
 * for this head. Both sides must be there. */
int judged_decide(struct judged *j, const struct config_sampling *sampling, int m, struct err *err);

/* The verdict of a row whose sides boot the same image: "clean", whatever was measured. */
void judged_equal(struct judged *j);

/* The word for a metric that is no KPI and was selected as different; "" for an unknown direction.
 */
const char *judged_direction_word(const struct judged *j);

#endif
