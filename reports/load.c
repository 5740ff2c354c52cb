/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/load.h"

#include <math.h>

#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "reports/total.h"

/* A number, or NaN for null. */
static int get_num(const json_t *json, const char *path, const char *key, double *ret,
		   struct err *err)
{
	*ret = NAN;
	if (json_is_null(json_object_get(json, key)))
		return 0;
	return json_get_num(json, path, key, true, ret, err);
}

static int get_size(const json_t *json, const char *path, const char *key, size_t *ret,
		    struct err *err)
{
	int64_t n;

	if (json_get_int(json, path, key, true, &n, err) < 0)
		return -1;
	if (n < 0)
		return err_set(err, ERR_USER, "%s.%s: is negative", path, key);
	*ret = (size_t)n;
	return 0;
}

static int get_dup(const json_t *json, const char *path, const char *key, bool required, char **ret,
		   struct err *err)
{
	const char *text = "";

	if (json_get_str(json, path, key, required, &text, err) < 0)
		return -1;
	*ret = xstrdup(text);
	return 0;
}

/* A verdict's word as a constant; an unknown one is "". */
static int get_verdict(const json_t *json, const char *path, const char **ret, struct err *err)
{
	static const char *const words[] = {"regression", "improvement", "clean", "inconclusive",
					    NULL};
	const char *text;

	if (json_get_str(json, path, "verdict", true, &text, err) < 0)
		return -1;
	*ret = "";
	for (size_t i = 0; words[i]; i++)
		if (streq(text, words[i]))
			*ret = words[i];
	return 0;
}

static int load_commit(const json_t *root, const char *key, struct report_commit *c,
		       struct err *err)
{
	_cleanup_free_ char *path = xasprintf("$.%s", key);
	_cleanup_free_ char *at = xasprintf("$.%s.author", key);
	json_t *json, *author;
	const char *id;

	if (json_get_object(root, "$", key, true, &json, err) < 0 ||
	    json_get_str(json, path, "id", true, &id, err) < 0 ||
	    get_dup(json, path, "subject", false, &c->subject, err) < 0 ||
	    json_get_int(json, path, "date", false, &c->date, err) < 0 ||
	    json_get_object(json, path, "author", true, &author, err) < 0 ||
	    get_dup(author, at, "name", false, &c->author_name, err) < 0 ||
	    get_dup(author, at, "email", false, &c->author_email, err) < 0)
		return -1;
	snprintf(c->id, sizeof(c->id), "%s", id);
	return 0;
}

static int load_side(const json_t *row, const char *path, const char *key, struct report_side *s,
		     struct err *err)
{
	_cleanup_free_ char *at = xasprintf("%s.%s", path, key);
	json_t *json;

	if (json_is_null(json_object_get(row, key)))
		return 0;
	s->present = true;
	if (json_get_object(row, path, key, true, &json, err) < 0 ||
	    json_get_num(json, at, "mean", true, &s->mean, err) < 0 ||
	    json_get_num(json, at, "stddev", true, &s->stddev, err) < 0 ||
	    get_size(json, at, "n", &s->n, err) < 0)
		return -1;
	return json_get_bool(json, at, "integer", true, &s->integer, err);
}

static int load_interval(const json_t *json, const char *path, struct report_row *row,
			 struct err *err)
{
	const json_t *ends = json_object_get(json, "interval_pct");
	const json_t *hi = json_array_get(ends, 1);

	row->interval_lo = row->interval_hi = NAN;
	if (json_is_null(ends))
		return 0;
	if (json_array_size(ends) != 2)
		return err_set(err, ERR_USER, "%s.interval_pct: expected two numbers", path);
	/* An end that is not finite was written as null. */
	row->interval_lo = json_is_number(json_array_get(ends, 0))
				   ? json_number_value(json_array_get(ends, 0))
				   : -INFINITY;
	row->interval_hi = json_is_number(hi) ? json_number_value(hi) : INFINITY;
	return 0;
}

static int load_confirmation(const json_t *json, const char *path, struct report_row *row,
			     struct err *err)
{
	_cleanup_free_ char *at = xasprintf("%s.confirmation", path);
	json_t *c;

