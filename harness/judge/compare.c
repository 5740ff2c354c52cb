/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/judge/compare.h"

#include <math.h>

#include "db/commits.h"
#include "harness/judge/fails.h"
#include "harness/judge/judged.h"
#include "harness/judge/sides.h"
#include "harness/stats/ebh.h"
#include "harness/util/mem.h"

#define EBH_Q 0.05

const struct config_sampling compare_default_sampling = {
	.blocks = 5,
	.confirm_blocks = 5,
	.theta = 0.02,
	.min_effect = 0,
	.theta_deterministic = 0.005,
	.alpha = 0.001,
	.clean_alpha = 0.10,
	.confirm = true,
};

struct table {
	struct judged *v;
	size_t n, cap;
	int m; /* KPIs with both sides */
};

static void table_done(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		judged_done(&t->v[i]);
	free(t->v);
}

static bool both(const struct judged *j)
{
	return j->base.n && j->head.n;
}

static int by_test(const struct db_sample *a, const struct db_sample *b)
{
	int order = strcmp(a->machine, b->machine);

	if (!order)
		order = strcmp(a->test_case, b->test_case);
	return order ? order : strcmp(a->metric, b->metric);
}

/* How many samples from v[0] on are of the test and metric of `key`. */
static size_t run_length(const struct db_sample *const *v, size_t n, const struct db_sample *key)
{
	size_t len = 0;

	while (len < n && by_test(v[len], key) == 0)
		len++;
	return len;
}

/* Both sides are in the same order, so one walk through both finds every test. */
static int make_rows(const struct compare_spec *spec, const struct sides *s, struct table *t,
		     struct err *err)
{
	size_t b = 0, h = 0;

	while (b < s->base.n || h < s->head.n) {
		bool take_base =
			h == s->head.n ||
			(b < s->base.n && by_test(s->base.samples[b], s->head.samples[h]) <= 0);
		const struct db_sample *key = take_base ? s->base.samples[b] : s->head.samples[h];
		size_t n_base = run_length(s->base.samples + b, s->base.n - b, key);
		size_t n_head = run_length(s->head.samples + h, s->head.n - h, key);
		if (spec->all || (n_base && n_head)) {
			mem_grow(&t->v, &t->cap, t->n + 1, sizeof(*t->v));
			if (judged_make(spec, s->base.samples + b, n_base, s->head.samples + h,
					n_head, &t->v[t->n], err) < 0)
				return -1;
			t->m += both(&t->v[t->n]) && t->v[t->n].row.kpi;
			t->n++;
		}
		b += n_base;
		h += n_head;
	}
	return 0;
}

static int decide(const struct compare_spec *spec, struct table *t, bool equal, struct err *err)
{
	for (size_t i = 0; i < t->n; i++) {
		if (!both(&t->v[i]))
			continue;
		if (equal)
			judged_equal(&t->v[i]);
		else if (judged_decide(&t->v[i], spec->sampling, t->m > 0 ? t->m : 1, err) < 0)
			return -1;
	}
	return 0;
}

static bool a_kpi_rejects(const struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].row.kpi && (streq(t->v[i].row.verdict, "regression") ||
					streq(t->v[i].row.verdict, "improvement")))
			return true;
	return false;
}

/* Of the metrics that explain, those that differ: looked for only once a KPI rejects. */
static int select_explaining(struct table *t, struct err *err)
{
	_cleanup_free_ double *log_e = xcalloc(t->n + 1, sizeof(*log_e));
	_cleanup_free_ size_t *place = xcalloc(t->n + 1, sizeof(*place));
	_cleanup_free_ bool *selected = xcalloc(t->n + 1, sizeof(*selected));
	size_t m = 0;

	if (!a_kpi_rejects(t))
		return 0;
	for (size_t i = 0; i < t->n; i++) {
		if (t->v[i].row.kpi || !both(&t->v[i]))
			continue;
		log_e[m] = t->v[i].log_e;
		place[m++] = i;
	}
	if (stats_ebh(log_e, m, EBH_Q, selected, NULL, err) < 0)
		return -1;
	for (size_t k = 0; k < m; k++) {
		struct judged *j = &t->v[place[k]];
		j->differs = selected[k];
		if (selected[k])
			j->row.verdict = judged_direction_word(j);
	}
	return 0;
}

