/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of a comparison, which renderers turn into text. Filled by harness/judge/; a renderer
 * computes nothing but layout. One const row per renderer, all in reporters[].
 */
#ifndef LKP_REPORT_H
#define LKP_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/metric/metric.h"
#include "harness/util/err.h"
#include "harness/util/str.h"

struct report_commit {
	char id[41];
	char *subject, *author_name, *author_email;
	int64_t date;
};

/* One side of one row: means and stddev over boots (formats.md 2). */
struct report_side {
	double mean;
	double stddev; /* absolute */
	size_t n;      /* boots */
	bool integer;  /* every sample is an integer */
	bool present;
};

/* One metric of one test. */
struct report_row {
	char *machine, *test_case, *metric;
	const struct metric *def;
	struct report_side base, head;
	double change_pct; /* 100 (head/base - 1); +Inf for a zero base */
	double interval_lo,
		interval_hi; /* percent, 95 %, in the metric's own direction; NaN: none */
	const char *verdict; /* "regression", "improvement", "clean", "inconclusive", "" */
	double e_value;	     /* E_n(0); NaN: none */
	size_t blocks;	     /* that decided; 0 when unpaired */
	bool paired, kpi;
	size_t confirm_blocks; /* fresh ones, 0: none */
	double confirm_e_value;
	bool confirmed;
	double theta_pct; /* the effect that matters in this test, percent; 0: not known */
	double noise_pct; /* stddev of the block differences, percent */
	char *reason;	  /* one sentence on an inconclusive verdict, or NULL */
};

struct report_failure {	      /* one line of fail:runs */
	char *machine, *what; /* "boot panic", "pipe-test/process bench-failed" */
	size_t base_failed, base_runs, head_failed, head_runs;
};

struct report {
	struct report_commit base, head;
	char *tree, *branch, *kconfig;
	struct report_row *rows;
	size_t n_rows;
	struct report_failure *failures;
	size_t n_failures;
	const char *verdict; /* of the whole: the worst of KPI rows and failures */
	bool equal_images;   /* base and head boot the same image: clean by construction */
};

void report_free(struct report *r);

struct reporter {
	const char *name, *summary;
	int (*render)(const struct report *r, struct str *ret, struct err *err);
};
extern const struct reporter *const reporters[];	/* NULL-terminated */
const struct reporter *reporter_find(const char *name); /* or NULL */

/* The object of `compare --json` (cli.md). New reference. */
json_t *report_json(const struct report *r);

#endif
