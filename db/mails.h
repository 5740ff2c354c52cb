/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The outbox. A mail is one row with a deterministic Message-ID; a report has one first mail (nr
 * 1), never two, and perhaps follow-ups.
 */
#ifndef LKP_DB_MAILS_H
#define LKP_DB_MAILS_H

#include <stddef.h>

#include "db/db.h"

struct db_mail {
	int64_t id, report_id;
	int64_t nr;	  /* of the report's mails, from 1; 0 is taken as 1 */
	char *message_id; /* with angle brackets; unique */
	char *subject, *sender;
	char *recipients; /* comma-separated addresses */
	char *text;	  /* the whole message, RFC 5322 */
	char *state;	  /* queued, approved, sending, sent, unsure, refused, dropped */
	char *place;	  /* the file in the maildir, "" */
	int64_t created;
};
void db_mail_done(struct db_mail *m);

/* NULL-terminated: what a state may be. */
extern const char *const db_mail_states[];

/* A mail of the same Message-ID, or the same report and nr, that exists: its id, *ret_new false,
 * and it stays as it was. */
int db_mail_put(struct db *db, const struct db_mail *m, int64_t *ret_id, bool *ret_new,
		struct err *err);
/* No such id: kind USER. */
int db_mail_get(struct db *db, int64_t id, struct db_mail *ret, struct err *err);
/* The first mail of a report; none: *ret_found false and *ret as it was. */
int db_mail_of_report(struct db *db, int64_t report_id, struct db_mail *ret, bool *ret_found,
		      struct err *err);
/* All, oldest first. */
int db_mail_list(struct db *db, struct db_mail **ret, size_t *ret_n, struct err *err);
void db_mails_free(struct db_mail *mails, size_t n);
/* place NULL: stays as it is. Unknown state or id: kind USER with the known ones. */
int db_mail_set_state(struct db *db, int64_t id, const char *state, const char *place,
		      struct err *err);

#endif
