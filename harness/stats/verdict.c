/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/verdict.h"

#include <limits.h>
#include <math.h>

#include "harness/stats/descr.h"

static const char *const names[] = {
	[STATS_UNDECIDED] = "undecided",       [STATS_REGRESSION] = "regression",
	[STATS_IMPROVEMENT] = "improvement",   [STATS_CLEAN] = "clean",
	[STATS_INCONCLUSIVE] = "inconclusive",
};

const char *stats_verdict_name(enum stats_verdict verdict)
{
	return names[verdict];
}

static bool is_level(double x)
{
	return x > 0 && x < 1;
}

int stats_rule_check(const struct stats_rule *rule, struct err *err)
{
	if (!(isfinite(rule->theta) && rule->theta > 0))
		return err_set(err, ERR_USER, "theta is %g: it must be positive", rule->theta);
	if (!(isfinite(rule->min_effect) && rule->min_effect >= 0))
		return err_set(err, ERR_USER, "min_effect is %g: it must not be negative",
			       rule->min_effect);
	if (!is_level(rule->alpha) || !is_level(rule->clean_alpha))
		return err_set(err, ERR_USER,
			       "alpha is %g, clean_alpha %g: both must be between 0 and 1",
			       rule->alpha, rule->clean_alpha);
	if (rule->m_kpis < 1)
		return err_set(err, ERR_USER, "%d KPIs are judged: at least one is needed",
			       rule->m_kpis);
	if (rule->n_min < 1 || rule->n_max < rule->n_min)
		return err_set(
			err, ERR_USER,
			"blocks from %d to %d: at least 1, and the first not above the second",
			rule->n_min, rule->n_max);
	return 0;
}

double stats_rule_min_effect(const struct stats_rule *rule)
{
	return rule->min_effect > 0 ? rule->min_effect : rule->theta / 2;
}

double stats_rule_floor(const struct stats_rule *rule)
{
	return rule->ratio ? STATS_FLOOR_RATIO : fmax(rule->theta / 100, 1e-300);
}

static int check_count(size_t n, struct err *err)
{
	if (n > INT_MAX)
		return err_set(err, ERR_USER, "%zu blocks: at most %d can be judged", n, INT_MAX);
	return 0;
}

int stats_block_d(double base, double head, bool higher_is_better, bool ratio, double *ret,
		  struct err *err)
{
	double up;

	if (!isfinite(base) || !isfinite(head) || (ratio && (base <= 0 || head <= 0)))
		return err_set(err, ERR_USER, "base %g, head %g: values must be finite%s", base,
			       head, ratio ? " and positive" : "");
	up = ratio ? log(head) - log(base) : head - base;
	if (!isfinite(up))
		return err_set(err, ERR_USER, "base %g, head %g: the difference is out of range",
			       base, head);
	*ret = base == head ? 0 : higher_is_better ? -up : up;
	return 0;
}

static bool is_big_enough(double dbar, const struct stats_rule *rule)
{
	return fabs(dbar) >= stats_rule_min_effect(rule);
}

static enum stats_verdict decide(const struct stats_seq *seq, const struct stats_rule *rule)
{
	double strict = stats_seq_half_width(seq, rule->alpha / rule->m_kpis);
	double wide = stats_seq_half_width(seq, rule->clean_alpha);

	if (seq->n >= (size_t)rule->n_min) {
		if (fabs(seq->dbar) > strict && is_big_enough(seq->dbar, rule))
			return seq->dbar > 0 ? STATS_REGRESSION : STATS_IMPROVEMENT;
		if (fabs(seq->dbar) + wide < rule->theta)
			return STATS_CLEAN;
	}
	return seq->n >= (size_t)rule->n_max ? STATS_INCONCLUSIVE : STATS_UNDECIDED;
}

int stats_verdict(const double *d, size_t n, struct stats_noise noise,
		  const struct stats_rule *rule, struct stats_result *ret, struct err *err)
{
	struct stats_seq seq;
	enum stats_verdict verdict;
	double half;

	if (stats_rule_check(rule, err) || check_count(n, err) ||
	    stats_seq_init(d, n, noise, rule->theta, stats_rule_floor(rule), &seq, err))
		return -1;
	verdict = decide(&seq, rule);
	half = stats_seq_half_width(&seq, 0.05);
	*ret = (struct stats_result){
		.verdict = verdict,
		.decided = verdict != STATS_UNDECIDED,
		.n = (int)n,
		.dbar = seq.dbar,
		.lo = seq.dbar - half,
		.hi = seq.dbar + half,
		.log_e0 = stats_seq_log_e(&seq, 0),
		.s = seq.s,
	};
	return 0;
}

/*
 * Does the mean of the others have this sign, whichever block is left out? Only the block that is
 * largest in the claim's direction has to be tried.
 */
static bool is_stable(const double *d, size_t n, double dbar, double sign)
{
	size_t most = 0;
	double rest = 0;

	if (n < 2 || dbar * sign <= 0)
		return false;
	for (size_t i = 1; i < n; i++)
		if (d[i] * sign > d[most] * sign)
			most = i;
	for (size_t i = 0; i < n; i++)
		if (i != most)
			rest += d[i] * sign / (double)n;
	return rest > 0;
}

int stats_confirm(const double *d, size_t n, enum stats_verdict claim,
		  const struct stats_rule *rule, struct stats_confirmation *ret, struct err *err)
{
	struct stats_noise none = {.d0 = 0};
	struct stats_confirmation c = {.n = (int)n};
	struct stats_seq seq;

	if (claim != STATS_REGRESSION && claim != STATS_IMPROVEMENT)
		return err_set(err, ERR_USER,
			       "only a regression or an improvement can be confirmed");
	if (stats_rule_check(rule, err) || check_count(n, err) ||
	    stats_seq_init(d, n, none, rule->theta, stats_rule_floor(rule), &seq, err))
		return -1;
	c.dbar = seq.dbar;
	c.log_e0 = stats_seq_log_e(&seq, 0);
	c.enough = n >= STATS_CONFIRM_BLOCKS;
	c.evident = c.log_e0 >= log(rule->m_kpis / rule->alpha);
	c.stable = is_stable(d, n, seq.dbar, claim == STATS_REGRESSION ? 1 : -1);
	c.big_enough = is_big_enough(seq.dbar, rule);
	c.passed = c.enough && c.evident && c.stable && c.big_enough;
	*ret = c;
	return 0;
}

void stats_readable_interval(double lo, double hi, bool higher_is_better, bool ratio,
			     double *ret_lo, double *ret_hi)
{
	double low = higher_is_better ? -hi : lo, high = higher_is_better ? -lo : hi;

	*ret_lo = ratio ? 100 * expm1(low) : low;
	*ret_hi = ratio ? 100 * expm1(high) : high;
}
