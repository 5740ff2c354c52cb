/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/cmds.h"
#include "harness/cli/compare_side.h"
#include "harness/cli/find_commit.h"
#include "harness/cli/verdicts.h"
#include "harness/judge/compare.h"
#include "harness/util/mem.h"
#include "reports/fail_runs.h"

static const char *opt_machine, *opt_case, *opt_metric, *opt_kconfig, *opt_format;
static bool opt_all;

static const struct opt *options(void)
{
	static const struct opt rows[] = {
		{"case", 0, OPT_STR, "GLOB", "only these cases", &opt_case, 0, 0},
		{"machine", 'm', OPT_STR, "MACHINE", "only runs on this machine", &opt_machine, 0,
		 0},
		{"metric", 0, OPT_STR, "GLOB", "only these metrics", &opt_metric, 0, 0},
		{"kconfig", 'k', OPT_STR, "KCONFIG", "only kernels of this kconfig", &opt_kconfig,
		 0, 0},
		{"format", 0, OPT_STR, "FORMAT",
		 "lkp or json (default: lkp, and the verdicts in words)", &opt_format, 0, 0},
		{"all", 0, OPT_FLAG, NULL,
		 "every metric; else the key ones, and what differs once one of them does",
		 &opt_all, 0, 0},
		{.name = NULL},
	};
	return rows;
}

static int find_format(struct cli *cli, const struct reporter **ret, struct err *err)
{
	_cleanup_str_ struct str list = STR_INIT;
	const char *name = opt_format ? opt_format : cli->json ? "json" : "lkp";

	*ret = reporter_find(name);
	if (*ret)
		return 0;
	for (size_t i = 0; reporters[i]; i++)
		str_addf(&list, "%s%s", i ? ", " : "", reporters[i]->name);
	return err_set(err, ERR_USER, "unknown format \"%.40s\"; it is one of: %s", name, list.buf);
}

/* What the configuration's jobs say matters in their tests. A job that cannot be read has no say:
 * `lkpctl check` names its fault. */
static void load_effects(const struct config *config, struct effects *ret)
{
	_cleanup_strv_ char **names = NULL;
	struct err bad = ERR_INIT;

	if (job_names(config->paths.jobs, &names, &bad) < 0)
		return;
	for (size_t i = 0; names && names[i]; i++) {
		struct job *job = NULL;
		struct bench_case *cases = NULL;
		size_t n = 0;
		if (job_find(config->paths.jobs, names[i], &job, &bad) < 0)
			continue;
		if (bench_expand(job, &cases, &n, &bad) == 0)
			effects_add(ret, cases, n);
		bench_cases_free(cases, n);
		job_free(job);
	}
}

static int compare(struct cli *cli, const struct compare_side *base,
		   const struct compare_side *head, struct report **ret, struct err *err)
{
	char base_id[DB_HEX_LEN + 1], head_id[DB_HEX_LEN + 1];
	_cleanup_(effects_done) struct effects effects = {.n = 0};
	const struct config *config = NULL;
	struct compare_spec spec = {
		.base = base_id,
		.head = head_id,
		.filter = {.machine = opt_machine,
			   .kconfig = opt_kconfig,
			   .case_glob = opt_case,
			   .metric_glob = opt_metric},
		/* A metric that is asked for by name is shown, key or not. */
		.all = opt_all || opt_metric,
	};
	struct db *db;

	if (compare_side_join("machine", base->machine, head->machine, &spec.filter.machine, err) <
		    0 ||
	    compare_side_join("kconfig", base->kconfig, head->kconfig, &spec.filter.kconfig, err) <
		    0 ||
	    find_config(cli, &config, err) < 0 || cli_db_read(cli, &db, err) < 0 ||
	    find_commit(cli, base->commit, base_id, err) < 0 ||
	    find_commit(cli, head->commit, head_id, err) < 0)
		return -1;
	if (streq(base_id, head_id)) {
		err_set(err, ERR_USER,
			"base and head are the same commit %.12s: nothing to compare", base_id);
		return -1;
	}
	if (config) {
		spec.sampling = &config->sampling;
		load_effects(config, &effects);
		spec.effects = &effects;
	}
	return compare_commits(db, &spec, ret, err);
}

/* What the table has no column for, beside it on stderr: why something is undecided. */
static void add_remarks(struct str *s, const struct report *r)
{
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct report_row *row = &r->rows[i];
		if (!row->reason)
			continue;
		str_addf(s, "%s: ", row->verdict);
		str_add_safe(s, row->machine, strlen(row->machine));
		str_addc(s, '/');
		str_add_safe(s, row->test_case, strlen(row->test_case));
		str_addc(s, ' ');
		str_add_safe(s, row->metric, strlen(row->metric));
		str_addf(s, ": %s\n", row->reason);
	}
	if (!r->n_rows && !r->n_failures)
		str_add(s, "no key metric in common; --all shows every metric\n");
}

static int print(struct cli *cli, const struct reporter *format, const struct report *r,
		 struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT, remarks = STR_INIT;
	static const struct {
		const char *verdict;
		int status;
	} statuses[] = {
		{"regression", EXIT_REGRESSION},
		{"inconclusive", EXIT_INCONCLUSIVE},
	};

	if (format->render(r, &text, err) < 0)
		return cli_fail(err);
	if (!opt_format && !cli->json && r->n_rows) {
		str_addc(&text, '\n');
		verdicts_add(&text, r);
	}
	if (!streq(format->name, "json")) {
		if (r->n_failures)
			str_addc(&text, '\n');
		report_add_fail_runs(&text, r);
		add_remarks(&remarks, r);
	}
	if (cli_print(&text) != EXIT_OK)
		return EXIT_FAIL;
	if (!cli->quiet)
		fputs(remarks.buf, stderr);
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++)
		if (streq(r->verdict, statuses[i].verdict))
			return statuses[i].status;
	return EXIT_OK;
}

static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_(compare_side_done) struct compare_side base = {.text = NULL},
							 head = {.text = NULL};
	const struct reporter *format;
	struct report *report = NULL;
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &cmd_compare, argc, argv, 2, 2, &args, &n, &status) < 0)
		return status;
	if (find_format(cli, &format, &err) < 0 || compare_side_parse(args[0], &base, &err) < 0 ||
	    compare_side_parse(args[1], &head, &err) < 0) {
		cli_fail(&err);
		return EXIT_USAGE;
	}
	if (compare(cli, &base, &head, &report, &err) < 0)
		return cli_fail(&err);
	status = print(cli, format, report, &err);
	report_free(report);
	return status;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.summary = "Compare two commits by what the database holds",
	.usage = "BASE HEAD [--case GLOB] [--machine M] [--metric GLOB] [--format F] [--all]",
	.details = "A side is [COMMIT][@KCONFIG][,machine=M]; COMMIT is a hash prefix known to the "
		   "database, or what\ngit understands in a configured tree.\nExit status: 2 a "
		   "regression, 3 inconclusive, 0 otherwise.\n",
	.options = options,
	.run = run,
};
