/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hackbench: groups of senders and receivers that load the scheduler. See workers.h and README.md.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/hackbench/options.h"
#include "benchmarks/hackbench/workers.h"

/* Nobody may take a torn output (full disk, closed pipe) for a measurement. */
static void flush(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return;
	fprintf(stderr, "hackbench: stdout: %s\n", strerror(errno));
	exit(1);
}

int main(int argc, char *argv[])
{
	struct options o = options_parse(argc, argv);
	unsigned long long ns;

	printf("Running in %s mode with %u groups using %u file descriptors each (== %u tasks)\n",
	       o.threads ? "threaded" : "process", o.groups, 2 * o.fds, o.groups * o.fds * 2);
	printf("Each sender will pass %u messages of %u bytes\n", o.loops, o.datasize);
	flush(); /* or every child would have the text in its buffer */
	workers_start(&o);
	ns = workers_run();
	printf("Time: %llu.%03llu\n", ns / 1000000000, ns / 1000000 % 1000);
	printf("elapsed_ns:%llu\n", ns);
	flush();
	return 0;
}
