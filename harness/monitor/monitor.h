/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registry of monitors: programs that watch an iteration. One const row each, all in
 * monitors[]. The agent starts them (harness/agent/monitors.c); this side reads what they wrote.
 */
#ifndef LKP_MONITOR_H
#define LKP_MONITOR_H

#include <stddef.h>

#include "harness/config/job.h"
#include "harness/metric/metric.h"
#include "harness/util/err.h"

struct monitor {
	const char *name;    /* "perf-stat", as in jobs */
	const char *summary; /* one line */
	const char *suffix;  /* its output is result/runs/<i>/<k>.<suffix> */
	/* Reads the output of one iteration. What was asked for but not to be had is no value: it
	 * is added to the NULL-terminated vector *ret_absent as "perf-stat.cycles: not supported".
	 * Kind BENCH with the line number when the output cannot be read. */
	int (*parse)(const char *text, size_t n, struct metric_set *ret, char ***ret_absent,
		     struct err *err);
};

extern const struct monitor *const monitors[];	      /* NULL-terminated */
const struct monitor *monitor_find(const char *name); /* or NULL */
/* Kind USER, "file: ...", when the job names a monitor that does not exist, with the nearest. */
int monitor_check_job(const struct job *job, struct err *err);

#endif
