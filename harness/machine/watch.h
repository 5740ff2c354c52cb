/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the process that is a machine, its console on stdout, until it ends or must be ended.
 */
#ifndef LKP_WATCH_H
#define LKP_WATCH_H

#include <stdbool.h>

#include "harness/machine/machine.h"

struct watch_spec {
	const struct machine_boot *boot; /* folder (also the working one), deadline, silence */
	char *const *argv;
	const char *const *env; /* NULL: ours */
	const char *name;	/* "QEMU", for messages */
	/* The process ends with status 0 when the guest restarts, which the console then explains.
	 * Else every end that the console does not explain is our failure. */
	bool guest;
};

/* Writes console.log and fills status, detail, seconds and init_seconds of *end. -1: not started,
 * or the console could not be kept. */
int watch_run(const struct watch_spec *spec, struct machine_end *end, struct err *err);

#endif
