/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/judge/reason.h"

#include <math.h>

#include "harness/util/mem.h"

#define BLOCKS_ENOUGH 1000

/* The least number of blocks at which a change can be told, without A/A data. */
static int least_blocks(const struct stats_rule *rule)
{
	int n = rule->n_min;

	for (; n < BLOCKS_ENOUGH; n++) {
		const struct stats_seq seq = {.n = (size_t)n, .nu = n - 1, .g = STATS_FREE_G};
		if (isfinite(stats_seq_t_star(&seq, rule->alpha / rule->m_kpis)))
			break;
	}
	return n;
}

static void add_chaos(struct str *s, const struct judged *j)
{
	if (j->deterministic && j->tasks == TASKS_SEVERAL)
		str_add(s, "; with several runnable tasks it follows one chaotic schedule per seed "
			   "on the deterministic machine, and any change may pick another");
}

/* The sequence at the level of "clean", and what it is wider than. */
static void add_interval(struct str *s, const struct judged *j, const struct stats_rule *rule)
{
	static const struct stats_noise none = {.d0 = 0};
	double level = 100 * (1 - rule->clean_alpha), theta = 100 * j->theta;
	bool higher = j->row.def->direction != METRIC_LOWER;
	struct err ignored = ERR_INIT;
	struct stats_seq seq;
	double half, lo, hi;

	if (stats_seq_init(j->blocks.d, j->blocks.n, none, rule->theta, stats_rule_floor(rule),
			   &seq, &ignored) < 0)
		return;
	half = stats_seq_half_width(&seq, rule->clean_alpha);
	stats_readable_interval(seq.dbar - half, seq.dbar + half, higher, rule->ratio, &lo, &hi);
	str_addf(s,
		 "the %.0f %% interval of %zu blocks, [%+.2f, %+.2f] %%, reaches beyond the "
		 "+-%.3g %% that matter, and shows no change at the level that a report needs",
		 level, j->blocks.n, lo, hi, theta);
}

char *reason_blocks(const struct judged *j, const struct stats_rule *rule)
{
	_cleanup_str_ struct str s = STR_INIT;
	int least = least_blocks(rule);

	if (j->blocks.n < (size_t)least)
		str_addf(&s, "too few blocks: %zu, where %d KPI%s judged together need at least %d",
			 j->blocks.n, rule->m_kpis, rule->m_kpis == 1 ? "" : "s", least);
	else
		add_interval(&s, j, rule);
	add_chaos(&s, j);
	return str_detach(&s);
}

char *reason_unpaired(const struct judged *j, bool fit)
{
	_cleanup_str_ struct str s = STR_INIT;
	const struct report_row *row = &j->row;

	if (!fit)
		str_add(&s, "a value is 0 or less, for which there is no ratio");
	else if (row->base.n < 2 || row->head.n < 2)
		str_addf(&s, "no blocks, and %zu and %zu boots: the noise between boots is unknown",
			 row->base.n, row->head.n);
	else
		str_addf(&s,
			 "no blocks; the interval of %zu and %zu boots, [%+.2f, %+.2f] %%, does "
			 "not tell a change from none within the +-%.3g %% that matter",
			 row->base.n, row->head.n, row->interval_lo, row->interval_hi,
			 100 * j->theta);
	add_chaos(&s, j);
	return str_detach(&s);
}
