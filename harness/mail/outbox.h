/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The outbox: who gets a report, the mail as stored, and its delivery.
 */
#ifndef LKP_OUTBOX_H
#define LKP_OUTBOX_H

#include "db/db.h"
#include "harness/config/config.h"
#include "harness/git/git.h"
#include "reports/letter.h"

/* The deterministic Message-ID of the report on (base, head, machine, kconfig, case, metric); the
 * caller frees. */
char *outbox_message_id(const struct config_mail *mail, const struct report *report,
			const struct report_row *row);

/* An attached file's bytes. */
struct letter_attachment {
	const char *text;
	size_t n;
};

/* Does an entry of mail.allow ("a@b.c" or "@b.c") cover the address? */
bool outbox_allows(char *const *allow, const char *email);

/* Composes the letter's mail and stores it as queued, once per Message-ID, with samples as
 * samples.json. culprit: the one commit of the
 * range (its author is addressed when the tree allows it), or NULL: only the tree's report_to.
 * Recipients that mail.allow does not cover are dropped; none left: *ret_id = 0, and *ret_dropped
 * says who was left out. */
int outbox_queue(struct db *db, const struct config *config, const struct config_tree *tree,
		 const struct letter *letter, const struct letter_attachment *samples,
		 const struct commit *culprit, int64_t *ret_id, struct str *ret_dropped,
		 struct err *err);

/* Delivers every queued mail (mode maildir); a killed delivery is done again without a second file.
 */
int outbox_deliver(struct db *db, const struct config *config, struct err *err);

#endif
