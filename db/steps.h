/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the journal's lines say: {"time": "2024-12-01 02:57:11", "steps": [{"do": "report", ...}]}.
 * The steps of one line were one transaction. A step names the row by the id that people know, and
 * says what the row then was, so that doing it twice is doing it once.
 *
 *	report		the whole row of that id
 *	report-state	its state
 *	mail, mail-state (with its place)
 *	kernel		the row, with its commit, by (commit, tree, kconfig, toolchain)
 *	import		a document below imports/, by its SHA-256
 *
 * Text that is no UTF-8 is {"hex": "<digits>"}.
 */
#ifndef LKP_DB_STEPS_H
#define LKP_DB_STEPS_H

#include <jansson.h>

#include "db/db.h"

/* The steps that make a row what it is now; new references, NULL when that failed. */
json_t *step_report(struct db *db, int64_t id, struct err *err);
json_t *step_mail(struct db *db, int64_t id, struct err *err);
json_t *step_kernel(struct db *db, int64_t id, struct err *err);
json_t *step_report_state(int64_t id, const char *state);
json_t *step_mail_state(int64_t id, const char *state, const char *place);
json_t *step_import(const char *name, const char *sha256);

/* Does the step in the caller's transaction. Kind USER when it is none of ours or does not fit the
 * rows that are there. */
int step_apply(struct db *db, const json_t *step, struct err *err);

#endif
