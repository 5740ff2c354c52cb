/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing down what the database has and no journal knows: for one that is older than its journal.
 */
#ifndef LKP_DB_KEEP_ALL_H
#define LKP_DB_KEEP_ALL_H

#include "db/journal.h"
#include "db/stmt.h"

/* Has the database anything that belongs into a journal? */
int keep_all_any(struct db *db, bool *ret, struct err *err);
/* Appends lines that make all of it: kernels, imported boots (as documents), reports, mails. In the
 * caller's transaction; the journal is locked. */
int keep_all_write(struct db *db, struct journal *j, struct journal_pos *ret_end, struct err *err);

#endif
