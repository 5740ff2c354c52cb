/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registry of benchmarks. One const row a suite, all in benches[]: its parameters in the order
 * in which they name a case, how its command is made, how its output is read.
 */
#ifndef LKP_BENCH_H
#define LKP_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/config/job.h"
#include "harness/metric/metric.h"
#include "harness/util/err.h"

#define BENCH_PARAMS_MAX 8

struct bench_param {
	const char *name;	    /* "mode" */
	const char *summary;	    /* one line, with the unit */
	const char *def;	    /* default value; NULL: must be given */
	const char *const *choices; /* NULL-terminated; NULL: see check */
	bool late; /* added after the suite was first used: at its default it is not in the name */
	/* NULL: any of choices. Else kind USER when text is no such value. May normalise by *ret
	 * (xstrdup). */
	int (*check)(const char *text, char **ret, struct err *err);
};

/* One benchmark with fixed parameters. */
struct bench_case {
	const struct bench *bench;
	char *name;			/* "will-it-scale/pwrite2/thread/100%" */
	char *values[BENCH_PARAMS_MAX]; /* in the registry's order, never NULL */
	const struct job *job;		/* borrowed: iterations, setup, ... */
};

/* The machine that a command is made for. */
struct bench_target {
	int cpus;
	bool deterministic;  /* fixed work of 0.1 to 0.2 s in place of seconds */
	const char *toolbox; /* folder on the machine: "/lkp" */
	const char *scratch; /* tmpfs folder there: "/tmp" */
};

struct bench {
	const char *name;		  /* "will-it-scale" */
	const char *summary;		  /* one sentence: what it does; ends in a full stop */
	const char *source;		  /* where its source is: "benchmarks/will-it-scale/" */
	const struct bench_param *params; /* ends with name == NULL */
	/* The command; *ret_argv is a NULL-terminated vector of the caller's. */
	int (*argv)(const struct bench_case *c, const struct bench_target *t, char ***ret_argv,
		    struct err *err);
	/* One sentence on this very case ("each of N threads writes 4 KiB to offset 0 of one shared
	 * tmpfs file"), caller frees. */
	char *(*describe)(const struct bench_case *c);
	/* Reads the stdout of one iteration. Kind BENCH with the line number when it cannot. */
	int (*parse)(const char *text, size_t n, const struct bench_case *c, struct metric_set *ret,
		     struct err *err);
	/* Does the case keep at most one task runnable at a time (so that icount repeats it
	 * exactly)? */
	bool (*single)(const struct bench_case *c, int cpus);
	const char *kpi; /* its key metric */
};

extern const struct bench *const benches[];	  /* NULL-terminated */
const struct bench *bench_find(const char *name); /* or NULL */

/* All cases of a job, in a fixed order: the product of its lists. Unknown suite, parameter or
 * value: kind USER, "file:line:column: ..." with what was expected and the nearest name. At most
 * 1000. */
int bench_expand(const struct job *job, struct bench_case **ret, size_t *ret_n, struct err *err);
void bench_cases_free(struct bench_case *cases, size_t n);
/* From a case's name alone ("pipe-test/100000"), as stored; job is NULL then. */
int bench_case_parse(const char *name, struct bench_case *ret, struct err *err);
void bench_case_done(struct bench_case *c);
/* The value of a parameter of the case, by name; NULL when the suite has none such. */
const char *bench_case_param(const struct bench_case *c, const char *param);

/* Number of tasks for "4" or "50%" of cpus, rounded, at least 1. Kind USER for anything else. */
int bench_tasks(const char *text, int cpus, int *ret, struct err *err);

#endif
