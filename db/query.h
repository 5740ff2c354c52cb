/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading samples for a comparison: what is known of one commit.
 */
#ifndef LKP_DB_QUERY_H
#define LKP_DB_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "db/db.h"

/* The values of one metric in one run, with what identifies the run. */
struct db_sample {
	int64_t boot_id;
	char *boot, *machine, *test_case, *metric, *kconfig, *toolbox_id, *image_id, *accel,
		*clocksource, *purpose;
	int64_t block; /* 0: none */
	int64_t started;
	double *values;
	size_t n;
};

/* A boot or run that failed, for fail:runs. */
struct db_outcome {
	int64_t boot_id;
	char *boot, *machine, *test_case; /* test_case "": the boot itself */
	char *kconfig, *status, *detail, *toolbox_id, *accel, *purpose;
	int64_t block;
};

struct db_filter { /* NULL: any */
	const char *machine, *kconfig;
	const char *case_glob, *metric_glob;
	const char *toolbox_id;
	bool imported; /* only what was imported; heeded by db_export() */
};

/* All samples of the commit (full id) from runs that ended well, by (machine, case, metric, boot's
 * row). Free with db_samples_free(). */
int db_samples(struct db *db, const char *commit, const struct db_filter *filter,
	       struct db_sample **ret, size_t *ret_n, struct err *err);
void db_samples_free(struct db_sample *samples, size_t n);

/* Every boot of the commit, and every run in it, with how it ended. */
int db_outcomes(struct db *db, const char *commit, const struct db_filter *filter,
		struct db_outcome **ret, size_t *ret_n, struct err *err);
void db_outcomes_free(struct db_outcome *outcomes, size_t n);

#endif
