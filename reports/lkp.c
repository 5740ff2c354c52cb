/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the 2014 reports. */
#include <math.h>

#include "harness/util/mem.h"
#include "reports/renderers.h"
#include "reports/total.h"

#define BASE_WIDTH 15
#define HEAD_WIDTH 25
#define LARGE	   1e8 /* means from here on are written with an exponent */
#define LARGE_PCT  1e5

static void add_head(struct str *s, const struct report *r)
{
	str_addf(s, "%-*.*s  %.*s\n", BASE_WIDTH, BASE_WIDTH, r->base.id, HEAD_WIDTH, r->head.id);
	for (int i = 0; i < BASE_WIDTH; i++)
		str_addc(s, '-');
	str_add(s, "  ");
	for (int i = 0; i < HEAD_WIDTH; i++)
		str_addc(s, '-');
	str_addc(s, '\n');
}

static void add_mean(struct str *s, double mean, bool integer, int width)
{
	char text[400];
	bool whole = integer || fabs(mean) >= 1000;

	if (fabs(mean) >= LARGE)
		snprintf(text, sizeof(text), "%.4g", mean);
	else if (whole)
		snprintf(text, sizeof(text), "%.0f", mean);
	else
		snprintf(text, sizeof(text), "%.2f", mean);
	/* What rounds to nothing has no sign. */
	str_addf(s, "%*s", width,
		 text[0] == '-' && strspn(text, "-0.") == strlen(text) ? text + 1 : text);
}

/* " ~%2d%%"; blank for the base of a change from nothing. */
static void add_stddev(struct str *s, const struct report_side *side, bool base)
{
	double pct = side->mean != 0 ? 100 * side->stddev / fabs(side->mean) : 0;

	if (base && side->mean == 0)
		str_add(s, "     ");
	else if (pct >= 1e6)
		str_addf(s, " ~%.2g%%", pct);
	else
		str_addf(s, " ~%2.0f%%", round(pct));
}

static void add_change(struct str *s, double pct)
{
	char text[40];

	if (isinf(pct))
		snprintf(text, sizeof(text), "%cInf%%", pct > 0 ? '+' : '-');
	else if (fabs(pct) >= LARGE_PCT)
		snprintf(text, sizeof(text), "%+.2g%%", pct);
	else
		snprintf(text, sizeof(text), "%+.1f%%", pct);
	str_addf(s, "%11s", text);
}

static void add_row(struct str *s, const struct report_row *row)
{
	bool integer = row->base.integer && row->head.integer;

	add_mean(s, row->base.mean, integer, 10);
	add_stddev(s, &row->base, true);
	add_change(s, row->change_pct);
	add_mean(s, row->head.mean, integer, 11);
	add_stddev(s, &row->head, false);
	str_add(s, "  ");
}

static void add_test_row(struct str *s, const struct report_row *row)
{
	add_row(s, row);
	str_add_safe(s, row->machine, strlen(row->machine));
	str_addc(s, '/');
	str_add_safe(s, row->test_case, strlen(row->test_case));
	str_addc(s, '\n');
}

/* Does the comparison have more than one test? Then each has a row above its metric's total. */
static bool several_tests(const struct report *r)
{
	for (size_t i = 1; i < r->n_rows; i++)
		if (!streq(r->rows[i].machine, r->rows[0].machine) ||
		    !streq(r->rows[i].test_case, r->rows[0].test_case))
			return true;
	return false;
}

/* The rows of the metric that rows[first] has, and their total. */
static void add_metric(struct str *s, const struct report *r, size_t first, bool tests)
{
	_cleanup_free_ const struct report_row **rows = xcalloc(r->n_rows, sizeof(void *));
	const char *metric = r->rows[first].metric;
	struct report_row total = {.metric = NULL};
	size_t n = 0;

	for (size_t i = first; i < r->n_rows; i++) {
		if (!streq(r->rows[i].metric, metric) || !report_row_shown(&r->rows[i]))
			continue;
		rows[n++] = &r->rows[i];
		if (tests)
			add_test_row(s, &r->rows[i]);
	}
	if (n == 0)
		return;
	report_total(rows, n, &total);
	add_row(s, &total);
	str_add(s, "TOTAL ");
	str_add_safe(s, metric, strlen(metric));
	str_addc(s, '\n');
}

static bool seen_before(const struct report *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (streq(r->rows[k].metric, r->rows[i].metric))
			return true;
	return false;
}

static int render(const struct report *r, struct str *ret, struct err *err)
{
	bool tests = several_tests(r);

	(void)err;
	add_head(ret, r);
	for (size_t i = 0; i < r->n_rows; i++)
		if (!seen_before(r, i))
			add_metric(ret, r, i, tests);
	str_add(ret, "\nLegend:\n\t~XX%    - stddev percent\n\t[+-]XX% - change percent\n");
	return 0;
}

const struct reporter reporter_lkp = {
	.name = "lkp",
	.summary = "the table of the source reports: mean, stddev and change per metric",
	.render = render,
};
