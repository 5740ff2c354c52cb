/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The boots of one side of one row: each boot's one value, and what the table shows of them.
 */
#ifndef LKP_JUDGE_BOOTS_H
#define LKP_JUDGE_BOOTS_H

#include "db/query.h"
#include "reports/report.h"

struct boots {
	const struct db_sample *const *samples; /* borrowed, one per boot */
	double *values;				/* the aggregate of each one's iterations */
	size_t n;
};

/* On accel icount the aggregate is the metric's aggregate_det. */
int boots_make(const struct db_sample *const *samples, size_t n, const struct metric *def,
	       struct boots *ret, struct err *err);
void boots_done(struct boots *b);

/* Mean and stddev over the boots; with a single boot, over its iterations. n >= 1. */
int boots_side(const struct boots *b, struct report_side *ret, struct err *err);

bool sample_deterministic(const struct db_sample *s);

#endif
