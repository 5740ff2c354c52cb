/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/total.h"

#include <math.h>

#define ROUNDING_PCT 1e-9 /* what logarithms and exponentials leave of nothing */

bool report_row_shown(const struct report_row *row)
{
	return row->base.present && row->head.present &&
	       (row->base.mean != 0 || row->head.mean != 0);
}

double report_change_pct(double base, double head)
{
	if (base == 0)
		return head == 0 ? 0 : copysign(INFINITY, head);
	return 100 * (head / base - 1);
}

static const struct report_side *side_of(const struct report_row *row, bool head)
{
	return head ? &row->head : &row->base;
}

static struct report_side total_side(const struct report_row *const *rows, size_t n, bool head,
				     bool geometric)
{
	struct report_side total = {.integer = true, .present = true};
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		const struct report_side *s = side_of(rows[i], head);
		double sd = geometric ? s->stddev / s->mean : s->stddev;
		/* Divided first: the sum of large means must not overflow. */
		sum += (geometric ? log(s->mean) : s->mean) / (double)n;
		squares += sd / (double)n * (sd / (double)n);
		total.integer = total.integer && s->integer;
		total.n += s->n;
	}
	total.mean = geometric ? exp(sum) : sum;
	total.stddev = sqrt(squares) * (geometric ? total.mean : 1);
	return total;
}

void report_total(const struct report_row *const *rows, size_t n, struct report_row *ret)
{
	bool geometric = true;

	if (n == 1) {
		ret->base = rows[0]->base;
		ret->head = rows[0]->head;
	} else {
		for (size_t i = 0; i < n; i++)
			geometric = geometric && rows[i]->base.mean > 0 && rows[i]->head.mean > 0;
		ret->base = total_side(rows, n, false, geometric);
		ret->head = total_side(rows, n, true, geometric);
	}
	ret->change_pct = report_change_pct(ret->base.mean, ret->head.mean);
	if (fabs(ret->change_pct) < ROUNDING_PCT)
		ret->change_pct = 0;
}
