/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job files: one suite with parameters as lists; their product is expanded by harness/bench/ (which
 * knows each suite's parameters). See jobs/ and the manual page lkp-job(5).
 */
#ifndef LKP_JOB_H
#define LKP_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/config/config.h"
#include "harness/util/err.h"
#include "harness/util/str.h"

struct job_value {
	char *text;
	struct config_mark mark;
};

struct job_param {
	char *name; /* "test", "mode", "tasks", ... as the suite calls it */
	struct config_mark mark;
	struct job_value *values;
	size_t n_values;
};

/* What is set up around a run; -1 / NULL: left as it is. */
struct job_setup {
	char *governor;	    /* "performance" */
	int turbo;	    /* 0, 1 */
	char *cstates;	    /* deepest allowed: "C1" */
	int smt;	    /* 0, 1 */
	char *thp;	    /* "always", "madvise", "never" */
	int numa_balancing; /* 0, 1 */
	int aslr;	    /* 0, 1 */
	char *taskset;	    /* CPU list: "0-3" */
	char **sysctl;	    /* "name=value" */
	char *cmdline;	    /* kernel command line: belongs to the boot */
};

struct job {
	char *name; /* the file's name without .yaml */
	char *file;
	char *summary; /* one line */
	char *suite;
	struct config_mark suite_mark;
	struct job_param *params;
	size_t n_params;
	int64_t iterations;
	double timeout; /* seconds per iteration */
	char **monitors;
	struct {
		char **kconfig; /* "CONFIG_SHMEM=y" */
		int64_t cpus;
		int64_t memory; /* bytes */
	} needs;
	struct job_setup setup;
	double theta, min_effect; /* ratios; 0: by config and bench */
};

/* Reads one job file; faults as config_load(). */
int job_load(const char *file, struct job **ret, struct str *faults, struct err *err);
/* The same from memory; file only names it. */
int job_parse(const char *file, const char *text, size_t n, struct job **ret, struct str *faults,
	      struct err *err);
void job_free(struct job *job);
/* By name in the jobs folder (config.paths.jobs), or a path that contains a slash or ends in .yaml.
 */
int job_find(const char *folder, const char *name, struct job **ret, struct err *err);
/* Names of the jobs in the folder, sorted. */
int job_names(const char *folder, char ***ret, struct err *err);
/* The setup as lines "key: value" for people and, with its hash, to group cases into boots. */
void job_setup_add(struct str *s, const struct job_setup *setup);

#endif
