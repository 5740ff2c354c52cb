/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading lkp-samples/1, the interchange of raw samples: one JSON object with "format", "commits"
 * and "runs". It comes from outside and is read strictly: an unknown key, a wrong type, a number
 * that is not finite, a negative count, a commit id that is not 40 digits of hex, a run of an
 * unknown commit, a (boot, test) that is there twice: each is refused with the JSON path of the
 * fault.
 */
#ifndef LKP_DB_IMPORT_H
#define LKP_DB_IMPORT_H

#include <stddef.h>

#include "db/db.h"

#define IMPORT_CAP	  (512UL << 20) /* bytes of a file */
#define IMPORT_NAME_MAX	  500		/* bytes of a machine, case, boot, kconfig or metric name */
#define IMPORT_VALUES_MAX 1000000	/* of one metric in one run */

struct import_counts {
	size_t commits; /* in the file */
	size_t runs, new_runs;
	size_t samples; /* values of the new runs */
};

/* Whether values of a metric may be below 0; the caller knows the registry, the database does not.
 */
typedef bool import_negative_fn(const char *metric);

/* Imports the text in one transaction; name is the file's, for messages. A run that is stored
 * already changes nothing; a different one under the same boot and test is kind USER. */
int db_import(struct db *db, const char *name, const char *text, size_t n,
	      import_negative_fn *may_be_negative, struct import_counts *ret, struct err *err);
/* The same in the caller's transaction, for a document that was taken in before (db/steps.h). */
int db_import_again(struct db *db, const char *name, const char *text, size_t n, struct err *err);

#endif
