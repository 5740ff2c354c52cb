/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports. A report is one finding about head against base.
 */
#ifndef LKP_DB_REPORTS_H
#define LKP_DB_REPORTS_H

#include <stddef.h>

#include "db/db.h"

struct db_report {
	int64_t id;
	char base[41], head[41];
	char *tree, *machine, *kconfig, *test_case, *metric, *verdict;
	char *state; /* open, confirmed, fixed, invalid, noise, duplicate */
	char *facts; /* JSON of struct report (reports/report.h), as it was when filed */
	int64_t created;
};
void db_report_done(struct db_report *r);

/* NULL-terminated: what a state may be. */
extern const char *const db_report_states[];

/* A report on the same (base, head, machine, kconfig, case, metric) that exists: its id, *ret_new
 * false, and it stays as it was. */
int db_report_put(struct db *db, const struct db_report *r, int64_t *ret_id, bool *ret_new,
		  struct err *err);
/* No such id: kind USER. */
int db_report_get(struct db *db, int64_t id, struct db_report *ret, struct err *err);
/* All, oldest first. */
int db_report_list(struct db *db, struct db_report **ret, size_t *ret_n, struct err *err);
void db_reports_free(struct db_report *reports, size_t n);
/* Unknown state or id: kind USER with the known ones. */
int db_report_set_state(struct db *db, int64_t id, const char *state, struct err *err);

#endif
