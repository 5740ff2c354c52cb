/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting a new database in the place of the one of a state folder, at once or not at all.
 */
#ifndef LKP_DB_REMAKE_H
#define LKP_DB_REMAKE_H

#include "db/keep.h"

struct remake;

/* Locks the database alone (kind INFRA, cause "locked", says who has it open), after it has written
 * into the journal what the journal lacks, and begins an empty one beside it (<path>.new). One that
 * is damaged and has no journal is kind USER unless force; *ret_damaged: it is damaged. */
int remake_begin(const char *path, const char *state, bool force, struct remake **ret,
		 bool *ret_damaged, struct err *err);
struct db *remake_db(struct remake *r);
/* Does all that the journal says, in one transaction. */
int remake_replay(struct remake *r, struct keep_counts *ret, struct err *err);
/* Checks and syncs the new one, and gives it the name; the old one is then <path>.old-<time>, which
 * *ret_old (the caller frees it) says; NULL: there was none. Ends r whether it fails or not; when
 * it fails, all is as it was. */
int remake_finish(struct remake *r, char **ret_old, struct err *err);
/* Ends r, leaving all as it was. NULL is fine. */
void remake_drop(struct remake *r);

#endif
