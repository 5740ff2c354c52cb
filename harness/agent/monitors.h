/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the agent puts a benchmark under a monitor. harness/monitor/ reads what they write.
 */
#ifndef LKP_AGENT_MONITORS_H
#define LKP_AGENT_MONITORS_H

#include <stddef.h>

struct agent_monitor {
	const char *name;   /* "perf-stat", as in job.json */
	const char *suffix; /* its output is runs/<i>/<k>.<suffix> */
	/* Appends the command that goes in front of the benchmark's and writes to `out`. -1: it is
	 * not installed here. */
	int (*wrap)(const char *toolbox, const char *out, char ***argv);
};

extern const struct agent_monitor agent_monitors[];		  /* ends with name == NULL */
const struct agent_monitor *agent_monitor_find(const char *name); /* or NULL */

/* Appends the command that starts perf: the toolbox's by its own loader, else this machine's; -1:
 * none. */
int agent_monitor_perf(const char *toolbox, char ***argv);

#endif
