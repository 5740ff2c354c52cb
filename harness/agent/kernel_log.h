/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's log, as dmesg prints it.
 */
#ifndef LKP_AGENT_KERNEL_LOG_H
#define LKP_AGENT_KERNEL_LOG_H

#include <stddef.h>

#include "harness/util/str.h"

/* Appends the log, at most its last cap bytes. -1: not allowed to read it, or there is none. */
int kernel_log_read(size_t cap, struct str *ret);

#endif
