/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel reported during one boot. A finding is open while the first own function of its
 * trace is still looked for; then its signature is known, and one that was seen before is counted
 * there.
 */
#ifndef LKP_FINDINGS_H
#define LKP_FINDINGS_H

#include <stddef.h>
#include <stdint.h>

#include "harness/machine/console_frame.h"
#include "harness/machine/console_kind.h"

#define FINDINGS_MAX  32
#define FINDINGS_OPEN 4

struct console_finding {
	const struct console_kind *kind;
	char title[300];	       /* one printable line */
	char frame[CONSOLE_FRAME_MAX]; /* first own function; "": none was printed */
	/* "oops in shmem_write_begin"; without a frame "panic: " and the title less its numbers.
	 * The same bug in another boot gives the same one. */
	char signature[200];
	bool fatal;
	bool echo;	/* a panic that only says that the one before was fatal */
	size_t offset;	/* of its line in console.log */
	unsigned count; /* how often it came */
	double at;	/* when it came first, on the caller's clock */
};

struct findings_open {
	struct console_finding f;
	uint32_t caller; /* task or CPU that prints it; 0: unknown */
	unsigned lines;	 /* since its title */
	bool traced;	 /* its trace began */
	bool ignored;	 /* holds what belongs to it, and is then dropped */
};

struct findings {
	struct console_finding v[FINDINGS_MAX]; /* by offset */
	size_t n;
	struct findings_open open[FINDINGS_OPEN]; /* by offset */
	size_t n_open;
};

/* A report begins: f has kind, title, fatal, offset and at. False: it belongs to the report that is
 * open ("Oops: 0002 [#1]" below "BUG: unable to handle page fault"), nothing is new. */
bool findings_begin(struct findings *fs, const struct console_finding *f, uint32_t caller,
		    bool ignored);

/* Any other line, its prefix cut. */
void findings_line(struct findings *fs, const char *text, uint32_t caller);

/* A finding that is none of the kernel's words (silence, deadline): whole at once. Its signature
 * may be set already. */
void findings_add(struct findings *fs, const struct console_finding *f);

/* The text has ended. */
void findings_close(struct findings *fs);

bool findings_has(const struct findings *fs, const struct console_kind *kind);

/* The finding that decides, once closed: the first fatal one, or one of a higher rank that names a
 * function and came at most `linger` seconds behind it. NULL: none is fatal. */
const struct console_finding *findings_decider(const struct findings *fs, double linger);

/* The last that explains a failure though it is not fatal, now marked so; NULL: none. */
const struct console_finding *findings_explain(struct findings *fs);

#endif
