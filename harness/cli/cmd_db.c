/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "db/backup.h"
#include "db/mails.h"
#include "harness/cli/cmds.h"
#include "harness/cli/db_show.h"
#include "harness/mail/maildir.h"
#include "harness/run/rebuild.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/progress.h"

static bool opt_force;

static const struct opt *force_options(void)
{
	static const struct opt rows[] = {
		{"force", 'f', OPT_FLAG, NULL, "overwrite FILE", &opt_force, 0, 0},
		{.name = NULL},
	};
	return rows;
}

static const struct opt *rebuild_options(void)
{
	static const struct opt rows[] = {
		{"force", 'f', OPT_FLAG, NULL, "leave out damaged lines of the journal", &opt_force,
		 0, 0},
		{.name = NULL},
	};
	return rows;
}

static int tick(void *arg, double done, double total, struct err *err)
{
	progress_update(arg, done, total);
	return proc_check_cancel(err);
}

/* ---- check ----------------------------------------------------------------------------------- */

static int check_mails(struct db *db, struct audit *a, struct err *err)
{
	struct db_mail *mails = NULL;
	size_t n = 0;

	if (db_mail_list(db, &mails, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (streq(mails[i].state, "sent") && *mails[i].place &&
		    !maildir_holds(mails[i].place))
			audit_add(a, "mails", true,
				  "mail %lld was sent; %s is no longer there (read and deleted, or "
				  "the maildir was moved)",
				  (long long)mails[i].id, mails[i].place);
	db_mails_free(mails, n);
	return 0;
}

static int check_all(struct db *db, const char *state, struct progress *p, struct audit *a,
		     struct err *err)
{
	_cleanup_free_ char *journal = state ? xasprintf("%s/journal", state) : NULL;

	progress_step(p, 0, "the file's structure");
	if (audit_file(db, a, err) < 0 || audit_keys(db, a, err) < 0)
		return -1;
	progress_step(p, 0, "samples");
	if (audit_samples(db, tick, p, a, err) < 0)
		return -1;
	progress_step(p, 0, "the journal");
	if (journal && audit_journal(db, journal, a, err) < 0)
		return -1;
	progress_step(p, 0, "boot folders");
	if (run_audit_folders(db, state, tick, p, a, err) < 0)
		return -1;
	return check_mails(db, a, err);
}

static int check(struct cli *cli, struct audit *a, struct err *err)
{
	const char *path, *state;
	struct progress *p;
	int status;

	if (cli_db_place(cli, &path, &state, err) < 0)
		return -1;
	if (!fs_exists(path))
		return err_set(err, ERR_USER, "%s: no such database", path);
	/* Without its journal: opening it with it would put in order what is to be seen. */
	if (db_open_read(path, NULL, &cli->db, err) < 0) {
		if (!streq(err->cause, "damaged"))
			return -1;
		audit_add(a, "file", false, "%s", err->msg);
		return 0;
	}
	p = progress_new("db check", 0, cli->quiet);
	status = check_all(cli->db, state, p, a, err);
	progress_free(p);
	return status;
}

static int run_check(struct cli *cli, int argc, char **argv);
static int run_backup(struct cli *cli, int argc, char **argv);
static int run_rebuild_verb(struct cli *cli, int argc, char **argv);
static int run_stats(struct cli *cli, int argc, char **argv);

static const struct cmd subs[] = {
	{
		.name = "db check",
		.summary = "Look for what is wrong in the database, the journal and the results",
		.usage = "[--json]",
		.details = "Exit status 1 when anything is; nothing is changed.\n",
		.run = run_check,
	},
	{
		.name = "db backup",
		.summary = "Copy the database to FILE while others go on using it",
		.usage = "FILE [--force]",
		.details = "The copy is checked, and gets its name when it is whole.\n",
		.options = force_options,
		.run = run_backup,
	},
	{
		.name = "db rebuild",
		.summary = "Make the database again from the result folders and the journal",
		.usage = "[--force]",
		.details = "The old one is kept as FILE.old-TIME. No mail is sent. Ctrl-C leaves "
			   "the old one in place.\n",
		.options = rebuild_options,
		.run = run_rebuild_verb,
	},
	{
		.name = "db stats",
		.summary = "How much is in the database",
		.usage = "[--json]",
		.run = run_stats,
	},
	{.name = NULL},
};

static int run_check(struct cli *cli, int argc, char **argv)
{
	static const char *const names[] = {"file",    "keys",	"samples", "journal",
					    "folders", "mails", NULL};
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_(audit_done) struct audit a = {.n = 0};
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &subs[0], argc, argv, 0, 0, &args, &n, &status) < 0)
		return status;
	if (check(cli, &a, &err) < 0)
		return cli_fail(&err);
	if (cli->json) {
		_cleanup_json_ json_t *json = db_audit_json(&a);
		json_add(&text, json);
	} else {
		db_show_audit(&text, &a, names);
	}
	status = cli_print(&text);
	return status == EXIT_OK && a.n_wrong ? EXIT_FAIL : status;
}

