/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "benchmarks/hackbench/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#define EXIT_USAGE 64
#define NUMBER_MAX 100000000UL
#define TASKS_MAX  1000000UL

static const char help[] =
	"usage: hackbench [options]\n"
	"\n"
	"  -f, --fds=NUM        senders, and receivers, in a group (default 20)\n"
	"  -F, --fifo           SCHED_FIFO for the main thread once the workers exist\n"
	"  -g, --groups=NUM     groups (default 10)\n"
	"  -h, --help           this help\n"
	"  -l, --loops=NUM      messages from each sender to each receiver (default 100)\n"
	"  -p, --pipe           pipes (default: local sockets)\n"
	"  -i, --inet           TCP connections over the loopback device\n"
	"  -s, --datasize=NUM   bytes in a message (default 100)\n"
	"  -T, --threads        workers are threads\n"
	"  -P, --process        workers are processes (default)\n";

static const struct option long_options[] = {
	{"fds", required_argument, NULL, 'f'},	  {"fifo", no_argument, NULL, 'F'},
	{"groups", required_argument, NULL, 'g'}, {"help", no_argument, NULL, 'h'},
	{"loops", required_argument, NULL, 'l'},  {"pipe", no_argument, NULL, 'p'},
	{"inet", no_argument, NULL, 'i'},	  {"datasize", required_argument, NULL, 's'},
	{"threads", no_argument, NULL, 'T'},	  {"process", no_argument, NULL, 'P'},
	{"processes", no_argument, NULL, 'P'},	  {NULL, 0, NULL, 0},
};

static void usage(void) __attribute__((noreturn));
static void usage(void)
{
	fputs(help, stderr);
	exit(EXIT_USAGE);
}

static unsigned int number(int option)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(optarg, &end, 10);
	if (*optarg >= '0' && *optarg <= '9' && !*end && !errno && n > 0 && n <= NUMBER_MAX)
		return (unsigned int)n;
	fprintf(stderr, "hackbench: -%c wants a number from 1 to %lu, not '%s'\n", option,
		NUMBER_MAX, optarg);
	usage();
}

static void set_option(struct options *o, int c)
{
	switch (c) {
	case 'f':
		o->fds = number(c);
		break;
	case 'F':
		o->fifo = true;
		break;
	case 'g':
		o->groups = number(c);
		break;
	case 'l':
		o->loops = number(c);
		break;
	case 'p':
		o->kind = CHANNEL_PIPE;
		break;
	case 'i':
		o->kind = CHANNEL_INET;
		break;
	case 's':
		o->datasize = number(c);
		break;
	case 'T':
		o->threads = true;
		break;
	case 'P':
		o->threads = false;
		break;
	case 'h':
		fputs(help, stdout);
		exit(0);
	default:
		usage();
	}
}

struct options options_parse(int argc, char *argv[])
{
	struct options o = {.groups = 10, .fds = 20, .loops = 100, .datasize = 100};
	int c;

	while ((c = getopt_long(argc, argv, "f:Fg:hl:pis:TP", long_options, NULL)) != -1)
		set_option(&o, c);
	if (optind < argc) {
		fprintf(stderr, "hackbench: unexpected argument '%s'\n", argv[optind]);
		usage();
	}
	if ((unsigned long)o.groups * o.fds * 2 > TASKS_MAX) {
		fprintf(stderr, "hackbench: more than %lu tasks\n", TASKS_MAX);
		usage();
	}
	return o;
}
