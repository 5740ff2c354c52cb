/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking for what is wrong in a database. Each fault is a line of text for people.
 */
#ifndef LKP_DB_AUDIT_H
#define LKP_DB_AUDIT_H

#include <stddef.h>

#include "db/db.h"

struct audit_fault {
	const char *what; /* "file", "keys", "samples", "journal", "folders", "mails" */
	char *text;
	bool note; /* worth knowing, not wrong */
};

struct audit {
	struct audit_fault *faults;
	size_t n, cap;
	size_t n_wrong; /* of all, those that are no notes */
	size_t more;	/* faults beyond AUDIT_MAX */
};
#define AUDIT_MAX 100

/* Called now and then with what is done of what there is; -1 with *err ends the check. */
typedef int audit_tick_fn(void *arg, double done, double total, struct err *err);

void audit_add(struct audit *a, const char *what, bool note, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void audit_done(struct audit *a);

/* SQLite's integrity_check and foreign_key_check; the first also holds CHECK and UNIQUE. */
int audit_file(struct db *db, struct audit *ret, struct err *err);
int audit_keys(struct db *db, struct audit *ret, struct err *err);
/* Every blob decodes to n finite values of that mean and stddev. */
int audit_samples(struct db *db, audit_tick_fn *tick, void *arg, struct audit *ret,
		  struct err *err);
/* Lines of the journal in that folder that are damaged or name a document that is missing, and a
 * journal that lacks what the rows have; worth noting is one that has more. A last line that is
 * torn was never taken for written. */
int audit_journal(struct db *db, const char *folder, struct audit *ret, struct err *err);

/* Calls fn for each boot that has a folder, in the rows' order. */
typedef int audit_boot_fn(const char *machine, const char *boot, const char *folder, void *arg,
			  struct err *err);
int audit_boots(struct db *db, audit_boot_fn *fn, void *arg, int64_t *ret_n, struct err *err);

#endif
