/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aligned plain-text tables: two blanks between columns, no rule, no trailing blanks. Cells come
 * from outside, so they are written by str_add_safe(); width counts characters, not bytes.
 */
#ifndef LKP_TABLE_H
#define LKP_TABLE_H

#include "harness/util/str.h"

struct table;

/* Columns are named in a NULL-terminated list; a name that starts with '>' is right-aligned. */
struct table *table_new(const char *const *columns);
void table_free(struct table *t);
/* Starts a row; then one table_cell() per column, missing ones are empty. */
void table_row(struct table *t);
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends the header and the rows. Without rows: nothing. */
void table_add(struct str *s, const struct table *t);

#endif
