/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/bench/bench.h"
#include "harness/cli/cmds.h"
#include "harness/config/load.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/table.h"
#include "harness/util/time.h"

static const struct cmd sub_list, sub_show, sub_expand;

static void job_cleanup(struct job **job)
{
	job_free(*job);
}

static void table_cleanup(struct table **t)
{
	table_free(*t);
}

/* A job with its cases. */
struct expanded {
	struct job *job;
	struct bench_case *cases;
	size_t n;
};

static void expanded_done(struct expanded *e)
{
	bench_cases_free(e->cases, e->n);
	job_free(e->job);
}

/* The folder of jobs: the configuration's; without a configuration, ./jobs. */
static int jobs_folder(struct cli *cli, const char **ret, struct err *err)
{
	_cleanup_str_ struct str file = STR_INIT;
	const struct config *config;

	if (!cli->config_path && !getenv("LKP_CONFIG") && config_find(NULL, &file, NULL) < 0) {
		*ret = "jobs";
		return 0;
	}
	if (cli_config(cli, &config, err) < 0)
		return -1;
	*ret = config->paths.jobs;
	return 0;
}

static int load(struct cli *cli, const char *name, struct expanded *ret, struct err *err)
{
	_cleanup_(job_cleanup) struct job *job = NULL;
	const char *folder = "jobs";

	/* A path needs no configuration. */
	if (!strchr(name, '/') && !str_ends(name, ".yaml") && jobs_folder(cli, &folder, err) < 0)
		return -1;
	if (job_find(folder, name, &job, err) < 0 ||
	    bench_expand(job, &ret->cases, &ret->n, err) < 0)
		return -1;
	ret->job = job;
	job = NULL;
	return 0;
}

/* ---- list --------------------------------------------------------------------------------------
 */

static int list_json(struct expanded *jobs, size_t n)
{
	_cleanup_json_ json_t *all = json_array();
	_cleanup_str_ struct str text = STR_INIT;

	for (size_t i = 0; i < n; i++) {
		json_t *row = json_object();

		json_object_set_new(row, "job", json_string(jobs[i].job->name));
		json_object_set_new(row, "suite", json_string(jobs[i].job->suite));
		json_object_set_new(row, "cases", json_integer((json_int_t)jobs[i].n));
		json_object_set_new(row, "summary", json_string(jobs[i].job->summary));
		json_array_append_new(all, row);
	}
	json_add(&text, all);
	return cli_print(&text);
}

static int list_table(struct expanded *jobs, size_t n)
{
	static const char *const columns[] = {"JOB", "SUITE", ">CASES", "SUMMARY", NULL};
	_cleanup_(table_cleanup) struct table *table = table_new(columns);
	_cleanup_str_ struct str text = STR_INIT;

	for (size_t i = 0; i < n; i++) {
		table_row(table);
		table_cell(table, "%s", jobs[i].job->name);
		table_cell(table, "%s", jobs[i].job->suite);
		table_cell(table, "%zu", jobs[i].n);
		table_cell(table, "%s", jobs[i].job->summary);
	}
	table_add(&text, table);
	return cli_print(&text);
}

static int run_list(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_strv_ char **names = NULL;
	struct expanded *jobs;
	const char *folder;
	struct err err = ERR_INIT;
	size_t n_jobs = 0;
	int n, status;

	if (cli_args(cli, &sub_list, argc, argv, 0, 0, &args, &n, &status) < 0)
		return status;
	if (jobs_folder(cli, &folder, &err) < 0 || job_names(folder, &names, &err) < 0)
		return cli_fail(&err);
	/* A broken job is reported and does not hide the others. */
	jobs = xcalloc(strv_len(names) + 1, sizeof(*jobs));
	status = EXIT_OK;
	for (char **name = names; *name; name++) {
		if (load(cli, *name, &jobs[n_jobs], &err) == 0)
			n_jobs++;
		else
			status = cli_fail(&err);
	}
	n = cli->json ? list_json(jobs, n_jobs) : list_table(jobs, n_jobs);
	for (size_t i = 0; i < n_jobs; i++)
		expanded_done(&jobs[i]);
	free(jobs);
	return status ? status : n;
}

/* ---- show --------------------------------------------------------------------------------------
 */

static void add_params(struct str *s, const struct expanded *e)
{
	const struct bench *bench = e->cases[0].bench;

	str_add(s, "\nparameters:\n");
	for (size_t p = 0; bench->params[p].name; p++) {
		_cleanup_strv_ char **seen = NULL;

		str_addf(s, "  %-12s", bench->params[p].name);
		for (size_t i = 0; i < e->n; i++) {
			bool old = false;

			for (char **v = seen; v && *v; v++)
				old |= streq(*v, e->cases[i].values[p]);
			if (old)
				continue;
			str_addf(s, "%s%s", seen ? ", " : " ", e->cases[i].values[p]);
			strv_add(&seen, e->cases[i].values[p]);
		}
		str_addf(s, "\n%15s%s\n", "", bench->params[p].summary);
	}
}

static void add_list(struct str *s, const char *title, char *const *list)
{
	if (!strv_len(list))
		return;
	str_addf(s, "%-12s", title);
	for (; *list; list++)
		str_addf(s, " %s%s", *list, list[1] ? "," : "\n");
}

static void add_lines(struct str *s, const char *title, const struct str *lines)
{
	if (!lines->len)
		return;
	str_addf(s, "\n%s:\n", title);
	for (const char *p = lines->buf; *p;) {
		const char *end = strchrnul(p, '\n');

		str_addf(s, "  %.*s\n", (int)(end - p), p);
		p = *end ? end + 1 : end;
	}
}

