/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file report.txt of a boot: what stands around its deciding finding in console.log.
 */
#ifndef LKP_CONSOLE_REPORT_H
#define LKP_CONSOLE_REPORT_H

#include "harness/machine/machine.h"

#define CONSOLE_REPORT_NAME "report.txt"
#define CONSOLE_REPORT_SPAN (128u << 10) /* bytes of console.log */

/* Writes it from the stored log, made printable and cut at line starts: half of the span before the
 * finding that decided, or else the first one, and half behind, or more where the other side is
 * shorter. Writes nothing when the boot has no finding. */
int console_report(const char *folder, const struct machine_end *end, struct err *err);

#endif
