/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the database has of the two sides of a comparison, cut down to what may be set against each
 * other: one kconfig, and per machine one toolbox id and one accelerator.
 */
#ifndef LKP_JUDGE_SIDES_H
#define LKP_JUDGE_SIDES_H

#include "db/query.h"
#include "harness/judge/compare.h"

struct side {
	struct db_sample *all;
	size_t n_all;
	const struct db_sample **samples; /* the ones to use, in the order of db_samples() */
	size_t n;
	struct db_outcome *all_outcomes;
	size_t n_all_outcomes;
	const struct db_outcome **outcomes;
	size_t n_outcomes;
};

struct sides {
	struct side base, head;
	char *kconfig;
};

/* See compare_commits() for the errors. */
int sides_load(struct db *db, const struct compare_spec *spec, struct sides *ret, struct err *err);
void sides_done(struct sides *s);

/* Sets *err (USER) to say that nothing is in common, and what each side has; returns -1. */
int sides_nothing(const struct sides *s, const struct compare_spec *spec, struct err *err);

/* Whether every boot of both sides boots one and the same image. */
bool sides_equal_images(const struct sides *s);

#endif
