/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of db/ share: the handle, and prepared statements with typed binding. Only they
 * include it. Values are always bound, never put into SQL text.
 */
#ifndef LKP_DB_STMT_H
#define LKP_DB_STMT_H

#include <sqlite3.h>

#include "db/db.h"

#define STMT_CACHE 96 /* statements kept prepared; as many as db/ has, and some */

struct keep;

struct db {
	sqlite3 *sql;
	char *path;
	struct keep *keep; /* the journal's, NULL: none */
	int lock_fd;	   /* FILE.lock, shared; -1: none */
	bool readonly;
	struct stmt_slot {
		const char *text; /* the literal's address is the key */
		sqlite3_stmt *stmt;
		bool busy;
	} cache[STMT_CACHE];
	size_t n_cache;
};

/* A statement in use: ends with stmt_end(), by _cleanup_stmt_. */
struct stmt {
	struct db *db;
	sqlite3_stmt *raw;
	struct stmt_slot *slot; /* NULL: not of the cache */
};
#define STMT_INIT          \
	{                  \
		.db = NULL \
	}
#define _cleanup_stmt_ __attribute__((cleanup(stmt_end)))

/* Prepares text, which must be a string literal; one of the cache is reused. */
int stmt_open(struct db *db, const char *text, struct stmt *ret, struct err *err);
void stmt_end(struct stmt *s);

/* Binds parameter i (from 1). The memory must live until stmt_end(). NULL text binds NULL. */
void stmt_text(struct stmt *s, int i, const char *text);
void stmt_int(struct stmt *s, int i, int64_t value);
void stmt_real(struct stmt *s, int i, double value);
void stmt_blob(struct stmt *s, int i, const void *data, size_t n);

/* Steps: 1 a row, 0 the end, -1 failed. */
int stmt_step(struct stmt *s, struct err *err);
/* For a statement without rows; resets it, so that it can be bound and run again. */
int stmt_run(struct stmt *s, struct err *err);
/* Runs a query of one integer; no row: *ret stays as it is and *ret_found (may be NULL) is false.
 */
int stmt_one_int(struct stmt *s, int64_t *ret, bool *ret_found, struct err *err);

/* Columns (from 0) of the current row. Text is never NULL. */
int64_t stmt_col_int(const struct stmt *s, int i);
double stmt_col_real(const struct stmt *s, int i);
const char *stmt_col_text(const struct stmt *s, int i);
char *stmt_col_dup(const struct stmt *s, int i);
const void *stmt_col_blob(const struct stmt *s, int i, size_t *ret_n);

/* Runs SQL text of one or more statements without parameters. */
int stmt_exec(struct db *db, const char *text, struct err *err);

/* Sets *err from SQLite's result code, with the path and the remedy: locked by another process
 * (which is named) is cause "locked", a full disk "disk-full", a failing one "io-error", a file
 * that may not be written "read-only", one that is damaged kind USER. Returns -1. */
int stmt_fail(struct db *db, int code, struct err *err);
/* The error of a damaged file; what: SQLite's words. */
int stmt_damaged(const struct db *db, const char *what, struct err *err);

#endif
