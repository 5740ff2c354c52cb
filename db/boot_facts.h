/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A boot's facts as they travel in lkp-samples/1: the object "facts" of a run. What the database
 * keeps in columns of its own (accel, clocksource, image_id, toolbox_id, kind, purpose, seed,
 * started) and the rows of boot_findings (db/findings.h) are in it under these names, so that what
 * is exported and imported again compares equal.
 */
#ifndef LKP_DB_BOOT_FACTS_H
#define LKP_DB_BOOT_FACTS_H

#include <jansson.h>

#include "db/boots.h"

/* The object: b->facts (damaged text: none) with the columns that hold something and, when it has
 * none, the findings. New reference. */
json_t *boot_facts_json(const struct db_boot *b, json_t *findings);

/* Fills those columns of b from facts; what is absent becomes "", 0, and purpose "import". The
 * strings are borrowed from facts. path names facts in messages. A wrong type is kind USER. */
int boot_facts_read(const json_t *facts, const char *path, struct db_boot *b, struct err *err);

#endif
