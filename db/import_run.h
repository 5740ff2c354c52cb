/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of an import (import.h), checked and stored.
 */
#ifndef LKP_DB_IMPORT_RUN_H
#define LKP_DB_IMPORT_RUN_H

#include <jansson.h>

#include "db/import.h"

struct import {
	struct db *db;
	import_negative_fn *may_be_negative;
	json_t *seen; /* "commit\nmachine\nboot\ncase": the run's index */
	struct import_counts counts;
};

/* Copies a commit id in lower case into ret (41 bytes); path names it. Not 40 digits of hex: kind
 * USER. */
int import_commit_id(const char *text, const char *path, char *ret, struct err *err);

/* Reads and stores $.runs[index]. The caller is in a transaction. */
int import_run(struct import *im, size_t index, const json_t *json, struct err *err);

#endif
