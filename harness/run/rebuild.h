/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making the database again from what is true without it: the boot folders and the journal. No mail
 * is sent: what was sent is known as sent.
 */
#ifndef LKP_RUN_REBUILD_H
#define LKP_RUN_REBUILD_H

#include <stddef.h>

#include "db/audit.h"
#include "db/db.h"
#include "harness/util/progress.h"
#include "harness/util/str.h"

struct rebuild_counts {
	size_t boots, runs, samples;
	size_t skipped; /* boot folders that could not be read */
	size_t lines;	/* of the journal */
	size_t damaged; /* of them, left out */
	bool old_damaged;
	struct str notes; /* a line for each folder and line that was left out */
	char *old;	  /* where the old database is now; NULL: there was none */
};
void rebuild_counts_done(struct rebuild_counts *c);

/* Makes the database at path anew from <state>/results and <state>/journal. A journal with damaged
 * lines is kind USER unless force, which leaves them out; so is a damaged database that has no
 * journal. A cancel or a failure leaves the old one in its place. */
int run_rebuild(const char *path, const char *state, bool force, struct progress *progress,
		struct rebuild_counts *ret, struct err *err);

/* Faults "folders": rows whose boot folder is not there, folders that are not in the rows. state
 * NULL: only the former. */
int run_audit_folders(struct db *db, const char *state, audit_tick_fn *tick, void *arg,
		      struct audit *ret, struct err *err);

#endif
