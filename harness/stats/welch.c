/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/welch.h"

#include <math.h>

#include "harness/stats/descr.h"
#include "harness/stats/special.h"

#define DF_MAX 1e6

/* One independent estimate of a variance, as a part of the squared standard error. */
struct part {
	double root; /* sqrt of its share in se^2 */
	double df;
};

/* se and Satterthwaite's df of a sum of parts, in units of the largest one: nothing overflows. */
static void combine(const struct part *parts, size_t n, double *ret_se, double *ret_df)
{
	double unit = 0, sum = 0, spread = 0;

	for (size_t i = 0; i < n; i++)
		unit = fmax(unit, parts[i].root);
	for (size_t i = 0; i < n; i++) {
		double share = unit > 0 ? parts[i].root / unit * (parts[i].root / unit) : 0;

		sum += share;
		if (parts[i].df > 0)
			spread += share * share / parts[i].df;
	}
	*ret_se = unit * sqrt(sum);
	/* Never below the smallest part's, which is 1 or more: rounding may say 0.99... */
	*ret_df = spread > 0 ? fmin(fmax(sum * sum / spread, 1), DF_MAX) : 0;
}

/* Is there a variance to work with: A/A noise, or two values on both sides? */
static bool has_variance(const struct stats_welch *w, struct stats_noise noise)
{
	return noise.d0 > 0 || (w->n_base >= 2 && w->n_head >= 2);
}

static void standard_error(struct stats_welch *w, double sd_base, double sd_head,
			   struct stats_noise noise, double least)
{
	double d0 = noise.d0 < STATS_D0_MAX ? noise.d0 : STATS_D0_MAX;
	double k_base = (double)(w->n_base - 1), k_head = (double)(w->n_head - 1);
	double nu_base = d0 + k_base, nu_head = d0 + k_head;
	double one = least * M_SQRT1_2; /* the floor, for one boot */
	double s0 = d0 > 0 ? fmax(noise.s0 * M_SQRT1_2, one) : 0;
	double weight_base = 1 / (nu_base * (double)w->n_base);
	double weight_head = 1 / (nu_head * (double)w->n_head);
	const struct part parts[] = {
		{s0 * sqrt(d0 * (weight_base + weight_head)), d0},
		{fmax(sd_base, one) * sqrt(k_base * weight_base), k_base},
		{fmax(sd_head, one) * sqrt(k_head * weight_head), k_head},
	};

	combine(parts, 3, &w->se, &w->df);
}

static int decide(struct stats_welch *w, const struct stats_rule *rule, struct err *err)
{
	double strict, wide, shown;

	if (stats_t_quantile(fmax(rule->alpha / rule->m_kpis, 1e-200), w->df, &strict, err) ||
	    stats_t_quantile(fmax(rule->clean_alpha, 1e-200), w->df, &wide, err) ||
	    stats_t_quantile(0.05, w->df, &shown, err) ||
	    stats_t_p(w->diff / w->se, w->df, &w->p, err))
		return -1;
	w->lo = w->diff - shown * w->se;
	w->hi = w->diff + shown * w->se;
	if (fabs(w->diff) > strict * w->se && fabs(w->diff) >= stats_rule_min_effect(rule))
		w->verdict = w->diff > 0 ? STATS_REGRESSION : STATS_IMPROVEMENT;
	else if (fabs(w->diff) + wide * w->se < rule->theta)
		w->verdict = STATS_CLEAN;
	return 0;
}

int stats_welch(const double *base, size_t n_base, const double *head, size_t n_head,
		bool higher_is_better, struct stats_noise noise, const struct stats_rule *rule,
		struct stats_welch *ret, struct err *err)
{
	struct stats_descr b, h;
	struct stats_welch w = {.verdict = STATS_INCONCLUSIVE, .n_base = n_base, .n_head = n_head};

	if (stats_rule_check(rule, err) || stats_noise_check(noise, err))
		return -1;
	if (stats_describe(base, n_base, &b, err))
		return err_wrap(err, "base");
	if (stats_describe(head, n_head, &h, err))
		return err_wrap(err, "head");
	w.diff = higher_is_better ? b.mean - h.mean : h.mean - b.mean;
	if (!isfinite(w.diff))
		return err_set(err, ERR_USER, "base %g, head %g: the difference is out of range",
			       b.mean, h.mean);
	w.lo = -INFINITY;
	w.hi = w.se = INFINITY;
	w.p = 1;
	if (has_variance(&w, noise)) {
		standard_error(&w, b.stddev, h.stddev, noise, stats_rule_floor(rule));
		if (decide(&w, rule, err))
			return -1;
	}
	*ret = w;
	return 0;
}

static bool is_side(const struct stats_side *side)
{
	return isfinite(side->mean) && isfinite(side->se) && side->se >= 0 && isfinite(side->n) &&
	       side->n >= 2;
}

int stats_welch_p(const struct stats_side *a, const struct stats_side *b, double *ret_p,
		  struct err *err)
{
	double se, df;

	if (!is_side(a) || !is_side(b))
		return err_set(
			err, ERR_USER,
			"Welch's test needs two finite means with standard errors of 2 runs or more");
	combine((const struct part[]){{a->se, a->n - 1}, {b->se, b->n - 1}}, 2, &se, &df);
	if (se <= 0) {
		*ret_p = a->mean == b->mean;
		return 0;
	}
	return stats_t_p((a->mean - b->mean) / se, df, ret_p, err);
}
