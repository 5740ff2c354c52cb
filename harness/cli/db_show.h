/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `lkpctl db check` and `db stats` print.
 */
#ifndef LKP_CLI_DB_SHOW_H
#define LKP_CLI_DB_SHOW_H

#include <jansson.h>

#include "db/audit.h"
#include "db/usage.h"
#include "harness/util/str.h"

/* A line per kind of check, and below it what was found. names: NULL-terminated, in their order. */
void db_show_audit(struct str *s, const struct audit *a, const char *const *names);
/* {"ok", "faults": [{"what", "text"}], "notes": [...]}; "more" when there were too many. */
json_t *db_audit_json(const struct audit *a);

/* journal_bytes -1: it has none. */
void db_show_usage(struct str *s, const char *path, const struct usage *u, int64_t journal_bytes);
json_t *db_usage_json(const char *path, const struct usage *u, int64_t journal_bytes);

#endif
