/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows as members of a JSON object, and back.
 */
#ifndef LKP_DB_STEP_ROW_H
#define LKP_DB_STEP_ROW_H

#include <jansson.h>

#include "db/db.h"

struct step_column { /* a table of them ends with name NULL */
	const char *name;
	bool integer; /* else text */
};

/* A JSON string, or {"hex": ...} for what is no UTF-8. */
json_t *step_text(const char *text);
/* Reads what step_text() made; the caller frees *ret. Kind USER when it is something else. */
int step_get_text(const json_t *obj, const char *key, char **ret, struct err *err);

/* The row that the query (a literal; parameter 1 is id) finds, its columns in that order, behind
 * "do": what. NULL: failed, or there is none. */
json_t *step_row_read(struct db *db, const char *query, int64_t id, const char *what,
		      const struct step_column *columns, struct err *err);
/* Binds the columns to parameters 1, 2, ... and runs the statement (a literal). */
int step_row_write(struct db *db, const char *text, const json_t *step,
		   const struct step_column *columns, struct err *err);

#endif
