/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as people write them. All parsers take the whole text or fail (kind USER), never guess.
 */
#ifndef LKP_UNITS_H
#define LKP_UNITS_H

#include <stdint.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

int units_parse_int(const char *text, int64_t min, int64_t max, int64_t *ret, struct err *err);
/* A finite decimal number in the C locale, whatever the locale is. */
int units_parse_double(const char *text, double *ret, struct err *err);
/* "90", "90s", "15min", "2h", "3d", "200ms" -> seconds. */
int units_parse_duration(const char *text, double *ret, struct err *err);
/* "512M", "4G", "64K", "100" -> bytes; powers of 1024. */
int units_parse_size(const char *text, uint64_t *ret, struct err *err);
/* "2%" or "0.5 %" -> 0.02, 0.005; a bare number is taken as it is. */
int units_parse_ratio(const char *text, double *ret, struct err *err);
/* Appends bytes as "243 MB", "1.2 GB" (powers of 1000). */
void units_add_size(struct str *s, uint64_t bytes);
/* Appends bytes as units_parse_size() takes them, in the largest unit that divides them: "4G". */
void units_add_setting(struct str *s, uint64_t bytes);
/* Appends an integer with blanks between groups of three: "1 730 000". */
void units_add_count(struct str *s, int64_t n);

#endif
