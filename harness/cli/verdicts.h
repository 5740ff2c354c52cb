/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdicts of a comparison in words, under its table.
 */
#ifndef LKP_CLI_VERDICTS_H
#define LKP_CLI_VERDICTS_H

#include "harness/util/str.h"
#include "reports/report.h"

/* A row for each key metric: verdict, test, change, interval, blocks (deciding + confirming). */
void verdicts_add(struct str *s, const struct report *r);

#endif
