/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of progress with the time left, on stderr. On a terminal it is rewritten in place,
 * within a step at most five times a second; elsewhere a full line is printed when the step changes
 * and every 30 seconds. Nothing is shown when quiet was set. It is the one thing below floor 6 that
 * may print, and callers below get it as a pointer (NULL: no progress).
 */
#ifndef LKP_PROGRESS_H
#define LKP_PROGRESS_H

#include <stdbool.h>

struct progress;

/* `what` names the job ("demo", "run"); expected_s = seconds it should take in all, 0: unknown. */
struct progress *progress_new(const char *what, double expected_s, bool quiet);
/* Starts a step: text, its weight = expected seconds (0: unknown). Ends the step before it. */
void progress_step(struct progress *p, double expected_s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Seconds of work behind the current step, where that has become better known. Each step that
 * starts takes its own expected seconds off. */
void progress_expect(struct progress *p, double rest_s);
/* Within a step: done of total units; the estimate follows from the rate once a tenth is done. */
void progress_update(struct progress *p, double done, double total);
/* Something worth a line of its own, kept on the screen. */
void progress_say(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Takes the line off the terminal; p is freed. NULL is fine (as for all of these). */
void progress_free(struct progress *p);

#endif
