/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a test machine's console as it comes and says how the boot is going. The text is hostile:
 * any bytes, any length, any number of lines. Which words mean what is the table console_marks[].
 *
 * Times are monotonic seconds that the caller passes in; nothing here waits or looks at a clock.
 */
#ifndef LKP_CONSOLE_H
#define LKP_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/machine/machine.h"

#define CONSOLE_LINE_MAX 1024 /* a longer line is looked at in overlapping pieces */

enum console_event {
	CONSOLE_NOTHING,
	CONSOLE_START,	 /* the agent speaks */
	CONSOLE_ALIVE,	 /* the agent says what it does */
	CONSOLE_DONE,	 /* the agent wrote a whole result */
	CONSOLE_GAVE_UP, /* the agent could not; its text is the detail */
	CONSOLE_FAILED,	 /* the kernel reports a failure; see status of the mark */
};

/* Rows are tried in order and the first that fits counts. */
struct console_mark {
	const char *text; /* anywhere in a line, from where the detail is cut */
	enum console_event event;
	enum machine_status status; /* of CONSOLE_FAILED and CONSOLE_GAVE_UP */
};

extern const struct console_mark console_marks[]; /* ends with text == NULL */

/* When a boot must end though nobody says so; seconds. */
struct console_limits {
	double boot;	 /* from the start to the agent's first word; 0: none of its own */
	double deadline; /* from the start to the end */
	double silence;	 /* since the last byte */
	double linger;	 /* after the agent's last word or the kernel's first failure */
};

struct console {
	struct console_limits limits;
	double start, last, over_at; /* over_at: when the boot was decided; 0: not yet */
	double init;		     /* seconds until the agent spoke; 0: never */
	size_t bytes;
	char line[CONSOLE_LINE_MAX + 1];
	size_t len;
	enum console_event agent;	    /* NOTHING, START, DONE or GAVE_UP */
	const struct console_mark *failure; /* the first one, or NULL */
	char detail[400];		    /* its line, prefix cut, printable */
	char doing[120];		    /* the agent's last step, printable */
	char last_line[200];		    /* the last line with text in it, printable */
	enum machine_status forced;	    /* by console_expired(); else MACHINE_OK */
};

void console_init(struct console *c, const struct console_limits *limits, double now);
void console_feed(struct console *c, const char *data, size_t n, double now);
/* True when the machine should be stopped now: deadline, silence, or decided and lingered enough.
 */
bool console_expired(struct console *c, double now);
/* The verdict once the machine has stopped, by itself or by us; detail has room for 400 bytes. */
enum machine_status console_verdict(struct console *c, char *ret_detail);

#endif
