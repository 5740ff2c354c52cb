/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <unistd.h>

#include "harness/bench/bench.h"
#include "harness/cli/cmds.h"
#include "harness/metric/metric.h"
#include "harness/monitor/perf_stat.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/table.h"

#define INPUT_CAP (4 << 20)

static json_t *derived_json(const struct perf_stat_event *event)
{
	json_t *all = json_array();

	for (size_t i = 0; i < event->n_derived; i++)
		json_array_append_new(all, json_pack("[o, s]", json_num(event->derived[i].value),
						     event->derived[i].unit));
	return all;
}

static json_t *event_json(const struct perf_stat_event *event)
{
	return json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:o}", "event", event->event, "value",
			 json_num(event->value), "unit", event->unit, "status",
			 perf_stat_status_name(event->status), "stderr_pct",
			 json_num(event->stderr_pct), "running_pct", json_num(event->running_pct),
			 "derived", derived_json(event));
}

static json_t *perf_stat_json(const struct perf_stat *ps)
{
	json_t *events = json_array();

	for (size_t i = 0; i < ps->n; i++)
		json_array_append_new(events, event_json(&ps->events[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:s?}", "events", events, "elapsed_s",
			 json_num(ps->elapsed_s), "elapsed_stderr_pct",
			 json_num(ps->elapsed_stderr_pct), "runs",
			 ps->runs ? json_integer(ps->runs) : json_null(), "command", ps->command);
}

/* Counts are whole; everything else is shown to six digits. */
static void add_value(struct table *t, double value)
{
	if (isnan(value))
		table_cell(t, "-");
	else if (value == floor(value) && fabs(value) < 1e15)
		table_cell(t, "%.0f", value);
	else
		table_cell(t, "%.*f", fabs(value) >= 1000 ? 2 : 6, value);
}

static void perf_stat_table(const struct perf_stat *ps, struct str *out)
{
	static const char *const columns[] = {">value",	   "unit",   "event",	"status",
					      ">stderr %", ">run %", "derived", NULL};
	struct table *t = table_new(columns);

	for (size_t i = 0; i < ps->n; i++) {
		const struct perf_stat_event *e = &ps->events[i];
		_cleanup_str_ struct str derived = STR_INIT;

		for (size_t k = 0; k < e->n_derived; k++)
			str_addf(&derived, "%s%.6g %s", k ? ", " : "", e->derived[k].value,
				 e->derived[k].unit);
		table_row(t);
		add_value(t, e->value);
		table_cell(t, "%s", e->unit);
		table_cell(t, "%s", e->event);
		table_cell(t, "%s", perf_stat_status_name(e->status));
		add_value(t, e->stderr_pct);
		add_value(t, e->running_pct);
		table_cell(t, "%s", derived.buf);
	}
	table_add(out, t);
	table_free(t);
}

static int parse_perf_stat(const char *parser, const struct str *text, bool json, struct str *out,
			   struct err *err)
{
	_cleanup_(perf_stat_done) struct perf_stat ps = {0};
	_cleanup_json_ json_t *all = NULL;

	(void)parser;
	if (perf_stat_parse(text->buf, text->len, &ps, err) < 0)
		return -1;
	if (!json) {
		perf_stat_table(&ps, out);
		return 0;
	}
	all = perf_stat_json(&ps);
	json_add(out, all);
	return 0;
}

static void metrics_json(const struct metric_set *set, struct str *out)
{
	_cleanup_json_ json_t *all = json_object();
	json_t *metrics_object = json_object();

	for (size_t i = 0; i < set->n; i++)
		json_object_set_new(metrics_object, set->values[i].name,
				    json_num(set->values[i].value));
	json_object_set_new(all, "metrics", metrics_object);
	json_add(out, all);
}

static void metrics_table(const struct metric_set *set, struct str *out)
{
	static const char *const columns[] = {"metric", ">value", "unit", "meaning", NULL};
	struct table *t = table_new(columns);

	for (size_t i = 0; i < set->n; i++) {
		const struct metric *m = metric_find(set->values[i].name);

		table_row(t);
		table_cell(t, "%s", set->values[i].name);
		add_value(t, set->values[i].value);
		table_cell(t, "%s", m->unit ? m->unit : "");
		table_cell(t, "%s", m->summary);
	}
	table_add(out, t);
	table_free(t);
}

static int parse_bench(const char *parser, const struct str *text, bool json, struct str *out,
		       struct err *err)
{
	_cleanup_(metric_set_done) struct metric_set set = {0};

	if (bench_find(parser)->parse(text->buf, text->len, NULL, &set, err) < 0)
		return -1;
	(json ? metrics_json : metrics_table)(&set, out);
	return 0;
}

static const struct parser {
	const char *name;
	int (*parse)(const char *parser, const struct str *text, bool json, struct str *out,
		     struct err *err);
} parsers[] = {
	{"perf-stat", parse_perf_stat},
	{"will-it-scale", parse_bench},
	{"hackbench", parse_bench},
	{"pipe-test", parse_bench},
};

static const struct parser *find_parser(const char *name, struct err *err)
{
	const char *names[ARRAY_SIZE(parsers) + 1] = {NULL};
	_cleanup_str_ struct str list = STR_INIT;
	_cleanup_str_ struct str shown = STR_INIT;
	const char *near;

	for (size_t i = 0; i < ARRAY_SIZE(parsers); i++) {
		if (streq(parsers[i].name, name))
			return &parsers[i];
		names[i] = parsers[i].name;
		str_addf(&list, "%s%s", i ? ", " : "", names[i]);
	}
	near = str_nearest(name, names);
	str_add_safe(&shown, name, strnlen(name, 80));
	err_set(err, ERR_USER, "no parser \"%s\"%s%s%s; there are: %s", shown.buf,
		near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", list.buf);
	return NULL;
}

static int read_stdin(struct str *ret, struct err *err)
{
	char buf[65536];
	ssize_t n;

	while ((n = read(STDIN_FILENO, buf, sizeof(buf))) > 0) {
		str_addn(ret, buf, n);
		if (ret->len > INPUT_CAP)
			return err_set(err, ERR_USER, "stdin: more than %d bytes", INPUT_CAP);
	}
	return n < 0 ? err_errno(err, "stdin: cannot read") : 0;
}

static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_str_ struct str out = STR_INIT;
	struct err err = ERR_INIT;
	const struct parser *parser;
	const char *file;
	int n, status, rc;

	if (cli_args(cli, &cmd_parse, argc, argv, 1, 2, &args, &n, &status) < 0)
		return status;
	parser = find_parser(args[0], &err);
	if (!parser)
		return cli_fail(&err);
	file = n > 1 && !streq(args[1], "-") ? args[1] : NULL;
	rc = file ? fs_read(file, INPUT_CAP, &text, &err) : read_stdin(&text, &err);
	if (rc < 0)
		return cli_fail(&err);
	if (parser->parse(parser->name, &text, cli->json, &out, &err) < 0) {
		err_wrap(&err, "%s", file ? file : "stdin");
		return cli_fail(&err);
	}
	return cli_print(&out);
}

const struct cmd cmd_parse = {
	.name = "parse",
	.summary = "Read the output of a benchmark or of perf stat",
	.usage = "PARSER [FILE] [--json]",
	.details = "Parsers: perf-stat (of perf stat -j), will-it-scale, hackbench, pipe-test.\n"
		   "Without FILE, or with -, it reads standard input.\n",
	.run = run,
};
