/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the output of a benchmark line by line. It comes from outside: any bytes, any length.
 */
#ifndef LKP_BENCH_LINES_H
#define LKP_BENCH_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

#define LINES_CAP (4 << 20) /* bytes of output that a parser takes */

struct lines {
	const char *p, *end;
	int number;	 /* of the current line, from 1 */
	struct str line; /* the current line, without white space around it */
};

/* Kind BENCH when there is more than LINES_CAP; lines_done() is due in any case. */
int lines_start(struct lines *l, const char *text, size_t n, struct err *err);
/* Goes on to the next line; false at the end. */
bool lines_next(struct lines *l);
void lines_done(struct lines *l);

/* What follows the prefix in the current line (white space skipped), or NULL. Borrowed. */
const char *lines_after(const struct lines *l, const char *prefix);
/* Takes `text` as a positive number (1e-9 to 1e18) into *ret, which must still be 0: a second value
 * is a fault. Kind BENCH, with the line's number and `what`. */
int lines_number(const struct lines *l, const char *text, const char *what, double *ret,
		 struct err *err);

#endif
