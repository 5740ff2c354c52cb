/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On which CPUs a task runs. CPUs are ordered by package, then core, then number, so that tasks
 * fill one package before the next; only those that the program may use count. By default a task
 * gets a whole core (all its SMT threads), with smt it gets one CPU; tasks beyond the last start
 * again at the first.
 */
#ifndef WIS_DRIVER_AFFINITY_H
#define WIS_DRIVER_AFFINITY_H

#include <stdbool.h>

/* Reads the topology from sysfs; without sysfs every CPU is a core. 0, or -1 with errno. */
int affinity_init(bool smt);
/* Binds the calling thread as task nr. 0, or -1 with errno. */
int affinity_bind(unsigned long nr);

#endif
