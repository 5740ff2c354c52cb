/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of a will-it-scale program. */
#ifndef WIS_DRIVER_OPTIONS_H
#define WIS_DRIVER_OPTIONS_H

#include <stdbool.h>

#define OPTIONS_TASKS_MAX 2048

struct options {
	unsigned long tasks;
	unsigned long seconds;	 /* of measurement; 0: until killed */
	unsigned long long work; /* iterations per task; 0: timed mode */
	bool smt;		 /* one SMT thread per task, not one core */
	bool no_affinity;
	const char *dir; /* for temporary files */
};

/* The options in argv. -h prints the help to stdout and exits 0; a bad option prints it to stderr
 * and exits 64. */
struct options options_parse(int argc, char *argv[]);

#endif
