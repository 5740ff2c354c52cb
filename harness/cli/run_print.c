/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/run_print.h"

#include <math.h>
#include <sys/utsname.h>

#include "db/query.h"
#include "harness/cli/verdicts.h"
#include "harness/metric/metric.h"
#include "harness/stats/descr.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/table.h"
#include "harness/util/time.h"

static void add_reasons(struct str *s, const struct report *r)
{
	for (size_t i = 0; i < r->n_rows; i++)
		if (r->rows[i].kpi && r->rows[i].reason)
			str_addf(s, "%s: %s\n", r->rows[i].test_case, r->rows[i].reason);
	for (size_t i = 0; i < r->n_failures; i++) {
		const struct report_failure *f = &r->failures[i];
		str_addf(s, "fail:runs  base %zu:%zu  head %zu:%zu  %s on %s\n", f->base_failed,
			 f->base_runs, f->head_failed, f->head_runs, f->what, f->machine);
	}
}

static int exit_of(const struct report *r)
{
	bool inconclusive = false;
	for (size_t i = 0; i < r->n_rows; i++) {
		if (!r->rows[i].kpi)
			continue;
		if (streq(r->rows[i].verdict, "regression"))
			return EXIT_REGRESSION;
		inconclusive |= streq(r->rows[i].verdict, "inconclusive");
	}
	return inconclusive ? EXIT_INCONCLUSIVE : EXIT_OK;
}

static int print_json(const struct judge_outcome *o)
{
	_cleanup_str_ struct str s = STR_INIT;
	_cleanup_json_ json_t *obj = o->report ? report_json(o->report) : json_object();
	json_object_set_new(obj, "failure", *o->failure ? json_string(o->failure) : json_null());
	json_object_set_new(obj, "report", o->report_id ? json_integer(o->report_id) : json_null());
	json_object_set_new(obj, "mail", *o->mail ? json_string(o->mail) : json_null());
	json_add(&s, obj);
	return cli_print(&s);
}

static int print_text(const struct judge_outcome *o, struct err *err)
{
	_cleanup_str_ struct str s = STR_INIT;
	const struct report *r = o->report;
	if (r && r->equal_images) {
		str_addf(&s,
			 "clean: base %.12s and head %.12s boot the same image, nothing was run\n",
			 r->base.id, r->head.id);
	} else if (r) {
		if (reporter_find("lkp")->render(r, &s, err) < 0)
			return -1;
		str_addc(&s, '\n');
		verdicts_add(&s, r);
		add_reasons(&s, r);
	}
	if (o->report_id)
		str_addf(&s, "\nreport %lld (lkpctl report %lld); %s\n", (long long)o->report_id,
			 (long long)o->report_id, o->mail);
	return cli_print(&s);
}

int run_print_outcome(struct cli *cli, const struct judge_outcome *outcome, struct err *err)
{
	int status = cli->json ? print_json(outcome) : print_text(outcome, err);
	if (status != EXIT_OK)
		return status;
	if (*outcome->failure) {
		err_set(err, ERR_KERNEL, "%s", outcome->failure);
		return cli_fail(err);
	}
	return exit_of(outcome->report);
}

static bool is_in(char *const *list, const char *text)
{
	for (size_t i = 0; list && list[i]; i++)
		if (streq(list[i], text))
			return true;
	return false;
}

