/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/letter.h"

#include <math.h>

#include "harness/util/mem.h"
#include "harness/util/units.h"
#include "reports/letter_text.h"

#define TABLE_ROWS 15
#define RANGE_ROWS 15
#define RANKS	   4

void letter_done(struct letter *l)
{
	for (size_t i = 0; i < l->n_cases; i++) {
		free(l->cases[i].name);
		free(l->cases[i].describe);
		free(l->cases[i].source);
	}
	free(l->cases);
	for (size_t i = 0; i < l->n_range; i++) {
		free(l->range[i].subject);
		free(l->range[i].author_name);
		free(l->range[i].author_email);
	}
	free(l->range);
	char **const texts[] = {
		&l->accel_reason,  &l->message_id,     &l->from,	 &l->subsystem,
		&l->tree_url,	   &l->driver,	       &l->accel,	 &l->emulator,
		&l->machine_class, &l->cpu_model,      &l->clocksource,	 &l->clocksources,
		&l->mitigations,   &l->boot_cmdline,   &l->toolbox_id,	 &l->toolchain,
		&l->image_base,	   &l->image_head,     &l->config_facts, &l->job_text,
		&l->lab_text,	   &l->fragments_text, &l->base_text,
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		free(*texts[i]);
		*texts[i] = NULL;
	}
	str_done(&l->config_zst);
}

static bool single(const struct letter *l)
{
	return l->n_range == 1 && !l->range_more;
}

int letter_subject(const struct letter *l, struct str *ret, struct err *err)
{
	(void)err;
	str_addf(ret, "[%s] ", l->subsystem);
	if (!single(l))
		str_addf(ret, "%.12s..", l->report->base.id);
	str_addf(ret, "%.12s: %+.1f%% %s", l->report->head.id, l->row->change_pct, l->row->metric);
	return 0;
}

static size_t others_worse(const struct letter *l)
{
	size_t n = 0;
	for (size_t i = 0; i < l->report->n_rows; i++) {
		const struct report_row *row = &l->report->rows[i];
		n += row != l->row && row->kpi && streq(row->verdict, "regression");
	}
	return n;
}

/* "commit X ("...") made M 4.1 % lower, which is worse (...)". */
static void add_finding(struct str *s, const struct letter *l)
{
	const struct report_row *row = l->row;
	_cleanup_str_ struct str text = STR_INIT;
	if (single(l))
		str_addf(&text, "commit %.12s made ", l->report->head.id);
	else
		str_addf(&text, "between %.12s and %.12s ", l->report->base.id, l->report->head.id);
	str_addf(&text, "%s%s %.2f%% %s", row->metric, single(l) ? "" : " became",
		 fabs(row->change_pct), row->change_pct < 0 ? "lower" : "higher");
	str_addf(&text, ", which is worse (95%% interval %+.2f%% to %+.2f%%), on machine %s.",
		 row->interval_lo, row->interval_hi, row->machine);
	size_t others = others_worse(l);
	if (others)
		str_addf(
			&text,
			" %zu other key metric%s of this pair became worse, too: see the verdicts below.",
			others, others == 1 ? "" : "s");
	letter_wrap(s, "", text.buf);
	str_addc(s, '\n');
}

static void add_commit(struct str *s, const char *label, const struct report_commit *c)
{
	str_addf(s, "%-8s %.12s ", label, c->id);
	letter_quote(s, c->subject, 76);
	str_addc(s, '\n');
}

static void add_place(struct str *s, const struct letter *l)
{
	str_addf(s, "tree:    %s", l->report->tree);
	if (l->tree_url && *l->tree_url)
		str_addf(s, " (%s)", l->tree_url);
	str_addc(s, '\n');
	if (l->report->branch && *l->report->branch) {
		str_add(s, "branch:  ");
		letter_quote(s, l->report->branch, 76);
		str_addc(s, '\n');
	}
	add_commit(s, "base:", &l->report->base);
	add_commit(s, "head:", &l->report->head);
	str_addc(s, '\n');
}

