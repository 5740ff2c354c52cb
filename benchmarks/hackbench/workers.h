/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Senders and receivers. In each group every one of `fds` senders writes `loops` messages to every
 * one of `fds` receivers, which have one channel each.
 *
 * Any failure, and a signal that ends the program, ends all workers first; then the program exits 1
 * with a line on stderr, or dies by the signal.
 */
#ifndef HACKBENCH_WORKERS_H
#define HACKBENCH_WORKERS_H

#include "benchmarks/hackbench/options.h"

/* Creates all workers and waits until each is ready to go. Once, from main. */
void workers_start(const struct options *options);
/* Lets them go and waits until all have ended. Nanoseconds between. */
unsigned long long workers_run(void);

#endif
