/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can go wrong with a kernel that boots: one row of console_kinds[] for each kind, with the
 * words that tell it on a console. A kind is finer than a machine_status, which says what becomes
 * of the boot.
 *
 * A word counts anywhere in a line, a short one not behind a letter or an underscore ("DEBUG: " is
 * not "BUG: "). Flags stand before it: '^' only where the line begins; '!' fatal whatever the row
 * says.
 */
#ifndef LKP_CONSOLE_KIND_H
#define LKP_CONSOLE_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/machine/machine.h"

#define CONSOLE_WORD_MAX 64 /* longer than any word */

struct console_kind {
	const char *name; /* "soft-lockup" */
	/* Ends with NULL. Rows and words are tried in order: the first that fits a line counts. */
	const char *const *words;
	enum machine_status status;
	bool fatal;	  /* ends the boot, by default */
	bool remote;	  /* the trace may be printed by another CPU than the one that complains */
	bool trace_first; /* the trace stands before the title, unless it is fatal by a '!' */
	bool explains;	  /* when not fatal: why a boot failed of which nobody else says it */
	bool in_title;	  /* the title names the function: "BUG: KCSAN: data-race in a / b" */
	int rank;	  /* of two in a row, the higher one with a frame is the better title */
};

extern const struct console_kind console_kinds[]; /* ends with name == NULL */

const struct console_kind *console_kind_find(const char *name); /* or NULL */

struct console_match {
	const struct console_kind *kind;
	const char *word; /* without flags */
	const char *at;	  /* where it stands in the line */
	bool fatal;
};

/* Looks for the words in text[0..n). Those that end before text + from were seen already; text[0]
 * is the beginning of the line unless `cut`. Cost: a few instructions a byte. */
bool console_match(const char *text, size_t n, size_t from, bool cut, struct console_match *ret);

/* A panic that only says that the fault before it was taken for fatal ("panic_on_warn set"). */
bool console_is_echo(const char *text);

#endif
