/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/failures.h"

#include <math.h>

#include "harness/stats/special.h"

#define RUNS_MAX 1000000

struct beta {
	double a, b;
};

static const struct beta healthy = {0.5, 50};
static const struct beta failing = {0.5, 0.5};

static int check(struct stats_fails side, const char *name, struct err *err)
{
	if (side.fails < 0 || side.runs > RUNS_MAX || side.fails > side.runs)
		return err_set(
			err, ERR_USER,
			"%s fails %d:%d: the first must be in 0..second, the second at most %d",
			name, side.fails, side.runs, RUNS_MAX);
	return 0;
}

/* ln M(side; prior) */
static double log_marginal(struct stats_fails side, struct beta prior)
{
	return stats_lbeta(prior.a + side.fails, prior.b + (side.runs - side.fails)) -
	       stats_lbeta(prior.a, prior.b);
}

static struct stats_fails both(struct stats_fails a, struct stats_fails b)
{
	return (struct stats_fails){a.fails + b.fails, a.runs + b.runs};
}

/* ln of the likelihood at the rate fails/runs; 0 ln 0 is 0. */
static double log_best(struct stats_fails side)
{
	double f = side.fails, ok = side.runs - side.fails, n = side.runs;

	return (f > 0 ? f * log(f / n) : 0) + (ok > 0 ? ok * log(ok / n) : 0);
}

int stats_fails_log_e(struct stats_fails base, struct stats_fails head, double *ret,
		      struct err *err)
{
	if (check(base, "base", err) || check(head, "head", err))
		return -1;
	*ret = log_marginal(base, healthy) + log_marginal(head, failing) -
	       log_marginal(both(base, head), healthy);
	return 0;
}

int stats_fails_log_e_any(struct stats_fails base, struct stats_fails head, double *ret,
			  struct err *err)
{
	if (check(base, "base", err) || check(head, "head", err))
		return -1;
	*ret = log_marginal(base, healthy) + log_marginal(head, failing) -
	       log_best(both(base, head));
	return 0;
}
