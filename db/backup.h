/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of a whole database.
 */
#ifndef LKP_DB_BACKUP_H
#define LKP_DB_BACKUP_H

#include "db/audit.h"

/* Copies the database, as it is at one moment, to the file (by SQLite's backup: writers go on
 * meanwhile), checks the copy, syncs it, and then gives it its name. A file that exists is kind
 * USER unless force. */
int db_backup(struct db *db, const char *file, bool force, audit_tick_fn *tick, void *arg,
	      struct err *err);

#endif
