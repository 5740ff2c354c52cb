/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A row of a report, as a confirmed comparison on the deterministic machine leaves it.
 */
#ifndef LKP_ROW_SAMPLE_H
#define LKP_ROW_SAMPLE_H

#include "reports/report.h"

#define TEXT(s) ((char *)(s))

static struct report_row sample_row(const char *test_case, const char *metric, double base,
				    double head, const char *verdict)
{
	const struct metric *def = metric_find(metric);

	return (struct report_row){
		.machine = TEXT("icount"),
		.test_case = TEXT(test_case),
		.metric = TEXT(metric),
		.def = def,
		.base = {.mean = base, .n = 10, .present = true},
		.head = {.mean = head, .n = 10, .present = true},
		.change_pct = 100 * (head / base - 1),
		.interval_lo = 100 * (head / base - 1) - 0.05,
		.interval_hi = 100 * (head / base - 1) + 0.05,
		.verdict = verdict,
		.e_value = 15800,
		.blocks = 5,
		.paired = true,
		.kpi = def->kpi,
		.confirm_blocks = 5,
		.confirm_e_value = 15900,
		.confirmed = true,
		.noise_pct = 0.0016,
		.theta_pct = 0.5,
	};
}

#endif
