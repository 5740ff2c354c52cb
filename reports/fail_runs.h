/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The block of failures in the text tables.
 */
#ifndef LKP_REPORT_FAIL_RUNS_H
#define LKP_REPORT_FAIL_RUNS_H

#include "reports/report.h"

/* Appends the heading and a line per failure: base's fail:runs, the rate m/n - m0/n0 in percent,
 * head's fail:runs, what failed. A count of 0 failures is blank, as in the source reports. None:
 * nothing. */
void report_add_fail_runs(struct str *s, const struct report *r);

#endif
