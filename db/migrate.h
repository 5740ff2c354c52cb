/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Versions of the tables. Migration i, SQL text that never changes once it was released, leads from
 * version i to version i + 1 in one transaction.
 */
#ifndef LKP_DB_MIGRATE_H
#define LKP_DB_MIGRATE_H

#include "db/db.h"

/* Brings the tables to the newest version. A newer one, or tables of another program, are kind
 * USER. With look: only checks; older tables are kind USER, too. */
int migrate(struct db *db, bool look, struct err *err);

#endif
