/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of CPUs as the kernel writes them: "0-3,8".
 */
#ifndef LKP_AGENT_CPULIST_H
#define LKP_AGENT_CPULIST_H

#include <sched.h>

/* -1 when the text is no such list, or names a CPU of CPU_SETSIZE or more. */
int cpulist_parse(const char *text, cpu_set_t *ret);

#endif
