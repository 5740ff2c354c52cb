/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commits the database has something about. Strings given are copied; strings returned belong to
 * the record and are released by db_commit_done().
 */
#ifndef LKP_DB_COMMITS_H
#define LKP_DB_COMMITS_H

#include <stddef.h>

#include "db/db.h"

#define DB_HEX_LEN 40

struct db_commit {
	char id[DB_HEX_LEN + 1];
	char *subject, *author_name, *author_email;
	char **parents; /* full ids, NULL-terminated; may be NULL */
	int64_t date;
};
void db_commit_done(struct db_commit *c);

/* Whether id is 40 digits of lower-case hex. */
bool db_commit_id_ok(const char *id);

/* Inserts, or completes a row that has less; a different subject under the same id is kept as it
 * was. An id or parent that is no full id is kind USER. */
int db_commit_put(struct db *db, const struct db_commit *c, struct err *err);
/* By full id or unique prefix of at least 4; none or several: kind USER; several
 * are listed, with the cause "ambiguous". */
int db_commit_find(struct db *db, const char *prefix, struct db_commit *ret, struct err *err);
/* The row of a full id, or 0. */
int db_commit_row(struct db *db, const char *id, int64_t *ret, struct err *err);
/* Full ids of all commits that boots are of, by date and id; NULL-terminated. */
int db_commit_list(struct db *db, char ***ret, struct err *err);

#endif