static void add_needs(struct str *s, const struct job *job)
{
	add_list(s, "kernel needs", job->needs.kconfig);
	if (job->needs.cpus > 1)
		str_addf(s, "%-12s %lld CPUs\n", "needs", (long long)job->needs.cpus);
	if (job->needs.memory > 0)
		str_addf(s, "%-12s %lld MiB memory\n", "needs",
			 (long long)(job->needs.memory >> 20));
}

static void add_job(struct str *s, const struct expanded *e)
{
	const struct job *job = e->job;
	const struct bench *bench = e->cases[0].bench;
	_cleanup_str_ struct str setup = STR_INIT;
	_cleanup_free_ char *does = bench->describe ? bench->describe(&e->cases[0]) : NULL;

	str_addf(s, "%-12s %s%s%s\n", "job", job->name, *job->summary ? ": " : "", job->summary);
	str_addf(s, "%-12s %s\n", "suite", bench->name);
	str_addf(s, "%-12s %s\n", "what it does", bench->summary);
	if (does)
		str_addf(s, "%-12s %s: %s\n", e->n > 1 ? "first case" : "case", e->cases[0].name,
			 does);
	str_addf(s, "%-12s %s\n", "source", bench->source);
	str_addf(s, "%-12s %s\n", "key metric", bench->kpi);
	str_addf(s, "%-12s %zu (lkpctl jobs expand %s)\n", "cases", e->n, job->name);
	str_addf(s, "%-12s %lld a boot, each at most ", "iterations", (long long)job->iterations);
	time_add_duration(s, job->timeout);
	str_addc(s, '\n');
	add_list(s, "monitors", job->monitors);
	add_needs(s, job);
	str_addf(s, "%-12s %s\n", "pinned", job->setup.taskset ? job->setup.taskset : "no");
	add_params(s, e);
	job_setup_add(&setup, &job->setup);
	add_lines(s, "setup", &setup);
}

static json_t *parameters(const struct bench_case *c)
{
	json_t *all = json_object();

	for (size_t p = 0; c->bench->params[p].name; p++)
		json_object_set_new(all, c->bench->params[p].name, json_string(c->values[p]));
	return all;
}

static json_t *cases_json(const struct expanded *e)
{
	json_t *all = json_array();

	for (size_t i = 0; i < e->n; i++) {
		json_t *row = json_object();

		json_object_set_new(row, "case", json_string(e->cases[i].name));
		json_object_set_new(row, "suite", json_string(e->cases[i].bench->name));
		json_object_set_new(row, "parameters", parameters(&e->cases[i]));
		json_array_append_new(all, row);
	}
	return all;
}

static json_t *job_json(const struct expanded *e)
{
	const struct bench *bench = e->cases[0].bench;
	_cleanup_str_ struct str setup = STR_INIT;
	json_t *all = json_object();

	job_setup_add(&setup, &e->job->setup);
	json_object_set_new(all, "job", json_string(e->job->name));
	json_object_set_new(all, "summary", json_string(e->job->summary));
	json_object_set_new(all, "suite", json_string(bench->name));
	json_object_set_new(all, "suite_summary", json_string(bench->summary));
	json_object_set_new(all, "source", json_string(bench->source));
	json_object_set_new(all, "kpi", json_string(bench->kpi));
	json_object_set_new(all, "iterations", json_integer(e->job->iterations));
	json_object_set_new(all, "timeout_s", json_num(e->job->timeout));
	json_object_set_new(all, "setup", json_string(setup.buf));
	json_object_set_new(all, "cases", cases_json(e));
	return all;
}

static int run_show(struct cli *cli, int argc, char **argv)
{
	_cleanup_(expanded_done) struct expanded e = {0};
	_cleanup_free_ char **args = NULL;
	_cleanup_json_ json_t *all = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &sub_show, argc, argv, 1, 1, &args, &n, &status) < 0)
		return status;
	if (load(cli, args[0], &e, &err) < 0)
		return cli_fail(&err);
	if (cli->json) {
		all = job_json(&e);
		json_add(&text, all);
	} else {
		add_job(&text, &e);
	}
	return cli_print(&text);
}

/* ---- expand ------------------------------------------------------------------------------------
 */

static int run_expand(struct cli *cli, int argc, char **argv)
{
	_cleanup_(expanded_done) struct expanded e = {0};
	_cleanup_free_ char **args = NULL;
	_cleanup_json_ json_t *all = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &sub_expand, argc, argv, 1, 1, &args, &n, &status) < 0)
		return status;
	if (load(cli, args[0], &e, &err) < 0)
		return cli_fail(&err);
	if (cli->json) {
		all = cases_json(&e);
		json_add(&text, all);
	}
	for (size_t i = 0; !cli->json && i < e.n; i++)
		str_addf(&text, "%s\n", e.cases[i].name);
	return cli_print(&text);
}

static const struct cmd sub_list = {
	.name = "jobs list",
	.summary = "All jobs, with the number of their cases",
	.usage = "[--json]",
	.run = run_list,
};

static const struct cmd sub_show = {
	.name = "jobs show",
	.summary = "What a job does: its benchmark, parameters, setup and key metric",
	.usage = "JOB [--json]",
	.run = run_show,
};

static const struct cmd sub_expand = {
	.name = "jobs expand",
	.summary = "The cases of a job, one a line",
	.usage = "JOB [--json]",
	.run = run_expand,
};

static int run(struct cli *cli, int argc, char **argv)
{
	const struct cmd subs[] = {sub_list, sub_show, sub_expand, {.name = NULL}};

	return cli_group(cli, &cmd_jobs, subs, argc, argv);
}

const struct cmd cmd_jobs = {
	.name = "jobs",
	.summary = "List, explain and expand jobs",
	.usage = "list | show JOB | expand JOB",
	.details = "JOB is a name from the jobs folder, or the path of a job file.\n",
	.run = run,
};
