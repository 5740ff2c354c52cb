/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imported documents, kept whole: <journal>/imports/<sha256>.json.zst.
 */
#ifndef LKP_DB_JOURNAL_DOC_H
#define LKP_DB_JOURNAL_DOC_H

#include <stdbool.h>

#include "db/journal.h"
#include "harness/util/hash.h"

/* Stores the text (once) under its hash, which is written to ret. */
int journal_doc_put(const struct journal *j, const char *text, size_t n, char ret[HASH_HEX_LEN + 1],
		    struct err *err);
bool journal_doc_exists(const struct journal *j, const char *text, size_t n);
/* Appends the text of that hash; missing, over cap or not of that hash is kind USER. */
int journal_doc_get(const struct journal *j, const char *sha256, size_t cap, struct str *ret,
		    struct err *err);

#endif
