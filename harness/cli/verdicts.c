/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/verdicts.h"

#include <math.h>

#include "harness/util/mem.h"
#include "harness/util/table.h"

void verdicts_add(struct str *s, const struct report *r)
{
	struct table *t = table_new((const char *const[]){"verdict", "test", "metric", ">change",
							  "95 % interval", "blocks", NULL});
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct report_row *row = &r->rows[i];
		if (!row->kpi)
			continue;
		table_row(t);
		table_cell(t, "%s%s", row->verdict, row->confirmed ? ", confirmed" : "");
		table_cell(t, "%s/%s", row->machine, row->test_case);
		table_cell(t, "%s", row->metric);
		table_cell(t, "%+.2f%%", row->change_pct);
		if (isfinite(row->interval_lo) && isfinite(row->interval_hi))
			table_cell(t, "%+.2f%% to %+.2f%%", row->interval_lo, row->interval_hi);
		else
			table_cell(t, "-");
		table_cell(t, "%zu + %zu", row->blocks, row->confirm_blocks);
	}
	table_add(s, t);
	table_free(t);
}
