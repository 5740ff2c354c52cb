/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel reported in a boot: rows of boot_findings, and the same as JSON, an array of
 * {"kind", "title", "frame", "signature", "fatal", "offset", "count"}, which boot.json has and the
 * interchange of samples carries in a boot's facts.
 */
#ifndef LKP_DB_FINDINGS_H
#define LKP_DB_FINDINGS_H

#include <jansson.h>

#include "db/db.h"

#define FINDINGS_MAX 1000 /* of one boot */

/* Stores the array's members as the new boot's findings; NULL: none. Only "kind" must be there;
 * members of other names are left out. A wrong type, a text that is too long or too many are kind
 * USER; path names the array in messages. */
int db_findings_put(struct db *db, int64_t boot_id, const json_t *findings, const char *path,
		    struct err *err);
/* The boot's findings, as they were put; a new array, empty where there are none. */
int db_findings_json(struct db *db, int64_t boot_id, json_t **ret, struct err *err);

#endif
