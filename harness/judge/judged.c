/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/judge/judged.h"

#include <math.h>

#include "harness/bench/bench.h"
#include "harness/judge/reason.h"
#include "harness/stats/welch.h"
#include "harness/util/mem.h"
#include "reports/total.h"

static enum tasks tasks_of(const char *name, bool deterministic)
{
	_cleanup_(bench_case_done) struct bench_case c = {.name = NULL};
	struct err ignored = ERR_INIT;

	/* Only the deterministic machine is asked about, and that has one CPU. */
	if (!deterministic || bench_case_parse(name, &c, &ignored) < 0)
		return TASKS_UNKNOWN;
	return c.bench->single(&c, 1) ? TASKS_ONE : TASKS_SEVERAL;
}

static double theta_of(const struct compare_spec *spec, const struct judged *j)
{
	double theta = effects_find(spec->effects, j->row.test_case)->theta;

	if (theta > 0)
		return theta;
	return j->tasks == TASKS_ONE ? spec->sampling->theta_deterministic : spec->sampling->theta;
}

static int fill_sides(struct judged *j, struct err *err)
{
	struct report_row *row = &j->row;

	if ((j->base.n && boots_side(&j->base, &row->base, err) < 0) ||
	    (j->head.n && boots_side(&j->head, &row->head, err) < 0))
		return -1;
	row->change_pct = row->base.present && row->head.present
				  ? report_change_pct(row->base.mean, row->head.mean)
				  : NAN;
	return 0;
}

int judged_make(const struct compare_spec *spec, const struct db_sample *const *base, size_t n_base,
		const struct db_sample *const *head, size_t n_head, struct judged *ret,
		struct err *err)
{
	const struct db_sample *any = n_base ? base[0] : head[0];
	const struct metric *def = metric_find(any->metric);
	struct judged j = {
		.row = {.machine = xstrdup(any->machine),
			.test_case = xstrdup(any->test_case),
			.metric = xstrdup(any->metric),
			.def = def,
			.verdict = "",
			.interval_lo = NAN,
			.interval_hi = NAN,
			.e_value = NAN,
			.confirm_e_value = NAN,
			.noise_pct = NAN,
			.kpi = def->kpi},
		.deterministic = sample_deterministic(any),
		.log_e = -INFINITY,
	};

	j.tasks = tasks_of(any->test_case, j.deterministic);
	j.theta = theta_of(spec, &j);
	j.min_effect = effects_find(spec->effects, j.row.test_case)->min_effect;
	j.row.theta_pct = 100 * j.theta;
	if (boots_make(base, n_base, def, &j.base, err) < 0 ||
	    boots_make(head, n_head, def, &j.head, err) < 0 ||
	    pairs_make(&j.base, &j.head, def, false, &j.blocks, err) < 0 ||
	    pairs_make(&j.base, &j.head, def, true, &j.confirm, err) < 0 ||
	    fill_sides(&j, err) < 0) {
		judged_done(&j);
		return -1;
	}
	*ret = j;
	return 0;
}

void judged_done(struct judged *j)
{
	free(j->row.machine);
	free(j->row.test_case);
	free(j->row.metric);
	free(j->row.reason);
	boots_done(&j->base);
	boots_done(&j->head);
	pairs_done(&j->blocks);
	pairs_done(&j->confirm);
}

/* What one unit of a plain difference is, so that theta is a part of it. */
static double scale_of(const struct judged *j)
{
	double scale = fmax(fabs(j->row.base.mean), fabs(j->row.head.mean));

	return j->row.def->ratio ? 1 : scale;
}

static struct stats_rule rule_of(const struct judged *j, const struct config_sampling *sampling,
				 int m)
{
	struct stats_rule rule = STATS_RULE_INIT;
	double scale = scale_of(j);

	rule.theta = j->theta * scale;
	rule.min_effect = (j->min_effect > 0 ? j->min_effect : sampling->min_effect) * scale;
	rule.alpha = sampling->alpha;
	rule.clean_alpha = sampling->clean_alpha;
	rule.m_kpis = m;
	rule.ratio = j->row.def->ratio;
	return rule;
}

static bool higher(const struct judged *j)
{
	return j->row.def->direction != METRIC_LOWER;
}

/* The interval in percent; a percentage's in points. */
static void set_interval(struct judged *j, double lo, double hi)
{
	struct report_row *row = &j->row;
	const struct metric *def = row->def;
	double unit = def->ratio || def->percent ? 1 : 100 / fabs(row->base.mean);

	if (!isfinite(unit))
		return;
	stats_readable_interval(lo, hi, higher(j), def->ratio, &row->interval_lo,
				&row->interval_hi);
	row->interval_lo *= unit;
	row->interval_hi *= unit;
}

static const char *word(enum stats_verdict verdict)
{
	/* With what is stored the comparison is over: undecided is not clean. */
	return verdict == STATS_UNDECIDED ? "inconclusive" : stats_verdict_name(verdict);
}

