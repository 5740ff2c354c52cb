/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/export.h"
#include "harness/cli/cmds.h"
#include "harness/cli/find_commit.h"
#include "harness/util/mem.h"

static const char *opt_format, *opt_machine, *opt_case, *opt_metric, *opt_kconfig;

static const struct opt *options(void)
{
	static const struct opt rows[] = {
		{"format", 0, OPT_STR, "FORMAT", "samples (lkp-samples/1, the default)",
		 &opt_format, 0, 0},
		{"machine", 'm', OPT_STR, "MACHINE", "only runs on this machine", &opt_machine, 0,
		 0},
		{"case", 0, OPT_STR, "GLOB", "only these cases", &opt_case, 0, 0},
		{"metric", 0, OPT_STR, "GLOB", "only these metrics", &opt_metric, 0, 0},
		{"kconfig", 'k', OPT_STR, "KCONFIG", "only kernels of this kconfig", &opt_kconfig,
		 0, 0},
		{.name = NULL},
	};
	return rows;
}

static int export(struct cli *cli, char **args, int n, struct str *ret, struct err *err)
{
	const struct db_filter filter = {.machine = opt_machine,
					 .kconfig = opt_kconfig,
					 .case_glob = opt_case,
					 .metric_glob = opt_metric};
	_cleanup_strv_ char **commits = NULL;
	struct db *db;

	if (opt_format && !streq(opt_format, "samples"))
		return err_set(err, ERR_USER, "unknown format \"%.40s\"; it is: samples",
			       opt_format);
	if (cli_db_read(cli, &db, err) < 0)
		return -1;
	for (int i = 0; i < n; i++) {
		char id[DB_HEX_LEN + 1];
		if (find_commit(cli, args[i], id, err) < 0)
			return -1;
		strv_add(&commits, id);
	}
	return db_export(db, (const char *const *)commits, &filter, ret, err);
}

static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &cmd_export, argc, argv, 0, -1, &args, &n, &status) < 0)
		return status;
	if (export(cli, args, n, &text, &err) < 0)
		return cli_fail(&err);
	return cli_print(&text);
}

const struct cmd cmd_export = {
	.name = "export",
	.summary = "Write samples so that they can be imported elsewhere",
	.usage = "[--format samples] [COMMIT...] [filters]",
	.details = "Without a COMMIT: of all. The output is one JSON object, lkp-samples/1.\n",
	.options = options,
	.run = run,
};
