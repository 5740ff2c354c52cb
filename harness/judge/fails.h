/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fail:runs of both sides of a comparison.
 */
#ifndef LKP_JUDGE_FAILS_H
#define LKP_JUDGE_FAILS_H

#include "harness/judge/sides.h"

/* Fills report->failures: one row per machine and kind of failure that either side has. A boot that
 * failed counts once, whatever would have run in it; a failure of our lab is no run at all.
 * *ret_worse: the evidence that the head fails where the base does not passes 1/alpha. */
int fails_compare(const struct sides *s, double alpha, struct report *report, bool *ret_worse,
		  struct err *err);

#endif
