/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One side of a comparison as typed: [COMMIT][@KCONFIG][,machine=M].
 */
#ifndef LKP_CLI_COMPARE_SIDE_H
#define LKP_CLI_COMPARE_SIDE_H

#include "harness/util/err.h"

struct compare_side {
	char *text;		       /* holds the parts */
	const char *commit;	       /* "" when absent */
	const char *kconfig, *machine; /* NULL when absent */
};

/* Kind USER: no such form, or a key that is not known. */
int compare_side_parse(const char *text, struct compare_side *ret, struct err *err);
void compare_side_done(struct compare_side *s);

/* What both sides say of one axis: *ret is the word, or stays as it is when neither says any. Two
 * different words are kind USER: sides that differ in more than the commit are a later feature. */
int compare_side_join(const char *axis, const char *base, const char *head, const char **ret,
		      struct err *err);

#endif
