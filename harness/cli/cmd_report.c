/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/mails.h"
#include "db/reports.h"
#include "harness/cli/cmds.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/table.h"
#include "harness/util/time.h"
#include "harness/util/units.h"
#include "reports/load.h"

static const char *opt_format, *opt_state;

static const struct opt *options(void)
{
	static const struct opt rows[] = {
		{"format", 0, OPT_STR, "FORMAT",
		 "mail (whole, for a mailer), lkp or json; default: the letter", &opt_format, 0, 0},
		{"set-state", 0, OPT_STR, "STATE",
		 "open, confirmed, fixed, invalid, noise or duplicate", &opt_state, 0, 0},
		{.name = NULL},
	};
	return rows;
}

static json_t *row_json(const struct db_report *r)
{
	return json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I}", "id",
			 (json_int_t)r->id, "state", r->state, "verdict", r->verdict, "base",
			 r->base, "head", r->head, "tree", r->tree, "machine", r->machine,
			 "kconfig", r->kconfig, "case", r->test_case, "metric", r->metric,
			 "created", (json_int_t)r->created);
}

static void add_table(struct str *s, const struct db_report *reports, size_t n)
{
	static const char *const columns[] = {">ID",  "STATE",	"VERDICT", "HEAD", "BASE",
					      "TEST", "METRIC", "FILED",   NULL};
	struct table *t = table_new(columns);

	for (size_t i = 0; i < n; i++) {
		const struct db_report *r = &reports[i];
		_cleanup_str_ struct str when = STR_INIT;
		time_add_utc(&when, r->created);
		table_row(t);
		table_cell(t, "%lld", (long long)r->id);
		table_cell(t, "%s", r->state);
		table_cell(t, "%s", r->verdict);
		table_cell(t, "%.12s", r->head);
		table_cell(t, "%.12s", r->base);
		table_cell(t, "%s/%s", r->machine, r->test_case);
		table_cell(t, "%s", r->metric);
		table_cell(t, "%s", when.buf);
	}
	table_add(s, t);
	table_free(t);
}

static int add_list(struct cli *cli, struct db *db, struct str *text, struct err *err)
{
	struct db_report *reports = NULL;
	size_t n = 0;

	if (db_report_list(db, &reports, &n, err) < 0)
		return -1;
	if (cli->json) {
		_cleanup_json_ json_t *list = json_array();
		for (size_t i = 0; i < n; i++)
			json_array_append_new(list, row_json(&reports[i]));
		json_add(text, list);
	} else if (n == 0) {
		cli_note(cli, "no reports yet");
	} else {
		add_table(text, reports, n);
	}
	db_reports_free(reports, n);
	return 0;
}

/* Headers and body for reading, and the names of what is attached. */
static void add_letter(struct str *s, const char *mail)
{
	static const char boundary[] = "\n--=_", name[] = "filename=\"";
	const char *body = strstr(mail, boundary);
	const char *end = body ? strstr(body + 1, boundary) : NULL;

	if (!end) {
		str_add(s, mail);
		return;
	}
	str_addn(s, mail, (size_t)(end - mail));
	str_add(s, "\n[attached:");
	for (const char *at = end; (at = strstr(at, name)); at += strlen(name))
		str_addf(s, " %.*s", (int)strcspn(at + strlen(name), "\""), at + strlen(name));
	str_add(s, "; --format mail prints them, too]\n");
}

static int add_mail(struct db *db, int64_t id, bool whole, struct str *text, struct err *err)
{
	_cleanup_(db_mail_done) struct db_mail mail = {.id = 0};
	bool found;

	if (db_mail_of_report(db, id, &mail, &found, err) < 0)
		return -1;
	if (!found)
		return err_set(err, ERR_USER,
			       "report %lld has no mail; --format lkp prints its table",
			       (long long)id);
	if (whole)
		str_add(text, mail.text);
	else
		add_letter(text, mail.text);
	return 0;
}

/* The report as it was when it was filed. */
static int add_filed(const struct db_report *r, const char *format, struct str *text,
		     struct err *err)
{
	const struct reporter *reporter = reporter_find(format);
	_cleanup_json_ json_t *json = NULL;
	struct report *report;
	int status;

	if (!reporter)
		return err_set(err, ERR_USER,
			       "unknown format \"%.40s\"; it is one of: mail, lkp, json", format);
	if (json_load("the report's facts", r->facts, strlen(r->facts), &json, err) < 0 ||
	    report_load(json, &report, err) < 0)
		return err_wrap(err, "report %lld", (long long)r->id);
	status = reporter->render(report, text, err);
	report_free(report);
	return status;
}

static int add_one(struct cli *cli, struct db *db, const char *arg, struct str *text,
		   struct err *err)
{
	_cleanup_(db_report_done) struct db_report r = {.id = 0};
	const char *format = opt_format ? opt_format : cli->json ? "json" : "mail";
	int64_t id;

	if (units_parse_int(arg, 1, INT64_MAX, &id, err) < 0)
		return err_wrap(err, "report's id");
	if (opt_state)
		return db_report_set_state(db, id, opt_state, err);
	if (db_report_get(db, id, &r, err) < 0)
		return -1;
	if (streq(format, "mail"))
		return add_mail(db, id, opt_format != NULL, text, err);
	return add_filed(&r, format, text, err);
}

static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct db *db;
	int n, status;

	if (cli_args(cli, &cmd_report, argc, argv, 0, 1, &args, &n, &status) < 0)
		return status;
	if (opt_state && !n) {
		err_set(&err, ERR_USER, "--set-state needs the id of a report");
		cli_fail(&err);
		return EXIT_USAGE;
	}
	if ((opt_state ? cli_db : cli_db_read)(cli, &db, &err) < 0)
		return cli_fail(&err);
	status = n ? add_one(cli, db, args[0], &text, &err) : add_list(cli, db, &text, &err);
	return status < 0 ? cli_fail(&err) : cli_print(&text);
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "List reports, print one, or set its state",
	.usage = "[ID] [--format mail|lkp|json] [--set-state STATE]",
	.options = options,
	.run = run,
};