static void add_range(struct str *s, const struct letter *l)
{
	if (single(l))
		return;
	_cleanup_str_ struct str text = STR_INIT;
	str_addf(&text,
		 "The change came with one or several of the %s%zu commits between them. They were "
		 "not tested one by one yet, so none is blamed:",
		 l->range_more ? "more than " : "", l->n_range);
	letter_wrap(s, "", text.buf);
	for (size_t i = 0; i < l->n_range && i < RANGE_ROWS; i++) {
		str_addf(s, "  %.12s ", l->range[i].id);
		letter_quote(s, l->range[i].subject, 66);
		str_add(s, "  ");
		letter_quote(s, l->range[i].author_name, 30);
		str_addc(s, '\n');
	}
	if (l->n_range > RANGE_ROWS || l->range_more)
		str_addf(s, "  ... and %s%zu more\n", l->range_more ? "at least " : "",
			 l->n_range > RANGE_ROWS ? l->n_range - RANGE_ROWS : 1);
	str_addc(s, '\n');
}

static void add_test(struct str *s, const struct letter *l)
{
	str_addf(s, "test case: %s/%s\n", l->row->machine, l->row->test_case);
	for (size_t i = 0; i < l->n_cases; i++) {
		if (!streq(l->cases[i].name, l->row->test_case))
			continue;
		letter_wrap(s, "  ", l->cases[i].describe ? l->cases[i].describe : "");
		if (l->cases[i].source && *l->cases[i].source)
			str_addf(s, "  Source: %s\n", l->cases[i].source);
	}
	str_addc(s, '\n');
}

/* A row's place in the table: what is reported, its metric elsewhere, other KPIs, the rest. */
static int table_rank(const struct letter *l, const struct report_row *row)
{
	if (row == l->row)
		return 0;
	if (row->kpi)
		return streq(row->metric, l->row->metric) ? 1 : 2;
	return RANKS - 1;
}

static int add_table(struct str *s, const struct letter *l, struct err *err)
{
	struct report cut = *l->report;
	_cleanup_free_ struct report_row *rows = xcalloc(cut.n_rows + 1, sizeof(*rows));
	size_t n = 0;
	for (int rank = 0; rank < RANKS; rank++)
		for (size_t i = 0; i < l->report->n_rows && n < TABLE_ROWS; i++)
			if (table_rank(l, &l->report->rows[i]) == rank)
				rows[n++] = l->report->rows[i];
	cut.rows = rows;
	cut.n_rows = n;
	if (reporter_find("lkp")->render(&cut, s, err) < 0)
		return -1;
	str_addc(s, '\n');
	if (n < l->report->n_rows)
		str_addf(s, "%zu more rows: see the attached samples.json.\n\n",
			 l->report->n_rows - n);
	return 0;
}

static void add_verdicts(struct str *s, const struct letter *l)
{
	str_add(s, "verdicts of all tests measured on this pair:\n");
	for (size_t i = 0; i < l->report->n_rows; i++) {
		const struct report_row *row = &l->report->rows[i];
		if (!row->kpi)
			continue;
		str_addf(s, "  %-12s %s/%s", row->verdict, row->machine, row->test_case);
		if (!isnan(row->interval_lo))
			str_addf(s, "  [%+.2f%%, %+.2f%%]", row->interval_lo, row->interval_hi);
		str_addc(s, '\n');
		if (row->reason)
			letter_wrap(s, "               ", row->reason);
	}
	for (size_t i = 0; i < l->report->n_failures; i++) {
		const struct report_failure *f = &l->report->failures[i];
		str_addf(s, "  fail:runs    %s: base %zu:%zu, head %zu:%zu  %s\n", f->machine,
			 f->base_failed, f->base_runs, f->head_failed, f->head_runs, f->what);
	}
	str_addc(s, '\n');
}

int letter_body(const struct letter *l, struct str *ret, struct err *err)
{
	_cleanup_str_ struct str s = STR_INIT;
	const char *author = l->report->head.author_name;
	if (single(l) && author && *author) {
		str_add(&s, "Hello ");
		letter_quote(&s, author, 60);
		str_add(&s, ",\n\n");
	} else {
		str_add(&s, "Hello,\n\n");
	}
	add_finding(&s, l);
	add_place(&s, l);
	add_range(&s, l);
	add_test(&s, l);
	if (add_table(&s, l, err) < 0)
		return -1;
	letter_add_instructions(&s, l);
	letter_add_confidence(&s, l);
	add_verdicts(&s, l);
	letter_add_conditions(&s, l);
	letter_add_reproduce(&s, l);
	letter_add_answer(&s, l);
	str_addn(ret, s.buf, s.len);
	return 0;
}
