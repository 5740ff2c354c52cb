/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a boot folder to rows of the database. The only way measured results get there, so that the
 * database can be made again from the folders.
 */
#ifndef LKP_RUN_INDEX_H
#define LKP_RUN_INDEX_H

#include <stddef.h>

#include "db/db.h"
#include "harness/util/err.h"

struct index_counts {
	size_t runs, failed; /* cases, and those among them that failed on a healthy kernel */
	size_t samples;
};

/* Reads boot.json and result/ of a whole boot folder and stores boot, runs and samples in one
 * transaction. A folder that is indexed already changes nothing. A case whose output cannot be read
 * is a run with status "bench-failed" and the reason; none of its numbers are taken. */
int index_boot(struct db *db, const char *folder, struct index_counts *ret, struct err *err);

#endif
