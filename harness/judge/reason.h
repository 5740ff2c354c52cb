/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a row is inconclusive, in a sentence without a full stop. The caller frees the result.
 */
#ifndef LKP_JUDGE_REASON_H
#define LKP_JUDGE_REASON_H

#include "harness/judge/judged.h"
#include "harness/stats/verdict.h"

char *reason_blocks(const struct judged *j, const struct stats_rule *rule);
/* fit: every value has a logarithm, where the metric needs one. */
char *reason_unpaired(const struct judged *j, bool fit);

#endif
