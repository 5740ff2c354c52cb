/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs and their samples: one case executed in one boot. Strings are borrowed and copied.
 */
#ifndef LKP_DB_RUNS_H
#define LKP_DB_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

struct db_run {
	int64_t boot_id;
	const char *test_case;
	int64_t block;	    /* 0: none */
	const char *status; /* "ok", "bench-failed", ... */
	const char *detail;
};
/* A case runs once in a boot: a second run of it is kind USER. */
int db_run_put(struct db *db, const struct db_run *r, int64_t *ret_id, struct err *err);
/* The values of one metric over the run's iterations, in order; n >= 1, finite (else kind USER). */
int db_samples_put(struct db *db, int64_t run_id, const char *metric, const double *values,
		   size_t n, struct err *err);
/* Mean and sample stddev (of one value: 0) as they are stored beside the values; 0 where the true
 * one is no finite number. */
void db_samples_describe(const double *values, size_t n, double *ret_mean, double *ret_sd);
/* The next unused block number of a machine. */
int db_block_next(struct db *db, const char *machine, int64_t *ret, struct err *err);

#endif
