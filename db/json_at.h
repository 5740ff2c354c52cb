/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which value of a JSON text a byte belongs to, for faults that the parser can only give a place.
 */
#ifndef LKP_DB_JSON_AT_H
#define LKP_DB_JSON_AT_H

#include <stddef.h>

#include "harness/util/str.h"

/* Appends the JSON path of the value (or key) that ends at offset, such as
 * `$.runs[3].metrics["x"][1]`. The text need not be valid. Keys that are no plain words are quoted,
 * those below the key `data` always. */
void json_add_path_at(struct str *ret, const char *text, size_t n, size_t offset, const char *data);

/* Appends the quoted key, `["x"]`. Hostile characters are escaped, long keys cut. */
void json_add_path_key(struct str *ret, const char *key, size_t n);

#endif
