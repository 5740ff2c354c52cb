/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeping a journal of what only the database knows. Within a transaction steps are collected; at
 * its commit they are one line, on the disk before SQLite commits. The table journal_state says how
 * far the journal is in the rows: whoever begins a transaction first does what lies behind that, so
 * that a process killed between the two loses nothing, and nothing is done twice.
 */
#ifndef LKP_DB_KEEP_H
#define LKP_DB_KEEP_H

#include <jansson.h>

#include "db/journal.h"
#include "db/stmt.h"

struct keep;

/* From now on db keeps the journal in that folder; takes in what the journal has and the rows lack,
 * and writes down what the rows have when the journal is younger or shorter than they are. */
int keep_attach(struct db *db, const char *folder, struct err *err);
/* The same without taking in or writing down anything, for a database that is being made: nothing
 * is kept until keep_replay() has been called. */
void keep_prepare(struct db *db, const char *folder);
void keep_free(struct keep *k);
struct journal *keep_journal(const struct db *db);

/* The ends of db_begin(), db_commit() and db_rollback(); nothing without a journal. */
int keep_begin(struct db *db, struct err *err);
int keep_commit(struct db *db, struct err *err);
void keep_committed(struct db *db);
void keep_drop(struct db *db);
/* Is a line written whose transaction is not over? Then it takes that line back; only for a commit
 * that is known to have failed. */
bool keep_written(const struct db *db);
int keep_undo(struct db *db, struct err *err);

/* Around a change of rows that a step says: opens a transaction when the caller has none, and ends
 * what was opened. make_step is not called without a journal. */
int keep_step_begin(struct db *db, bool *ret_own, struct err *err);
int keep_step_end(struct db *db, bool own, int status, json_t *step, struct err *err);
/* Is a step wanted? Not without a journal, nor while it is read. */
bool keep_wants(const struct db *db);

/* How far the journal is in the rows; *ret_found false: nothing is said of it, and *ret its start.
 */
int keep_position(struct db *db, struct journal_pos *ret, bool *ret_found, struct err *err);

/* What a reading of the journal met. */
struct keep_counts {
	int64_t lines, steps, damaged;
	char first_damaged[64]; /* "2024-12.jsonl:17" (the line number from where it was read) */
};
/* Does all steps behind `from`; in the caller's transaction. */
int keep_replay(struct db *db, const struct journal_pos *from, struct keep_counts *ret,
		struct err *err);

#endif
