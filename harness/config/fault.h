/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults of one file, collected so that a person sees all of them at once, in the file's order.
 */
#ifndef LKP_FAULT_H
#define LKP_FAULT_H

#include <stddef.h>

#include "harness/config/config.h"
#include "harness/util/err.h"
#include "harness/util/str.h"

#define FAULTS_MAX 50 /* later ones are dropped: they mostly follow from the first */

struct fault {
	struct config_mark mark;
	char *text;
};

struct faults {
	struct fault list[FAULTS_MAX];
	size_t n;
};

void faults_done(struct faults *f);
void fault_add(struct faults *f, struct config_mark mark, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* 0 when there are none. Else appends "file:line:column: message" lines in the file's order to
 * lines (may be NULL), sets *err (USER) to the first and returns -1. */
int faults_report(struct faults *f, struct str *lines, struct err *err);

/* Appends text in double quotes, cut to 60 bytes, with nothing unprintable in it. */
void fault_quote(struct str *s, const char *text);

#endif