static int by_row(const void *a, const void *b)
{
	const struct report_row *x = a, *y = b;
	int order = y->kpi - x->kpi;

	if (!order)
		order = strcmp(x->metric, y->metric);
	if (!order)
		order = strcmp(x->machine, y->machine);
	return order ? order : strverscmp(x->test_case, y->test_case);
}

/* Moves the rows that are shown to the report. */
static void take_rows(const struct compare_spec *spec, struct table *t, struct report *r)
{
	r->rows = xcalloc(t->n + 1, sizeof(*r->rows));
	for (size_t i = 0; i < t->n; i++) {
		struct judged *j = &t->v[i];
		if (!spec->all && !j->row.kpi && !j->differs)
			continue;
		r->rows[r->n_rows++] = j->row;
		j->row = (struct report_row){.verdict = ""};
	}
	qsort(r->rows, r->n_rows, sizeof(*r->rows), by_row);
}

/* The worst of the KPIs and the failures; without any KPI there is nothing to call clean. */
static const char *overall(const struct report *r, bool fails_worse)
{
	static const char *const worst_first[] = {"regression", "inconclusive", "improvement",
						  "clean"};

	if (fails_worse)
		return worst_first[0];
	for (size_t k = 0; k < ARRAY_SIZE(worst_first); k++)
		for (size_t i = 0; i < r->n_rows; i++)
			if (r->rows[i].kpi && streq(r->rows[i].verdict, worst_first[k]))
				return worst_first[k];
	return r->n_failures ? "inconclusive" : "clean";
}

static int take_commit(struct db *db, const char *id, struct report_commit *ret, struct err *err)
{
	struct db_commit c;

	if (db_commit_find(db, id, &c, err) < 0)
		return -1;
	memcpy(ret->id, c.id, sizeof(ret->id));
	ret->subject = c.subject;
	ret->author_name = c.author_name;
	ret->author_email = c.author_email;
	ret->date = c.date;
	strv_free(c.parents);
	return 0;
}

static int fill(struct db *db, const struct compare_spec *spec, struct sides *s, struct report *r,
		struct err *err)
{
	_cleanup_(table_done) struct table t = {.n = 0};
	bool worse = false;

	if (take_commit(db, spec->base, &r->base, err) < 0 ||
	    take_commit(db, spec->head, &r->head, err) < 0 || sides_load(db, spec, s, err) < 0)
		return -1;
	r->tree = xstrdup("");
	r->branch = xstrdup("");
	r->kconfig = xstrdup(s->kconfig);
	r->equal_images = sides_equal_images(s);
	if (make_rows(spec, s, &t, err) < 0 ||
	    fails_compare(s, spec->sampling->alpha, r, &worse, err) < 0)
		return -1;
	if (!t.n && !r->n_failures)
		return sides_nothing(s, spec, err);
	if (decide(spec, &t, r->equal_images, err) < 0 || select_explaining(&t, err) < 0)
		return -1;
	take_rows(spec, &t, r);
	r->verdict = overall(r, worse);
	return 0;
}

int compare_commits(struct db *db, const struct compare_spec *spec, struct report **ret,
		    struct err *err)
{
	struct compare_spec own = *spec;
	_cleanup_(sides_done) struct sides s = {.kconfig = NULL};
	struct report *r = xcalloc(1, sizeof(*r));

	if (!own.sampling)
		own.sampling = &compare_default_sampling;
	r->verdict = "";
	if (fill(db, &own, &s, r, err) < 0) {
		report_free(r);
		return -1;
	}
	*ret = r;
	return 0;
}