/* The values of one (case, metric), a boot's aggregate each. */
static void add_sample(struct table *t, json_t *list, const struct db_sample *samples, size_t i,
		       size_t n, char *const *booted)
{
	const struct db_sample *s = &samples[i];
	double values[1000];
	size_t boots = 0;
	double mean = NAN, sd = NAN;
	struct err bad = ERR_INIT;
	for (size_t k = i; k < n && streq(samples[k].metric, s->metric) &&
			   streq(samples[k].test_case, s->test_case) && boots < ARRAY_SIZE(values);
	     k++)
		if (is_in(booted, samples[k].boot) &&
		    stats_aggregate(metric_find(s->metric)->aggregate, samples[k].values,
				    samples[k].n, &values[boots], &bad) == 0)
			boots++;
	if (boots == 0)
		return;
	stats_mean(values, boots, &mean, &bad);
	stats_stddev(values, boots, &sd, &bad);
	table_row(t);
	table_cell(t, "%s", s->test_case);
	table_cell(t, "%s", s->metric);
	table_cell(t, "%.6g", mean);
	table_cell(t, "%.2f%%", mean != 0 ? 100 * sd / fabs(mean) : 0.0);
	table_cell(t, "%zu", boots);
	json_array_append_new(list, json_pack("{s:s,s:s,s:o,s:o,s:I}", "case", s->test_case,
					      "metric", s->metric, "mean", json_num(mean), "stddev",
					      json_num(sd), "boots", (json_int_t)boots));
}

/* Which cases failed in these boots, each with the reason of its first failure. */
static int fail_cases(struct db *db, const char *commit, const struct db_filter *filter,
		      char *const *booted, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_strv_ char **seen = NULL;
	struct db_outcome *outcomes;
	size_t n;
	if (db_outcomes(db, commit, filter, &outcomes, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct db_outcome *o = &outcomes[i];
		if (!*o->test_case || streq(o->status, "ok") || !is_in(booted, o->boot) ||
		    is_in(seen, o->test_case))
			continue;
		strv_add(&seen, o->test_case);
		str_addf(&text, "\n  %s: %.300s", o->test_case, o->detail);
	}
	db_outcomes_free(outcomes, n);
	return err_set(err, ERR_BENCH, "failed on a healthy kernel:%s", text.buf);
}

int run_print_boots(struct cli *cli, struct db *db, const char *commit, const char *machine,
		    char *const *booted, const struct session_outcome *last, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_json_ json_t *list = json_array();
	struct db_sample *samples;
	size_t n;
	const struct db_filter filter = {.machine = machine};
	if (db_samples(db, commit, &filter, &samples, &n, err) < 0)
		return -1;
	struct table *t = table_new(
		(const char *const[]){"case", "metric", ">mean", ">stddev", ">boots", NULL});
	for (size_t i = 0; i < n; i++)
		if (i == 0 || !streq(samples[i].metric, samples[i - 1].metric) ||
		    !streq(samples[i].test_case, samples[i - 1].test_case))
			add_sample(t, list, samples, i, n, booted);
	db_samples_free(samples, n);
	if (cli->json)
		json_add(&text, list);
	else
		table_add(&text, t);
	table_free(t);
	int status = cli_print(&text);
	if (last->status != MACHINE_OK)
		return err_set(err, ERR_KERNEL, "%.12s: %s: %s", commit, last->what, last->detail);
	return last->failed_runs ? fail_cases(db, commit, &filter, booted, err) : status;
}

int run_stand_in(const char *image, struct commit *ret, char ret_id[HASH_HEX_LEN + 1],
		 struct err *err)
{
	struct utsname uts;
	_cleanup_str_ struct str subject = STR_INIT;
	if (image) {
		const char *slash = strrchr(image, '/');
		if (hash_file(image, ret_id, err) < 0)
			return -1;
		str_addf(&subject, "image ");
		str_add_safe(&subject, slash ? slash + 1 : image,
			     strlen(slash ? slash + 1 : image));
	} else {
		uname(&uts);
		str_addf(&subject, "kernel of this host: %s %s", uts.release, uts.version);
		hash_bytes(subject.buf, subject.len, ret_id);
	}
	struct commit c = {
		.subject = str_detach(&subject),
		.message = xstrdup(""),
		.author_name = xstrdup(""),
		.author_email = xstrdup(""),
		.committer_name = xstrdup(""),
		.committer_email = xstrdup(""),
		.date = time_now(),
	};
	snprintf(c.id, sizeof(c.id), "%.40s", ret_id);
	*ret = c;
	return 0;
}
