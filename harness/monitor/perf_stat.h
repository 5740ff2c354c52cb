/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `perf stat` printed, in any form that perf_stat.c's table recognises.
 */
#ifndef LKP_MONITOR_PERF_STAT_H
#define LKP_MONITOR_PERF_STAT_H

#include <stddef.h>

#include "harness/monitor/monitor.h"
#include "harness/util/err.h"

extern const struct monitor monitor_perf_stat;

#define PERF_STAT_CAP	     (4 << 20) /* bytes of output */
#define PERF_STAT_EVENTS_MAX METRIC_SET_MAX

enum perf_stat_status { PERF_STAT_OK, PERF_STAT_NOT_COUNTED, PERF_STAT_NOT_SUPPORTED };

/* Numbers that the output does not have are NAN. */
struct perf_stat_event {
	char *event; /* "cycles", "cycles:u" */
	double value;
	char *unit; /* "msec"; "" for plain counts */
	enum perf_stat_status status;
	double stderr_pct;  /* standard error of the mean, in percent of it */
	double running_pct; /* share of the time in which it was counted */
	struct perf_stat_derived {
		double value;
		char *unit; /* "CPUs utilized" */
	} * derived;
	size_t n_derived, cap_derived;
};

struct perf_stat {
	struct perf_stat_event *events;
	size_t n, cap;
	double elapsed_s;
	double elapsed_stderr_pct;
	int runs;      /* of -r; 0: not said */
	char *command; /* NULL: not said */
};

/* Reads n bytes. Kind BENCH, "line N: ...", when no form recognises them or they are malformed. */
int perf_stat_parse(const char *text, size_t n, struct perf_stat *ret, struct err *err);
void perf_stat_done(struct perf_stat *ps);

/* "ok", "not counted", "not supported" */
const char *perf_stat_status_name(enum perf_stat_status status);

/* For the forms: appends an event (takes the strings over) and returns it, or NULL when full. */
struct perf_stat_event *perf_stat_add(struct perf_stat *ps, char *event, char *unit);
void perf_stat_add_derived(struct perf_stat_event *event, double value, const char *unit);

#endif
