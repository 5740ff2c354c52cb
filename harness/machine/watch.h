/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the process that is a machine, its console on stdout, until it ends or must be ended.
 */
#ifndef LKP_WATCH_H
#define LKP_WATCH_H

#include <stdbool.h>

#include "harness/machine/machine.h"

/* What tells more of an end than the console's rules. */
struct watch_exit {
	/* Anywhere in what the console explained, else on the stderr of a process that ended by
	 * itself (or that we stopped) while the console explained nothing. NULL ends the rows. */
	const char *text;
	bool on_console, stopped_too;
	enum machine_status status;
	const char *detail;
};

struct watch_spec {
	const struct machine_boot *boot; /* folder (also the working one), deadline, silence */
	char *const *argv;
	const char *const *env; /* NULL: ours */
	const char *name;	/* "QEMU", for messages */
	/* The process ends with status 0 when the guest restarts, which the console then explains.
	 * Else every end that the console does not explain is our failure. */
	bool guest;
	const char *share; /* folder that the machine writes into; NULL: none. See share_over() */
	const struct watch_exit *exits; /* tried in order; NULL: none */
};

/* Writes console.log and fills status, detail, seconds and init_seconds of *end. -1: not started,
 * or the console could not be kept. */
int watch_run(const struct watch_spec *spec, struct machine_end *end, struct err *err);

#endif
