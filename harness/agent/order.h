/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the agent is told: job.json, "lkp-job/1" (docs/boot-folder.md).
 */
#ifndef LKP_AGENT_ORDER_H
#define LKP_AGENT_ORDER_H

#include <jansson.h>
#include <stdint.h>

#include "harness/util/err.h"

#define ORDER_RUNS_MAX	     1000
#define ORDER_ITERATIONS_MAX 10000

struct order_run {
	const char *name; /* the case */
	char **argv;	  /* NULL-terminated */
	int64_t iterations;
	double timeout_s; /* per iteration */
	char **monitors;  /* NULL-terminated, may be NULL */
	json_t *setup;	  /* an object (harness/agent/setup.h), or NULL */
};

struct order {
	json_t *json; /* holds every borrowed string below */
	const char *boot;
	int64_t seed;
	const char *toolbox;
	const char *toolbox_id;
	const char *result;   /* absolute */
	const char *scratch;  /* absolute */
	const char *copy_tag; /* of the 9p share, or NULL: result stays where it is */
	struct order_run *runs;
	size_t n_runs;
};

/* Reads and checks the whole file; kind USER with the JSON path of the first fault. */
int order_load(const char *path, struct order *ret, struct err *err);
void order_done(struct order *order);

#endif
