/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What matters of a .config to someone who reads a number: debugging, preemption, ticks.
 */
#ifndef LKP_KERNEL_FACTS_H
#define LKP_KERNEL_FACTS_H

#include <stddef.h>

#include "harness/util/str.h"

/* Appends "HZ=250, PREEMPT_NONE=y, ..." of the text of a .config; debug options only where they are
 * on, and "no debug options" when none is. */
void kernel_config_facts(const char *config, size_t n, struct str *ret);

#endif
