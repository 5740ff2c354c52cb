/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Line numbers for the functions in a boot's report.txt.
 */
#ifndef LKP_RUN_DECODE_H
#define LKP_RUN_DECODE_H

#include "harness/run/boot.h"

/* Rewrites report.txt of the folder, where there is one and the kernel has a vmlinux. What keeps it
 * from being read is logged: the boot counts as it is. */
void decode_report(const struct run_boot *b, const char *folder);

#endif
