/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the agent says: one line a step, behind "lkp-agent: ". As PID 1 to /dev/console, where the
 * machine driver listens; else to stdout.
 */
#ifndef LKP_AGENT_CONSOLE_H
#define LKP_AGENT_CONSOLE_H

/* Sends all later lines to /dev/console; lines go to stdout until then, and when it cannot be
 * opened. */
void console_open(void);

/* One line; unprintable characters are escaped, over-long text is cut. Never fails. */
void console_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
