/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command-line options as a table, from which the help text prints too. Options may come before or
 * after arguments; "--" ends them; "--name=value" and "--name value" are one; short options do not
 * bundle. An unknown option is an error of kind USER that names the nearest known one.
 */
#ifndef LKP_OPT_H
#define LKP_OPT_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

enum opt_type {
	OPT_FLAG, /* bool * */
	OPT_STR,  /* const char ** (borrowed from argv) */
	OPT_INT,  /* int64_t *, within min..max */
	OPT_REAL, /* double * */
	OPT_LIST, /* char *** by strv_add(): may be given again */
};

struct opt {
	const char *name; /* "--base" without the dashes; NULL ends a table */
	char letter;	  /* 'b', or 0 */
	enum opt_type type;
	const char *arg;  /* "COMMIT"; NULL for flags */
	const char *help; /* one line */
	void *value;
	int64_t min, max; /* OPT_INT; both 0: any */
};

/* Parses argv[1..argc-1] by both tables (global may be NULL); *ret_args is a NULL-terminated vector
 * (caller frees the vector, not the strings) of what is no option, *ret_n their number. */
int opt_parse(const struct opt *opts, const struct opt *global, int argc, char **argv,
	      char ***ret_args, int *ret_n, struct err *err);

/* Appends "  -b, --base COMMIT   help" lines, aligned. */
void opt_add_help(struct str *s, const struct opt *opts);

#endif
