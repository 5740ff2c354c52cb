/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The database: an SQLite file in WAL mode. All SQL of the project is in db/. A handle belongs to
 * one process and thread.
 *
 * The database of a state folder keeps a journal beside it (db/keep.h), from which, and from the
 * boot folders, it can be made again; any other one is all there is of what is in it.
 */
#ifndef LKP_DB_H
#define LKP_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/util/err.h"

struct db;

/* Opens path, creating and migrating it; a file of up to 64 MiB is checked (db_check) first. A
 * newer version than ours, a file that is no database of ours, a damaged one, or one that may not
 * be written is kind USER with the remedy. ":memory:" is a database of its own that ends with the
 * handle. state (NULL: none): the state folder it belongs to, whose journal it keeps. */
int db_open(const char *path, struct db **ret, struct err *err);
int db_open_state(const char *path, const char *state, struct db **ret, struct err *err);
/* The same for who only reads: where the file or its folder may not be written, or the disk is
 * full, the handle is one that cannot write. Such a handle on a file that no process has open reads
 * it as it was then. */
int db_open_read(const char *path, const char *state, struct db **ret, struct err *err);
void db_close(struct db *db);
const char *db_path(const struct db *db);
bool db_readonly(const struct db *db);
/* SQLite's quick_check; reads the whole file. Damage is kind USER. */
int db_check(struct db *db, struct err *err);
/* The state folder that a path lies in by its look: FILE is lkp.db, beside results/ or journal/.
 * Absolute; NULL: none. The caller frees it. */
char *db_state_of(const char *path);

/* BEGIN IMMEDIATE / COMMIT / ROLLBACK. Not nested. db_rollback() is harmless outside a transaction.
 * When the disk is full, db_commit() leaves nothing of the change; when the database cannot be
 * written for another reason and the journal could, the next one who opens it takes the change in.
 */
int db_begin(struct db *db, struct err *err);
int db_commit(struct db *db, struct err *err);
void db_rollback(struct db *db);

#endif
