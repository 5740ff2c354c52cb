/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/mails.h"
#include "harness/cli/cmds.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/table.h"
#include "harness/util/time.h"
#include "harness/util/units.h"

static json_t *row_json(const struct db_mail *m)
{
	return json_pack("{s:I, s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:I}", "id", (json_int_t)m->id,
			 "report", (json_int_t)m->report_id, "state", m->state, "message_id",
			 m->message_id, "subject", m->subject, "sender", m->sender, "recipients",
			 m->recipients, "place", m->place, "created", (json_int_t)m->created);
}

static void add_table(struct str *s, const struct db_mail *mails, size_t n)
{
	static const char *const columns[] = {">ID",	 "STATE", ">REPORT", "QUEUED",
					      "SUBJECT", "TO",	  "PLACE",   NULL};
	struct table *t = table_new(columns);

	for (size_t i = 0; i < n; i++) {
		const struct db_mail *m = &mails[i];
		_cleanup_str_ struct str when = STR_INIT;
		time_add_utc(&when, m->created);
		table_row(t);
		table_cell(t, "%lld", (long long)m->id);
		table_cell(t, "%s", m->state);
		table_cell(t, "%lld", (long long)m->report_id);
		table_cell(t, "%s", when.buf);
		table_cell(t, "%s", m->subject);
		table_cell(t, "%s", m->recipients);
		table_cell(t, "%s", m->place);
	}
	table_add(s, t);
	table_free(t);
}

static int add_list(struct cli *cli, struct str *text, struct err *err)
{
	struct db_mail *mails = NULL;
	size_t n = 0;
	struct db *db;

	if (cli_db_read(cli, &db, err) < 0 || db_mail_list(db, &mails, &n, err) < 0)
		return -1;
	if (cli->json) {
		_cleanup_json_ json_t *list = json_array();
		for (size_t i = 0; i < n; i++)
			json_array_append_new(list, row_json(&mails[i]));
		json_add(text, list);
	} else if (n == 0) {
		cli_note(cli, "no mails yet");
	} else {
		add_table(text, mails, n);
	}
	db_mails_free(mails, n);
	return 0;
}

static int add_one(struct cli *cli, const char *arg, struct str *text, struct err *err)
{
	_cleanup_(db_mail_done) struct db_mail mail = {.id = 0};
	struct db *db;
	int64_t id;

	if (units_parse_int(arg, 1, INT64_MAX, &id, err) < 0)
		return err_wrap(err, "mail's id");
	if (cli_db_read(cli, &db, err) < 0 || db_mail_get(db, id, &mail, err) < 0)
		return -1;
	if (cli->json) {
		_cleanup_json_ json_t *json = row_json(&mail);
		json_object_set_new(json, "text", json_string(mail.text));
		json_add(text, json);
	} else {
		str_add(text, mail.text);
	}
	return 0;
}

static int run_list(struct cli *cli, int argc, char **argv);
static int run_show(struct cli *cli, int argc, char **argv);

static const struct cmd subs[] = {
	{
		.name = "mail list",
		.summary = "The outbox: every mail, its state, and where it lies",
		.usage = "[--json]",
		.run = run_list,
	},
	{
		.name = "mail show",
		.summary = "Print one mail as it is or would be sent",
		.usage = "ID",
		.run = run_show,
	},
	{.name = NULL},
};

static int run_list(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &subs[0], argc, argv, 0, 0, &args, &n, &status) < 0)
		return status;
	return add_list(cli, &text, &err) < 0 ? cli_fail(&err) : cli_print(&text);
}

static int run_show(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &subs[1], argc, argv, 1, 1, &args, &n, &status) < 0)
		return status;
	return add_one(cli, args[0], &text, &err) < 0 ? cli_fail(&err) : cli_print(&text);
}

static int run(struct cli *cli, int argc, char **argv)
{
	return cli_group(cli, &cmd_mail, subs, argc, argv);
}

const struct cmd cmd_mail = {
	.name = "mail",
	.summary = "Look into the outbox",
	.usage = "list|show",
	.run = run,
};
