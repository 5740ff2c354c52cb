/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "benchmarks/will-it-scale/driver_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EXIT_USAGE 64
#define WORK_MAX   (1ULL << 60)

static const char help[] =
	"\n"
	"  -t TASKS    tasks to run, 1 to 2048 (default 1)\n"
	"  -s SECONDS  seconds of measurement (default 5; 0: until killed)\n"
	"  -w N        fixed work instead of time: N iterations per task, after N/10 of warm-up\n"
	"  -m          bind tasks to SMT threads (default: to cores)\n"
	"  -n          do not bind tasks\n"
	"  -d DIR      folder for temporary files (default /tmp)\n"
	"  -h          this help\n";

static void print_usage(FILE *out, const char *program)
{
	fprintf(out, "usage: %s [-t TASKS] [-s SECONDS | -w N] [-m | -n] [-d DIR]\n%s", program,
		help);
}

static void usage(const char *program) __attribute__((noreturn));
static void usage(const char *program)
{
	print_usage(stderr, program);
	exit(EXIT_USAGE);
}

static unsigned long long number(const char *program, int option, unsigned long long min,
				 unsigned long long max)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(optarg, &end, 10);
	if (*optarg >= '0' && *optarg <= '9' && !*end && !errno && n >= min && n <= max)
		return n;
	fprintf(stderr, "%s: -%c wants a number from %llu to %llu, not '%s'\n", program, option,
		min, max, optarg);
	usage(program);
}

struct options options_parse(int argc, char *argv[])
{
	struct options o = {.tasks = 1, .seconds = 5, .dir = "/tmp"};
	bool timed = false;
	int c;

	while ((c = getopt(argc, argv, "t:s:w:mnd:h")) != -1) {
		switch (c) {
		case 't':
			o.tasks = (unsigned long)number(argv[0], c, 1, OPTIONS_TASKS_MAX);
			break;
		case 's':
			o.seconds = (unsigned long)number(argv[0], c, 0, 1000000);
			timed = true;
			break;
		case 'w':
			o.work = number(argv[0], c, 1, WORK_MAX);
			break;
		case 'm':
			o.smt = true;
			break;
		case 'n':
			o.no_affinity = true;
			break;
		case 'd':
			o.dir = optarg;
			break;
		case 'h':
			print_usage(stdout, argv[0]);
			exit(0);
		default:
			usage(argv[0]);
		}
	}
	if (optind < argc || (timed && o.work) || (o.smt && o.no_affinity))
		usage(argv[0]);
	return o;
}
