/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registry of metrics: what each number means. One table (metric.c), nothing else in the tree
 * knows a metric's unit or direction.
 */
#ifndef LKP_METRIC_H
#define LKP_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/stats/descr.h"

enum metric_direction { METRIC_UNKNOWN, METRIC_HIGHER, METRIC_LOWER }; /* which is better */

struct metric {
	const char *name; /* "will-it-scale.per_thread_ops" */
	const char *unit; /* "operations/s" */
	enum metric_direction direction;
	bool ratio;   /* positive, compared in logarithms; else by plain difference */
	bool kpi;     /* decides verdicts; the others explain */
	bool percent; /* is a percentage: tables show the absolute difference */
	enum stats_aggregate aggregate;	    /* of the iterations in a boot */
	enum stats_aggregate aggregate_det; /* the same on the deterministic machine */
	const char *summary;		    /* one line */
};

extern const struct metric metrics[];
extern const size_t n_metrics;

/* The row; a name that is not in the registry gives a row with unknown direction, no KPI (a pointer
 * to a static fallback row whose name is ""). Never NULL. */
const struct metric *metric_find(const char *name);

/* Values of one iteration: parallel arrays that a parser fills. */
struct metric_set {
	struct metric_value {
		char *name;
		double value;
	} * values;
	size_t n, cap;
};

#define METRIC_SET_MAX 1000 /* values in a set; more are refused by the parsers */

void metric_set_add(struct metric_set *set, const char *name, double value);
void metric_set_done(struct metric_set *set);
/* The value's index, or -1. */
int metric_set_find(const struct metric_set *set, const char *name);

#endif
