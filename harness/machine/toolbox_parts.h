/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that a toolbox is made of: where each lies on this host, and its name on the machine.
 */
#ifndef LKP_TOOLBOX_PARTS_H
#define LKP_TOOLBOX_PARTS_H

#include <stddef.h>

#include "harness/util/err.h"

struct toolbox_part {
	char *from; /* on this host */
	char *to;   /* on the machine, relative to / */
};

struct toolbox_parts {
	struct toolbox_part *part; /* sorted by `to` */
	size_t n, cap;
};

/* Agent and benchmarks from the folder `programs`, perf, its libraries and their loader. Kind USER
 * with the remedy when one is missing. */
int toolbox_parts_find(const char *programs, const char *perf, struct toolbox_parts *ret,
		       struct err *err);
void toolbox_parts_done(struct toolbox_parts *parts);

/* The folder of agent and benchmarks that belongs to the running program; the caller's. */
int toolbox_programs(char **ret, struct err *err);

#endif
