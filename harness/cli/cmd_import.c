/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/import.h"
#include "harness/cli/cmds.h"
#include "harness/metric/metric.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

/* Everything the registry knows is a rate, a time or a count, but for percentages; and what
 * perf counts is a count, known or not. */
static bool may_be_negative(const char *name)
{
	const struct metric *def = metric_find(name);

	return *def->name ? def->percent : !str_starts(name, "perf-stat.");
}

static int import_file(struct db *db, const char *path, struct import_counts *ret, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;

	if (fs_read(streq(path, "-") ? "/dev/stdin" : path, IMPORT_CAP, &text, err) < 0)
		return -1;
	return db_import(db, path, text.buf, text.len, may_be_negative, ret, err);
}

static void add_counts(struct cli *cli, struct str *out, json_t *list, const char *path,
		       const struct import_counts *c)
{
	if (cli->json) {
		json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:I, s:I}", "file", path,
						      "commits", (json_int_t)c->commits, "runs",
						      (json_int_t)c->runs, "new_runs",
						      (json_int_t)c->new_runs, "samples",
						      (json_int_t)c->samples));
	} else if (!cli->quiet) {
		str_add_safe(out, path, strlen(path));
		str_addf(out, ": %zu commits, %zu runs, %zu of them new, with %zu samples\n",
			 c->commits, c->runs, c->new_runs, c->samples);
	}
}

/* Files before a faulty one stay imported; each is a transaction of its own. */
static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str out = STR_INIT;
	_cleanup_json_ json_t *list = json_array();
	struct err err = ERR_INIT;
	struct db *db;
	int n, status = EXIT_OK;

	if (cli_args(cli, &cmd_import, argc, argv, 1, -1, &args, &n, &status) < 0)
		return status;
	if (cli_db(cli, &db, &err) < 0)
		return cli_fail(&err);
	for (int i = 0; i < n && status == EXIT_OK; i++) {
		struct import_counts counts;
		if (import_file(db, args[i], &counts, &err) < 0)
			status = cli_fail(&err);
		else
			add_counts(cli, &out, list, args[i], &counts);
	}
	if (cli->json)
		json_add(&out, list);
	/* On stderr, so that a script's output is what it asked for. */
	if (!cli->json) {
		fputs(out.buf, stderr);
		return status;
	}
	n = cli_print(&out);
	return status == EXIT_OK ? n : status;
}

const struct cmd cmd_import = {
	.name = "import",
	.summary = "Read samples measured elsewhere (lkp-samples/1) into the database",
	.usage = "FILE...",
	.details =
		"FILE may be - for standard input. Each file is one transaction: it is taken whole or not at all. A run that is "
		"there already\nchanges nothing; a different one under the same boot id is an "
		"error.\n",
	.run = run,
};
