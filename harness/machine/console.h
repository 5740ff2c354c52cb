/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a test machine's console as it comes and says how the boot is going. The text is hostile:
 * any bytes, any length, any number of lines. Which words mean what is the table console_kinds[].
 *
 * Times are monotonic seconds that the caller passes in; nothing here waits or looks at a clock.
 */
#ifndef LKP_CONSOLE_H
#define LKP_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/machine/console_garble.h"
#include "harness/machine/findings.h"
#include "harness/machine/machine.h"

#define CONSOLE_LINE_MAX 1024 /* a longer line is looked at in overlapping pieces */

enum console_event {
	CONSOLE_NOTHING,
	CONSOLE_START,	 /* the agent speaks */
	CONSOLE_ALIVE,	 /* the agent says what it does */
	CONSOLE_DONE,	 /* the agent wrote a whole result */
	CONSOLE_GAVE_UP, /* the agent could not; its text is the detail */
};

/* When a boot must end though nobody says so; seconds. */
struct console_limits {
	double boot;	 /* from the start to the agent's first word; 0: none of its own */
	double deadline; /* from the start to the end */
	double silence;	 /* since the last byte */
	double linger;	 /* after the agent's last word or the kernel's first failure */
};

/* What the kernel configuration says of faults; borrowed. */
struct console_rules {
	char *const *ignore; /* a finding whose title has one of these texts is none; NULL: none */
	bool fatal_warnings; /* a WARNING ends the boot, too */
};

struct console {
	struct console_limits limits;
	struct console_rules rules;
	double start, last, over_at; /* over_at: when the boot was decided; 0: not yet */
	double init;		     /* seconds until the agent spoke; 0: never */
	size_t bytes;
	char line[CONSOLE_LINE_MAX + 1];
	size_t len;
	size_t seen; /* bytes at the front of a piece of a line that were looked at before */
	enum console_event agent; /* NOTHING, START, DONE or GAVE_UP */
	bool booted;		  /* the kernel's first line came */
	struct findings findings;
	struct garble garble;
	char doing[120];	    /* the agent's last step, printable */
	char last_line[200];	    /* the last line with text in it, as it came */
	enum machine_status forced; /* by console_expired(); else MACHINE_OK */
};

void console_init(struct console *c, const struct console_limits *limits, double now);
/* Of this boot; without it nothing is ignored and warnings are recorded only. */
void console_rules(struct console *c, const struct machine_boot *boot);
void console_feed(struct console *c, const char *data, size_t n, double now);
/* True when the machine should be stopped now: deadline, silence, or decided and lingered enough.
 */
bool console_expired(struct console *c, double now);

/* The verdict once the machine has stopped, by itself or by us: sets status, kind, frame, detail,
 * init_seconds and the findings of *end, and nothing else. */
void console_end(struct console *c, struct machine_end *end);

/* Something outside knows better how the boot ended: the kind may be a status' name. What the
 * kernel's words said stays among the findings. */
void console_overrule(struct machine_end *end, enum machine_status status, const char *kind,
		      const char *detail);

#endif
