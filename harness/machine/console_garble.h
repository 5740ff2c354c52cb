/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that print over each other letter by letter: finds the strongest words where they stand in
 * order but with other letters between them, also over the ends of lines.
 */
#ifndef LKP_CONSOLE_GARBLE_H
#define LKP_CONSOLE_GARBLE_H

#include <stddef.h>

#include "harness/machine/console_kind.h"

#define GARBLE_PATTERNS 5
#define GARBLE_MAX	40 /* longest pattern */

struct garble_state {
	size_t until; /* behind this the first letter is too far away; 0: it is not near */
	size_t far;   /* letters of the pattern that were found in order */
	/* For each number of its letters: where the shortest piece of text that ends here and holds
	 * them begins. */
	size_t began[GARBLE_MAX + 1];
};

struct garble {
	size_t at; /* bytes seen, from 1 */
	struct garble_state states[GARBLE_PATTERNS];
};

/* Reads on. Returns the kind of a word that was found garbled (a whole one is none), or NULL. Costs
 * next to nothing where none of the words' first letters is near. */
const struct console_kind *garble_feed(struct garble *g, const char *text, size_t n);

#endif
