/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One figure for a metric over several tests. Pure function.
 */
#ifndef LKP_REPORT_TOTAL_H
#define LKP_REPORT_TOTAL_H

#include "reports/report.h"

/* Whether a row has two sides to set against each other: both there, and not 0 against 0. */
bool report_row_shown(const struct report_row *row);

/* The total of the shown rows of one metric (n of them, NULL entries are not allowed): the
 * geometric mean over the tests, and the stddev that it has when each test has its own: relatively,
 * the root of the sum of squares, divided by n. A mean that is not positive has no geometric mean:
 * then both are those of the arithmetic mean. One row: itself. Fills only base, head and change_pct
 * of *ret. */
void report_total(const struct report_row *const *rows, size_t n, struct report_row *ret);

/* 100 (head/base - 1); an infinity for a zero base. */
double report_change_pct(double base, double head);

#endif
