/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the machine around a run: the "setup" object of job.json. Each key is a row of a
 * table in setup.c. What cannot be set here is remembered by name, never an error: it is a fact
 * about the run.
 */
#ifndef LKP_AGENT_SETUP_H
#define LKP_AGENT_SETUP_H

#include <jansson.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/util/err.h"

struct setup {
	struct setup_change { /* a kernel file that was written, and what it held */
		char *path, *old;
	} * changes;
	size_t n_changes, cap;
	bool affinity_set;
	cpu_set_t affinity; /* ours before "taskset" */
	char **missing;	    /* NULL-terminated: "governor", "sysctl.kernel.x"; NULL: none */
};

#define SETUP_INIT \
	{          \
		0  \
	}

/* Applies every key of `json` (an object, or NULL) to this machine. Kind USER for an unknown key, a
 * wrong type or a malformed value; what was changed until then is in *setup in any case. */
int setup_apply(struct setup *setup, const json_t *json, struct err *err);

/* Puts everything back, in reverse order, and releases *setup. */
void setup_restore(struct setup *setup);

/* Remembers that this could not be had. */
void setup_add_missing(struct setup *setup, const char *name);

#endif
