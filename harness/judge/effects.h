/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What matters in a test, where its job has an opinion of its own.
 */
#ifndef LKP_JUDGE_EFFECTS_H
#define LKP_JUDGE_EFFECTS_H

#include <stddef.h>

#include "harness/bench/bench.h"

/* Ratios; 0: no opinion, the sampling's counts. */
struct effect {
	char *test_case;
	double theta, min_effect;
};

struct effects {
	struct effect *v;
	size_t n, cap;
};

/* Adds those of the cases whose jobs have an opinion. */
void effects_add(struct effects *e, const struct bench_case *cases, size_t n);
void effects_done(struct effects *e);
/* The case's entry, or one without an opinion; never NULL. e may be NULL. */
const struct effect *effects_find(const struct effects *e, const char *test_case);

#endif
