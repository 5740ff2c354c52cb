/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much is in a database.
 */
#ifndef LKP_DB_USAGE_H
#define LKP_DB_USAGE_H

#include <stddef.h>

#include "db/db.h"

struct usage_table {
	char *name;
	int64_t rows;
	int64_t bytes; /* with its indexes; -1: not known (SQLite without dbstat) */
};

struct usage_status {
	char *status;
	int64_t boots;
};

struct usage {
	struct usage_table *tables;
	size_t n_tables;
	struct usage_status *statuses;
	size_t n_statuses;
	int64_t bytes;		/* of the file's pages */
	int64_t free_bytes;	/* of them, in pages that nothing uses */
	int64_t values;		/* samples in all */
	int64_t sample_bytes;	/* of the table of samples, -1: not known */
	int64_t oldest, newest; /* boots' beginnings, UTC seconds; 0: none */
};

int db_usage(struct db *db, struct usage *ret, struct err *err);
void usage_done(struct usage *u);

#endif
