/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The test machine's watchdog, /dev/watchdog, where the kernel has one: it ends a machine that
 * hangs with interrupts off, which no program of its own can. Fed before each step with the time
 * that the step may take, so nothing runs beside what is measured. Without a device these do
 * nothing.
 */
#ifndef LKP_AGENT_WATCHDOG_H
#define LKP_AGENT_WATCHDOG_H

/* For a machine that is ours alone: from here on it dies unless fed. */
void watchdog_open(void);
/* The machine has this long from now; longer than the device can wait: it is not watched. */
void watchdog_feed(double seconds);
/* Stops the watch. */
void watchdog_close(void);

#endif
