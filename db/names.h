/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interned names: machines, cases and metrics are stored once and named by their row.
 */
#ifndef LKP_DB_NAMES_H
#define LKP_DB_NAMES_H

#include "db/db.h"

enum db_noun { DB_MACHINE, DB_CASE, DB_METRIC };

/* The row of name, made when there is none. */
int db_name_put(struct db *db, enum db_noun noun, const char *name, int64_t *ret_id,
		struct err *err);
/* The row of name, or 0. */
int db_name_find(struct db *db, enum db_noun noun, const char *name, int64_t *ret_id,
		 struct err *err);

#endif
