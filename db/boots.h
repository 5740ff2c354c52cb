/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boots: one boot of one kernel on one machine. Strings are borrowed and copied.
 */
#ifndef LKP_DB_BOOTS_H
#define LKP_DB_BOOTS_H

#include <stdint.h>

#include "db/commits.h"

struct db_boot {
	char commit[DB_HEX_LEN + 1];
	const char *boot; /* uuid, or the import's name; unique per (commit, machine) */
	const char *machine, *kconfig, *image_id, *toolbox_id, *accel,
		*clocksource; /* "" unknown */
	const char *status;   /* "ok" or the cause */
	const char *kind;     /* what decided it, in more detail; "" unknown */
	const char *detail;   /* one line */
	const char *folder;   /* the boot folder, "" for imports */
	const char *purpose;  /* "judge", "confirm", "noise", "import" */
	uint64_t seed;
	int64_t started; /* UTC seconds */
	double seconds;
	const char *facts; /* JSON text, "{}" */
};

/* NULL-terminated: what purpose may be. */
extern const char *const db_purposes[];

/* A boot of the same name, commit and machine that exists already gives its id and *ret_new =
 * false; it is left as it was. The commit must be in the database, the purpose a known one (kind
 * USER). */
int db_boot_put(struct db *db, const struct db_boot *b, int64_t *ret_id, bool *ret_new,
		struct err *err);
/* The names of all boots of a machine, in strcmp()'s order. */
struct db_boot_names {
	char **v;
	size_t n, cap;
};
int db_boot_names(struct db *db, const char *machine, struct db_boot_names *ret, struct err *err);
bool db_boot_names_has(const struct db_boot_names *names, const char *boot);
void db_boot_names_done(struct db_boot_names *names);
/* Says of a boot that is "ok" so far that it failed after all; one that failed keeps its cause. */
int db_boot_fail(struct db *db, int64_t id, const char *status, struct err *err);

#endif
