/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tries a machine: boots a kernel that is known to be good with a job of no benchmarks, and says
 * how long each stage took. Nothing is stored.
 */
#ifndef LKP_ROLES_MACHINE_TEST_H
#define LKP_ROLES_MACHINE_TEST_H

#include <jansson.h>

#include "harness/config/config.h"
#include "harness/machine/machine.h"

#define MACHINE_TEST_STAGES 8

struct machine_test_stage {
	const char *name; /* "driver", "toolbox", "boot", "agent", "end", "result" */
	double seconds;	  /* wall clock */
	char what[200];	  /* printable */
};

struct machine_test {
	struct machine_test_stage
		stages[MACHINE_TEST_STAGES]; /* in order, up to the one that failed */
	size_t n;
	enum machine_status status;
	char detail[400]; /* "" when ok */
	char accel[16], accel_reason[400], version[80];
	json_t *facts; /* of the agent; NULL: none came */
};

/* `image`: NULL for a driver that does not boot. The machine is locked meanwhile: kind USER, cause
 * "locked" when it is in use. -1: the machine cannot be used at all; ret->stages are set then, too.
 */
int machine_test(const struct config *config, const struct config_machine *machine,
		 const char *image, struct machine_test *ret, struct err *err);
void machine_test_done(struct machine_test *t);

#endif
