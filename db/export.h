/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing lkp-samples/1 (see import.h).
 */
#ifndef LKP_DB_EXPORT_H
#define LKP_DB_EXPORT_H

#include "db/db.h"
#include "db/query.h"
#include "harness/util/str.h"

/* Appends the JSON text with the runs of the commits (full ids, NULL-terminated; NULL: all) that
 * pass the filter. Numbers have as few digits as give back the same double; the same database gives
 * the same text. A boot that failed before its first run is a run with the case "". Importing the
 * text into an empty database and comparing there gives what comparing here gives. */
int db_export(struct db *db, const char *const *commits, const struct db_filter *filter,
	      struct str *ret, struct err *err);

#endif
