/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks: the base boot and the head boot with the same block number on one machine.
 */
#ifndef LKP_JUDGE_PAIRS_H
#define LKP_JUDGE_PAIRS_H

#include "harness/judge/boots.h"

struct pairs {
	double *d; /* difference per block, > 0 is worse; in log units for a ratio metric */
	size_t n;
	size_t unfit; /* blocks with a value that has no logarithm */
};

/* The blocks with exactly one boot on each side, by number: those of purpose "confirm", or all
 * others. An unknown direction counts as "higher is better". */
int pairs_make(const struct boots *base, const struct boots *head, const struct metric *def,
	       bool confirm, struct pairs *ret, struct err *err);
void pairs_done(struct pairs *p);

#endif
