/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's clock before the first measurement.
 */
#ifndef LKP_AGENT_CLOCK_H
#define LKP_AGENT_CLOCK_H

#include <stdint.h>

#include "harness/util/str.h"

#define CLOCK_SYSFS "/sys/devices/system/clocksource/clocksource0/"

double clock_uptime(void); /* seconds since the kernel started to keep time */
/* Waits until the kernel has left its provisional clocksource (tsc-early, refined-jiffies) for the
 * one it keeps, at most bound_s seconds; where there is nothing to wait for, returns at once.
 * Appends the name of the clocksource then in use ("" when sysfs has none). */
void clock_wait_stable(double bound_s, struct str *ret);

/* Spins for 0 to 4 ms, chosen by the seed, so that boots with different seeds start at different
 * phases of the timer tick. Seed 0: not at all. */
void clock_start_phase(int64_t seed);

#endif
