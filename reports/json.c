/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "harness/util/json.h"
#include "reports/renderers.h"

static const char *direction_name(const struct metric *def)
{
	static const char *const names[] = {
		[METRIC_UNKNOWN] = "unknown",
		[METRIC_HIGHER] = "higher",
		[METRIC_LOWER] = "lower",
	};

	return names[def->direction];
}

static json_t *commit_json(const struct report_commit *c)
{
	return json_pack("{s:s, s:s*, s:{s:s*, s:s*}, s:I}", "id", c->id, "subject", c->subject,
			 "author", "name", c->author_name, "email", c->author_email, "date",
			 (json_int_t)c->date);
}

static json_t *side_json(const struct report_side *s)
{
	json_t *side;

	if (!s->present)
		return json_null();
	side = json_object();
	json_object_set_new(side, "mean", json_num(s->mean));
	json_object_set_new(side, "stddev_pct",
			    json_num(s->mean != 0 ? 100 * s->stddev / fabs(s->mean) : 0));
	json_object_set_new(side, "n", json_integer((json_int_t)s->n));
	json_object_set_new(side, "stddev", json_num(s->stddev));
	json_object_set_new(side, "integer", json_boolean(s->integer));
	return side;
}

static json_t *interval_json(const struct report_row *row)
{
	if (isnan(row->interval_lo))
		return json_null();
	return json_pack("[o, o]", json_num(row->interval_lo), json_num(row->interval_hi));
}

static json_t *confirm_json(const struct report_row *row)
{
	if (!row->confirm_blocks)
		return json_null();
	return json_pack("{s:b, s:I, s:o}", "confirmed", row->confirmed, "blocks",
			 (json_int_t)row->confirm_blocks, "e_value",
			 json_num(row->confirm_e_value));
}

static json_t *row_json(const struct report_row *row)
{
	json_t *j = json_object();

	json_object_set_new(j, "case", json_string(row->test_case));
	json_object_set_new(j, "machine", json_string(row->machine));
	json_object_set_new(j, "metric", json_string(row->metric));
	json_object_set_new(j, "unit", json_string(row->def->unit));
	json_object_set_new(j, "kpi", json_boolean(row->kpi));
	json_object_set_new(j, "direction", json_string(direction_name(row->def)));
	json_object_set_new(j, "base", side_json(&row->base));
	json_object_set_new(j, "head", side_json(&row->head));
	json_object_set_new(j, "change_pct", json_num(row->change_pct));
	json_object_set_new(j, "interval_pct", interval_json(row));
	json_object_set_new(j, "verdict", json_string(row->verdict));
	json_object_set_new(j, "reason", row->reason ? json_string(row->reason) : json_null());
	json_object_set_new(j, "e_value", json_num(row->e_value));
	json_object_set_new(j, "blocks", json_integer((json_int_t)row->blocks));
	json_object_set_new(j, "paired", json_boolean(row->paired));
	json_object_set_new(j, "noise_pct", json_num(row->noise_pct));
	json_object_set_new(j, "confirmation", confirm_json(row));
	return j;
}

static json_t *failure_json(const struct report_failure *f)
{
	return json_pack("{s:s, s:s, s:{s:I, s:I}, s:{s:I, s:I}}", "machine", f->machine, "what",
			 f->what, "base", "failed", (json_int_t)f->base_failed, "runs",
			 (json_int_t)f->base_runs, "head", "failed", (json_int_t)f->head_failed,
			 "runs", (json_int_t)f->head_runs);
}

json_t *report_json(const struct report *r)
{
	json_t *j = json_object(), *tests = json_array(), *failures = json_array();

	for (size_t i = 0; i < r->n_rows; i++)
		json_array_append_new(tests, row_json(&r->rows[i]));
	for (size_t i = 0; i < r->n_failures; i++)
		json_array_append_new(failures, failure_json(&r->failures[i]));
	json_object_set_new(j, "base", commit_json(&r->base));
	json_object_set_new(j, "head", commit_json(&r->head));
	json_object_set_new(j, "tree", json_string(r->tree ? r->tree : ""));
	json_object_set_new(j, "branch", json_string(r->branch ? r->branch : ""));
	json_object_set_new(j, "kconfig", json_string(r->kconfig ? r->kconfig : ""));
	json_object_set_new(j, "verdict", json_string(r->verdict));
	json_object_set_new(j, "equal_images", json_boolean(r->equal_images));
	json_object_set_new(j, "tests", tests);
	json_object_set_new(j, "failures", failures);
	return j;
}

static int render(const struct report *r, struct str *ret, struct err *err)
{
	_cleanup_json_ json_t *json = report_json(r);

	(void)err;
	json_add(ret, json);
	return 0;
}

const struct reporter reporter_json = {
	.name = "json",
	.summary = "everything, with stable keys",
	.render = render,
};
