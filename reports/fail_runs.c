/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/fail_runs.h"

static double rate(size_t failed, size_t runs)
{
	return runs ? (double)failed / (double)runs : 0;
}

static void count(char *ret, size_t size, size_t failed)
{
	snprintf(ret, size, "%zu", failed);
	if (!failed)
		*ret = '\0';
}

void report_add_fail_runs(struct str *s, const struct report *r)
{
	if (!r->n_failures)
		return;
	str_add(s, "       fail:runs  %reproduction    fail:runs\n"
		   "           |             |             |\n");
	for (size_t i = 0; i < r->n_failures; i++) {
		const struct report_failure *f = &r->failures[i];
		double change = 100 * (rate(f->head_failed, f->head_runs) -
				       rate(f->base_failed, f->base_runs));
		char base[24], head[24], percent[24];

		count(base, sizeof(base), f->base_failed);
		count(head, sizeof(head), f->head_failed);
		snprintf(percent, sizeof(percent), "%.0f%%", change);
		str_addf(s, "%11s:%-4zu%11s%12s:%-6zu", base, f->base_runs, percent, head,
			 f->head_runs);
		str_add_safe(s, f->machine, strlen(f->machine));
		str_addc(s, '/');
		str_add_safe(s, f->what, strlen(f->what));
		str_addc(s, '\n');
	}
}