/* ---- backup ---------------------------------------------------------------------------------- */

static int run_backup(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct progress *p;
	struct db *db;
	int n, status;

	if (cli_args(cli, &subs[1], argc, argv, 1, 1, &args, &n, &status) < 0)
		return status;
	if (cli_db_read(cli, &db, &err) < 0)
		return cli_fail(&err);
	p = progress_new("db backup", 0, cli->quiet);
	progress_step(p, 0, "copying");
	status = db_backup(db, args[0], opt_force, tick, p, &err);
	progress_free(p);
	if (status < 0)
		return cli_fail(&err);
	if (cli->json) {
		_cleanup_json_ json_t *json = json_pack("{s:s}", "file", args[0]);
		json_add(&text, json);
		return cli_print(&text);
	}
	str_addf(&text, "copied to %s and checked", args[0]);
	cli_note(cli, text.buf);
	return EXIT_OK;
}

/* ---- rebuild --------------------------------------------------------------------------------- */

static void add_rebuilt(struct cli *cli, struct str *s, const struct rebuild_counts *c)
{
	if (cli->json) {
		_cleanup_json_ json_t *json =
			json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s?, s:s}", "boots",
				  (json_int_t)c->boots, "runs", (json_int_t)c->runs, "samples",
				  (json_int_t)c->samples, "journal_lines", (json_int_t)c->lines,
				  "skipped_folders", (json_int_t)c->skipped, "damaged_lines",
				  (json_int_t)c->damaged, "old", c->old, "notes", c->notes.buf);
		json_add(s, json);
		return;
	}
	str_addf(s, "rebuilt from %zu boots (%zu runs, %zu samples) and %zu lines of the journal; ",
		 c->boots, c->runs, c->samples, c->lines);
	if (c->old)
		str_addf(s, "the old one%s is %s", c->old_damaged ? ", damaged," : "", c->old);
	else
		str_add(s, "there was none before");
	if (c->notes.len)
		str_addf(s, "\nleft out:\n%s", c->notes.buf);
	str_rtrim(s);
}

static int rebuild(struct cli *cli, struct str *text, struct err *err)
{
	struct rebuild_counts counts = {.notes = STR_INIT};
	const char *path, *state;
	struct progress *p;
	int status;

	if (cli_db_place(cli, &path, &state, err) < 0)
		return -1;
	if (!state)
		return err_set(
			err, ERR_USER,
			"%s: is not the database of a state folder (lkp.db beside results/ or "
			"journal/): there is nothing to make it from; \"lkpctl db backup\" "
			"keeps copies of it",
			path);
	p = progress_new("db rebuild", 0, cli->quiet);
	status = run_rebuild(path, state, opt_force, p, &counts, err);
	progress_free(p);
	if (status == 0)
		add_rebuilt(cli, text, &counts);
	rebuild_counts_done(&counts);
	return status;
}

static int run_rebuild_verb(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &subs[2], argc, argv, 0, 0, &args, &n, &status) < 0)
		return status;
	if (rebuild(cli, &text, &err) < 0)
		return cli_fail(&err);
	if (cli->json)
		return cli_print(&text);
	cli_note(cli, text.buf);
	return EXIT_OK;
}

/* ---- stats ----------------------------------------------------------------------------------- */

static int stats(struct cli *cli, struct str *text, struct err *err)
{
	_cleanup_(usage_done) struct usage u = {.bytes = 0};
	unsigned long long size = 0;
	const char *path, *state;
	struct db *db;

	if (cli_db_place(cli, &path, &state, err) < 0 || cli_db_read(cli, &db, err) < 0 ||
	    db_usage(db, &u, err) < 0)
		return -1;
	_cleanup_free_ char *journal = state ? xasprintf("%s/journal", state) : NULL;
	bool kept = journal && fs_is_dir(journal);
	if (kept && fs_tree_size(journal, &size, err) < 0)
		return -1;
	if (cli->json) {
		_cleanup_json_ json_t *json = db_usage_json(path, &u, kept ? (int64_t)size : -1);
		json_add(text, json);
	} else {
		db_show_usage(text, path, &u, kept ? (int64_t)size : -1);
	}
	return 0;
}

static int run_stats(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &subs[3], argc, argv, 0, 0, &args, &n, &status) < 0)
		return status;
	return stats(cli, &text, &err) < 0 ? cli_fail(&err) : cli_print(&text);
}

static int run(struct cli *cli, int argc, char **argv)
{
	return cli_group(cli, &cmd_db, subs, argc, argv);
}

const struct cmd cmd_db = {
	.name = "db",
	.summary = "Check, copy, measure or rebuild the database",
	.usage = "check|backup|rebuild|stats",
	.run = run,
};
