/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.json: what the agent is told (docs/boot-folder.md).
 */
#ifndef LKP_RUN_ORDER_H
#define LKP_RUN_ORDER_H

#include "harness/run/boot.h"

/* Appends the text of job.json. Errors: a case that this machine cannot run (USER). */
int order_write(const struct run_boot *b, const char *boot, const char *folder, struct str *ret,
		struct err *err);
/* Seconds that all iterations may take by their time-outs. */
double order_seconds(const struct run_boot *b);

#endif
