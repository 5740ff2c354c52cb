/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hackbench's command line: options and defaults are those of rt-tests' hackbench. */
#ifndef HACKBENCH_OPTIONS_H
#define HACKBENCH_OPTIONS_H

#include <stdbool.h>

#include "benchmarks/hackbench/channel.h"

struct options {
	unsigned int groups;
	unsigned int fds;      /* senders, and receivers, of a group */
	unsigned int loops;    /* messages from each sender to each receiver */
	unsigned int datasize; /* bytes of a message */
	bool threads;
	bool fifo; /* the main thread runs SCHED_FIFO once the workers exist */
	enum channel_kind kind;
};

/* The options in argv. -h prints the help to stdout and exits 0; a bad option prints it to stderr
 * and exits 64. */
struct options options_parse(int argc, char *argv[]);

#endif
