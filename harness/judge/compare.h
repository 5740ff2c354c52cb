/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparing two commits from what the database holds, by rule (a) of the statistics (see
 * ARCHITECTURE.md): blocks where there are any, the unpaired rule otherwise.
 */
#ifndef LKP_JUDGE_COMPARE_H
#define LKP_JUDGE_COMPARE_H

#include "db/db.h"
#include "db/query.h"
#include "harness/config/config.h"
#include "harness/judge/effects.h"
#include "reports/report.h"

struct compare_spec {
	const char *base, *head; /* full ids known to the database */
	struct db_filter filter;
	const struct config_sampling *sampling; /* NULL: the defaults */
	bool all; /* every metric; else KPIs, and what is significant once a KPI rejects */
	/* The jobs' own opinions; NULL: none. Without one the sampling's count: theta_deterministic
	 * for a case with one runnable task on accel icount, else theta. */
	const struct effects *effects;
};

/*
 * Comparison of everything both commits have. Never mixed are runs of different kconfigs (both
 * sides have several in common: kind USER, the filter must name one), and per machine of different
 * toolbox ids or accelerators (the newest that both sides have is used). Boots of purpose "noise"
 * are left out. Means and stddevs are over all boots; the verdict is from the blocks of purpose
 * "judge" and "import", the confirmation from those of purpose "confirm". No common test: kind
 * USER, saying what each side has.
 *
 * The verdict of the whole is the worst of the KPI rows and the failures: a failure kind for which
 * the e-value against the base passes 1/alpha counts as a regression. Failures of our lab do not
 * count.
 */
int compare_commits(struct db *db, const struct compare_spec *spec, struct report **ret,
		    struct err *err);

/* What harness/config gives as default, for use without a configuration. */
extern const struct config_sampling compare_default_sampling;

#endif
