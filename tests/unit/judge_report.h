/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of compare_commits(): what it says of the two commits of judge_blocks.h.
 */
#ifndef LKP_TEST_JUDGE_REPORT_H
#define LKP_TEST_JUDGE_REPORT_H

#include "harness/judge/compare.h"
#include "tests/unit/judge_blocks.h"

/* n blocks: base at 1000, head moved by percent, both with a little noise of their own. */
static inline void put_blocks(struct how h, int n, double percent, double noise_pct)
{
	for (int i = 0; i < n; i++) {
		double wave = noise_pct / 100 * (i % 2 ? 1 : -1) * (1 + i % 3);
		h.block++;
		put(BASE, h, 1000 * (1 + wave));
		put(HEAD, h, 1000 * (1 + percent / 100) * (1 - wave / 2));
	}
}

static inline struct report *compare_with(const struct compare_spec *more)
{
	struct compare_spec spec = *more;
	struct report *r;

	spec.base = BASE;
	spec.head = HEAD;
	if (compare_commits(db, &spec, &r, &err) < 0)
		fail_msg("%s", err.msg);
	return r;
}

static inline struct report *compare(void)
{
	return compare_with(&(const struct compare_spec){.all = false});
}

static inline void refused(const char *why)
{
	const struct compare_spec spec = {.base = BASE, .head = HEAD};
	struct report *r;

	assert_int_equal(compare_commits(db, &spec, &r, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	if (!strstr(err.msg, why))
		fail_msg("%s\nnot: %s", err.msg, why);
}

#endif
