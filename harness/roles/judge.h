/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judge: head against base on one machine, from building both to the report. What was measured
 * before is used; only the blocks that are missing are run.
 */
#ifndef LKP_ROLES_JUDGE_H
#define LKP_ROLES_JUDGE_H

#include "db/db.h"
#include "harness/bench/bench.h"
#include "harness/config/config.h"
#include "harness/git/git.h"
#include "reports/report.h"

struct judge_spec {
	const struct config *config;
	struct db *db;
	const struct config_tree *tree;
	const struct config_kconfig *kconfig;
	const struct config_machine *machine;
	struct repo *repo;
	const char *base, *head; /* full ids */
	const struct bench_case *cases;
	size_t n_cases;
	int64_t blocks;	    /* that decide; 0: the configuration's */
	int64_t iterations; /* 0: the jobs' own */
	struct progress *progress;
};

struct judge_outcome {
	struct report *report; /* report_free(); NULL when a kernel failed */
	char failure[600];     /* how a kernel failed: "head 1234 does not build: ..."; "" none */
	int64_t report_id;     /* of the report that was filed, 0: none */
	char mail[1000];       /* where its mail lies, or why there is none; "" no report */
};

/* -1: USER, INFRA, cancelled; whatever was measured until then is in the store. */
int judge_role(const struct judge_spec *spec, struct judge_outcome *ret, struct err *err);

#endif