	row->confirm_e_value = NAN;
	if (json_is_null(json_object_get(json, "confirmation")))
		return 0;
	if (json_get_object(json, path, "confirmation", true, &c, err) < 0 ||
	    get_size(c, at, "blocks", &row->confirm_blocks, err) < 0 ||
	    get_num(c, at, "e_value", &row->confirm_e_value, err) < 0)
		return -1;
	return json_get_bool(c, at, "confirmed", true, &row->confirmed, err);
}

static int load_row(const json_t *json, const char *path, struct report_row *row, struct err *err)
{
	if (get_dup(json, path, "machine", true, &row->machine, err) < 0 ||
	    get_dup(json, path, "case", true, &row->test_case, err) < 0 ||
	    get_dup(json, path, "metric", true, &row->metric, err) < 0 ||
	    load_side(json, path, "base", &row->base, err) < 0 ||
	    load_side(json, path, "head", &row->head, err) < 0 ||
	    get_verdict(json, path, &row->verdict, err) < 0 ||
	    get_num(json, path, "e_value", &row->e_value, err) < 0 ||
	    get_num(json, path, "noise_pct", &row->noise_pct, err) < 0 ||
	    get_size(json, path, "blocks", &row->blocks, err) < 0 ||
	    json_get_bool(json, path, "paired", true, &row->paired, err) < 0 ||
	    json_get_bool(json, path, "kpi", true, &row->kpi, err) < 0 ||
	    load_interval(json, path, row, err) < 0 || load_confirmation(json, path, row, err) < 0)
		return -1;
	row->def = metric_find(row->metric);
	row->change_pct = row->base.present && row->head.present
				  ? report_change_pct(row->base.mean, row->head.mean)
				  : NAN;
	if (json_is_string(json_object_get(json, "reason")))
		row->reason = xstrdup(json_string_value(json_object_get(json, "reason")));
	return 0;
}

static int load_counts(const json_t *json, const char *path, const char *key, size_t *ret_failed,
		       size_t *ret_runs, struct err *err)
{
	_cleanup_free_ char *at = xasprintf("%s.%s", path, key);
	json_t *counts;

	if (json_get_object(json, path, key, true, &counts, err) < 0 ||
	    get_size(counts, at, "failed", ret_failed, err) < 0)
		return -1;
	return get_size(counts, at, "runs", ret_runs, err);
}

static int load_failure(const json_t *json, const char *path, struct report_failure *f,
			struct err *err)
{
	if (get_dup(json, path, "machine", true, &f->machine, err) < 0 ||
	    get_dup(json, path, "what", true, &f->what, err) < 0 ||
	    load_counts(json, path, "base", &f->base_failed, &f->base_runs, err) < 0)
		return -1;
	return load_counts(json, path, "head", &f->head_failed, &f->head_runs, err);
}

static int load_lists(const json_t *json, struct report *r, struct err *err)
{
	json_t *tests, *failures, *one;
	size_t i;

	if (json_get_array(json, "$", "tests", true, &tests, err) < 0 ||
	    json_get_array(json, "$", "failures", true, &failures, err) < 0)
		return -1;
	r->rows = xcalloc(json_array_size(tests) + 1, sizeof(*r->rows));
	json_array_foreach(tests, i, one)
	{
		_cleanup_free_ char *path = xasprintf("$.tests[%zu]", i);
		if (load_row(one, path, &r->rows[r->n_rows++], err) < 0)
			return -1;
	}
	r->failures = xcalloc(json_array_size(failures) + 1, sizeof(*r->failures));
	json_array_foreach(failures, i, one)
	{
		_cleanup_free_ char *path = xasprintf("$.failures[%zu]", i);
		if (load_failure(one, path, &r->failures[r->n_failures++], err) < 0)
			return -1;
	}
	return 0;
}

int report_load(const json_t *json, struct report **ret, struct err *err)
{
	struct report *r = xcalloc(1, sizeof(*r));

	if (load_commit(json, "base", &r->base, err) < 0 ||
	    load_commit(json, "head", &r->head, err) < 0 ||
	    get_dup(json, "$", "tree", false, &r->tree, err) < 0 ||
	    get_dup(json, "$", "branch", false, &r->branch, err) < 0 ||
	    get_dup(json, "$", "kconfig", false, &r->kconfig, err) < 0 ||
	    get_verdict(json, "$", &r->verdict, err) < 0 ||
	    json_get_bool(json, "$", "equal_images", true, &r->equal_images, err) < 0 ||
	    load_lists(json, r, err) < 0) {
		report_free(r);
		return -1;
	}
	*ret = r;
	return 0;
}
