/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The database: an SQLite file in WAL mode. All SQL of the project is in db/. A handle belongs to
 * one process and thread.
 */
#ifndef LKP_DB_H
#define LKP_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/util/err.h"

struct db;

/* Opens path, creating and migrating it (in one transaction); a file of up to 64 MiB is checked
 * (db_check) first. A newer version than ours, a file that is no database of ours, or a damaged one
 * is kind USER with the remedy. ":memory:" is a database of its own that ends with the handle. */
int db_open(const char *path, struct db **ret, struct err *err);
void db_close(struct db *db);
const char *db_path(const struct db *db);
/* SQLite's quick_check; reads the whole file. Damage is kind USER. */
int db_check(struct db *db, struct err *err);

/* BEGIN IMMEDIATE / COMMIT / ROLLBACK. Not nested. db_rollback() is harmless outside a transaction.
 */
int db_begin(struct db *db, struct err *err);
int db_commit(struct db *db, struct err *err);
void db_rollback(struct db *db);

#endif