static int confirm(struct judged *j, enum stats_verdict claim, const struct stats_rule *rule,
		   struct err *err)
{
	struct stats_confirmation c;

	if (!j->confirm.n || (claim != STATS_REGRESSION && claim != STATS_IMPROVEMENT))
		return 0;
	if (stats_confirm(j->confirm.d, j->confirm.n, claim, rule, &c, err) < 0)
		return -1;
	j->row.confirm_blocks = j->confirm.n;
	j->row.confirm_e_value = stats_e_value(c.log_e0);
	j->row.confirmed = c.passed;
	return 0;
}

static int decide_paired(struct judged *j, const struct stats_rule *rule, struct err *err)
{
	static const struct stats_noise none = {.d0 = 0};
	struct report_row *row = &j->row;
	struct stats_result result;
	double sd;

	if (stats_verdict(j->blocks.d, j->blocks.n, none, rule, &result, err) < 0 ||
	    stats_stddev(j->blocks.d, j->blocks.n, &sd, err) < 0)
		return -1;
	row->paired = true;
	row->blocks = j->blocks.n;
	row->e_value = stats_e_value(result.log_e0);
	if (j->blocks.n > 1)
		row->noise_pct = 100 * sd / scale_of(j);
	j->log_e = result.log_e0;
	set_interval(j, result.lo, result.hi);
	if (!row->kpi)
		return 0;
	row->verdict = word(result.verdict);
	if (streq(row->verdict, "inconclusive"))
		row->reason = reason_blocks(j, rule);
	return confirm(j, result.verdict, rule, err);
}

/* Logarithms of a ratio metric's values; false when one has none. */
static bool to_scale(const struct judged *j, const struct boots *b, double *ret)
{
	for (size_t i = 0; i < b->n; i++) {
		if (j->row.def->ratio && b->values[i] <= 0)
			return false;
		ret[i] = j->row.def->ratio ? log(b->values[i]) : b->values[i];
	}
	return true;
}

static int decide_unpaired(struct judged *j, const struct stats_rule *rule, struct err *err)
{
	static const struct stats_noise none = {.d0 = 0};
	_cleanup_free_ double *base = xcalloc(j->base.n, sizeof(*base));
	_cleanup_free_ double *head = xcalloc(j->head.n, sizeof(*head));
	struct report_row *row = &j->row;
	struct stats_welch w = {.verdict = STATS_INCONCLUSIVE, .p = 1};
	bool fit = to_scale(j, &j->base, base) && to_scale(j, &j->head, head);

	if (fit &&
	    stats_welch(base, j->base.n, head, j->head.n, higher(j), none, rule, &w, err) < 0)
		return -1;
	if (fit)
		set_interval(j, w.lo, w.hi);
	/* An e-value from a p-value: the calibrator 1/(2 sqrt p) of Vovk and Wang, Ann. Stat. 49,
	 * 2021. */
	j->log_e = -M_LN2 - log(fmax(w.p, 1e-300)) / 2;
	if (!row->kpi)
		return 0;
	row->verdict = word(w.verdict);
	if (streq(row->verdict, "inconclusive"))
		row->reason = reason_unpaired(j, fit);
	return 0;
}

/* The words are from the blocks, the table's means from all boots: they must not contradict. */
static void check_against_table(struct judged *j)
{
	struct report_row *row = &j->row;
	double worse = higher(j) ? -row->change_pct : row->change_pct;
	double most = 100 * expm1(j->theta);
	bool against = (streq(row->verdict, "regression") && worse < 0) ||
		       (streq(row->verdict, "improvement") && worse > 0) ||
		       (streq(row->verdict, "clean") && fabs(worse) > most);

	if (!against)
		return;
	row->reason = xasprintf("the blocks say \"%s\", but the means over all boots differ by "
				"%+.2f %%: some boots belong to no whole block",
				row->verdict, row->change_pct);
	row->verdict = "inconclusive";
	row->confirmed = false;
}

int judged_decide(struct judged *j, const struct config_sampling *sampling, int m, struct err *err)
{
	struct stats_rule rule = rule_of(j, sampling, m);
	int status;

	if (rule.theta <= 0) /* 0 on both sides */
		return 0;
	if (j->blocks.n)
		status = decide_paired(j, &rule, err);
	else
		status = decide_unpaired(j, &rule, err);
	if (status < 0)
		return err_wrap(err, "%s/%s %s", j->row.machine, j->row.test_case, j->row.metric);
	if (j->row.kpi)
		check_against_table(j);
	return 0;
}

void judged_equal(struct judged *j)
{
	struct report_row *row = &j->row;

	row->paired = j->blocks.n > 0;
	row->blocks = j->blocks.n;
	if (!row->kpi)
		return;
	row->verdict = "clean";
	row->reason = xstrdup("both sides boot the same image");
}

const char *judged_direction_word(const struct judged *j)
{
	if (j->row.def->direction == METRIC_UNKNOWN)
		return "";
	bool up = j->row.head.mean > j->row.base.mean;
	return up == higher(j) ? "improvement" : "regression";
}
