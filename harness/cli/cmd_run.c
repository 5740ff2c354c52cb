/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/cmds.h"
#include "harness/cli/run_print.h"
#include "harness/cli/target.h"
#include "harness/config/load.h"
#include "harness/monitor/monitor.h"
#include "harness/roles/build.h"
#include "harness/roles/judge.h"
#include "harness/roles/machine.h"
#include "harness/util/mem.h"
#include "harness/util/progress.h"

static const char *opt_commit, *opt_image, *opt_machine, *opt_tree, *opt_git, *opt_kconfig,
	*opt_against;
static int64_t opt_boots, opt_iterations;

static const struct opt *options(void)
{
	static const struct opt rows[] = {
		{"commit", 'b', OPT_STR, "COMMIT",
		 "what to boot (default: the tree's first branch)", &opt_commit, 0, 0},
		{"against", 0, OPT_STR, "BASE", "measure BASE too, in blocks, and judge",
		 &opt_against, 0, 0},
		{"image", 0, OPT_STR, "FILE", "boot this kernel image; no tree is needed",
		 &opt_image, 0, 0},
		{"machine", 'm', OPT_STR, "MACHINE", "where (default: the tree's first)",
		 &opt_machine, 0, 0},
		{"kconfig", 'k', OPT_STR, "KCONFIG", "the kconfig (default: the tree's first)",
		 &opt_kconfig, 0, 0},
		{"tree", 't', OPT_STR, "TREE", "the tree (default: the first)", &opt_tree, 0, 0},
		{"git", 0, OPT_STR, "DIR", "a repository to use in place of the tree's url",
		 &opt_git, 0, 0},
		{"boots", 0, OPT_INT, "N", "boots (default 1), or with --against deciding blocks",
		 &opt_boots, 1, 1000},
		{"iterations", 0, OPT_INT, "N", "iterations a boot, in place of the jobs' own",
		 &opt_iterations, 1, 1000},
		{.name = NULL},
	};
	return rows;
}

/* The cases of all jobs named on the command line; the jobs live as long as the cases. */
struct work {
	struct job **jobs;
	size_t n_jobs;
	struct bench_case *cases;
	size_t n_cases;
};

static void work_done(struct work *w)
{
	bench_cases_free(w->cases, w->n_cases);
	for (size_t i = 0; i < w->n_jobs; i++)
		job_free(w->jobs[i]);
	free(w->jobs);
}

static int load_work(const struct config *config, char **names, int n, struct work *w,
		     struct err *err)
{
	w->jobs = xcalloc((size_t)n, sizeof(*w->jobs));
	for (int i = 0; i < n; i++) {
		struct bench_case *cases;
		size_t n_cases;
		if (job_find(config->paths.jobs, names[i], &w->jobs[w->n_jobs], err) < 0)
			return -1;
		const struct job *job = w->jobs[w->n_jobs++];
		if (monitor_check_job(job, err) < 0 || bench_expand(job, &cases, &n_cases, err) < 0)
			return -1;
		w->cases = xreallocarray(w->cases, w->n_cases + n_cases, sizeof(*cases));
		memcpy(w->cases + w->n_cases, cases, n_cases * sizeof(*cases));
		w->n_cases += n_cases;
		free(cases);
	}
	for (size_t i = 0; i < w->n_cases; i++)
		for (size_t k = i + 1; k < w->n_cases; k++)
			if (streq(w->cases[i].name, w->cases[k].name))
				return err_set(
					err, ERR_USER,
					"case %s is in jobs \"%s\" and \"%s\": one boot runs it once",
					w->cases[i].name, w->cases[i].job->name,
					w->cases[k].job->name);
	return 0;
}

static int find_machine(const struct config *config, const struct config_tree *tree,
			const struct config_machine **ret, struct err *err)
{
	const char *name = opt_machine;
	if (!name && tree && tree->machines)
		name = tree->machines[0];
	return config_machine_find(config, name, ret, err);
}

static int run_against(struct cli *cli, struct target *t, const struct config_machine *machine,
		       const struct work *w, struct err *err)
{
	_cleanup_(commit_done) struct commit head = {.subject = NULL}, base = {.subject = NULL};
	struct judge_outcome outcome = {.report = NULL};
	struct db *db;
	if (target_commit(t, opt_commit, &head, err) < 0 ||
	    target_commit(t, opt_against, &base, err) < 0 || cli_db(cli, &db, err) < 0)
		return -1;
	if (streq(head.id, base.id))
		return err_set(err, ERR_USER,
			       "base and head are the same commit %.12s: nothing to compare",
			       head.id);
	struct progress *progress = progress_new("run", 0, cli->quiet);
	const struct judge_spec spec = {
		.config = t->config,
		.db = db,
		.tree = t->tree,
		.kconfig = t->kconfig,
		.machine = machine,
		.repo = t->repo,
		.base = base.id,
		.head = head.id,
		.cases = w->cases,
		.n_cases = w->n_cases,
		.blocks = opt_boots,
		.iterations = opt_iterations,
		.progress = progress,
	};
	int status = judge_role(&spec, &outcome, err);
	progress_free(progress);
	if (status < 0)
		return -1;
	status = run_print_outcome(cli, &outcome, err);
	report_free(outcome.report);
	return status;
}

/* Boots of one kernel, outside blocks. */
static int boot_rounds(struct cli *cli, const struct config *config,
		       const struct config_machine *machine, const struct work *w,
		       const struct run_kernel *kernel, struct progress *progress, struct err *err)
{
	struct session *session;
	struct session_outcome last = {.status = MACHINE_OK};
	struct db *db;
	int64_t boots = opt_boots ? opt_boots : 1;
	if (cli_db(cli, &db, err) < 0)
		return -1;
	const struct session_spec spec = {
		.config = config,
		.db = db,
		.machine = machine,
		.cases = w->cases,
		.n_cases = w->n_cases,
		.iterations = opt_iterations,
		.progress = progress,
	};
	if (session_open(&spec, &session, err) < 0)
		return -1;
	int status = 0;
	for (int64_t i = 0; i < boots && status == 0; i++) {
		_cleanup_free_ char *what = xasprintf("boot %lld of %lld: %.12s", (long long)i + 1,
						      (long long)boots, kernel->commit->id);
		struct session_outcome o;
		status = session_boot(session, kernel, "judge", what, &o, err);
		if (status == 0 && (o.status != MACHINE_OK || o.failed_runs))
			last = o;
	}
	if (status == 0)
		status = run_print_boots(cli, db, kernel->commit->id, machine->name,
					 session_booted(session), &last, err);
	session_free(session);
	return status;
}

static int run_commit(struct cli *cli, struct target *t, const struct config_machine *machine,
		      const struct work *w, struct err *err)
{
	_cleanup_(commit_done) struct commit commit = {.subject = NULL};
	_cleanup_(kernel_done) struct kernel kernel = {.ok = false};
	struct db *db;
	if (target_commit(t, opt_commit, &commit, err) < 0 || cli_db(cli, &db, err) < 0)
		return -1;
	struct progress *progress = progress_new("run", 0, cli->quiet);
	progress_step(progress, 0, "build %.12s (%s)", commit.id, t->kconfig->name);
	int status = build_role(db, t->config, t->tree, t->kconfig, t->repo, &commit, progress,
				&kernel, err);
	if (status == 0 && !kernel.ok)
		status =
			err_set_cause(err, ERR_KERNEL, "build-failed",
				      "%.12s does not build: %.500s; the whole log: zstdcat %.300s",
				      commit.id, kernel.error ? kernel.error : "", kernel.log);
	if (status == 0)
		status = build_needs(&kernel, w->cases, w->n_cases, err);
	if (status == 0)
		status = build_fits(&kernel, machine, err);
	if (status == 0) {
		const struct run_kernel run = {
			.commit = &commit,
			.tree = t->tree->name,
			.kconfig = t->kconfig->name,
			.rules = t->kconfig,
			.toolchain = kernel.toolchain,
			.image = kernel.image,
			.image_id = kernel.image_id,
			.vmlinux = kernel.vmlinux,
		};
		status = boot_rounds(cli, t->config, machine, w, &run, progress, err);
	}
	progress_free(progress);
	return status;
}

/* An image by hand, or this host's own kernel: what it is stands in for a commit. */
static int run_image(struct cli *cli, const struct config *config,
		     const struct config_machine *machine, const struct work *w, struct err *err)
{
	_cleanup_(commit_done) struct commit commit = {.subject = NULL};
	char id[HASH_HEX_LEN + 1];
	if (run_stand_in(opt_image, &commit, id, err) < 0)
		return -1;
	struct progress *progress = progress_new("run", 0, cli->quiet);
	const struct run_kernel run = {
		.commit = &commit,
		.tree = "",
		.kconfig = "",
		.toolchain = "",
		.image = opt_image,
		.image_id = id,
	};
	int status = boot_rounds(cli, config, machine, w, &run, progress, err);
	progress_free(progress);
	return status;
}

/* An unknown driver is for whoever uses it to complain about. */
static bool boots(const struct config_machine *machine)
{
	const struct machine_driver *driver = machine_driver_find(machine->driver);
	return !driver || driver->boots;
}

static int dispatch(struct cli *cli, char **args, int n, struct err *err)
{
	_cleanup_(target_done) struct target t = {.repo = NULL};
	_cleanup_(work_done) struct work w = {.jobs = NULL};
	const struct config_machine *machine;
	const struct config *config;
	if (opt_image && (opt_commit || opt_against))
		return err_set(err, ERR_USER, "--image goes with neither -b nor --against");
	if (cli_config(cli, &config, err) < 0 || load_work(config, args, n, &w, err) < 0)
		return -1;
	const struct config_machine *named = NULL;
	if (opt_machine && config_machine_find(config, opt_machine, &named, err) < 0)
		return -1;
	bool local = named && !boots(named);
	if (opt_image || (local && !opt_commit && !opt_against)) {
		if (find_machine(config, NULL, &machine, err) < 0)
			return -1;
		return run_image(cli, config, machine, &w, err);
	}
	if (target_open(cli, opt_tree, opt_git, opt_kconfig, &t, err) < 0 ||
	    find_machine(config, t.tree, &machine, err) < 0)
		return -1;
	if (!boots(machine))
		return err_set(
			err, ERR_USER,
			"machine \"%s\" boots no kernel, it measures this host's own: name it by "
			"-m and leave -b and --against out",
			machine->name);
	return opt_against ? run_against(cli, &t, machine, &w, err)
			   : run_commit(cli, &t, machine, &w, err);
}

static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	struct err err = ERR_INIT;
	int n, status;
	if (cli_args(cli, &cmd_run, argc, argv, 1, -1, &args, &n, &status) < 0)
		return status;
	status = dispatch(cli, args, n, &err);
	return status < 0 ? cli_fail(&err) : status;
}

const struct cmd cmd_run = {
	.name = "run",
	.summary = "Build, boot and measure a commit; with --against, judge it and report",
	.usage = "JOB... [-b COMMIT | --image FILE] [-m MACHINE] [--against BASE] [--boots N]",
	.details =
		"All cases of the jobs run in one boot. With --against, base and head are booted in blocks (one boot\n"
		"each, random order); what is stored of the pair already is used, only missing blocks are run. A\n"
		"regression is confirmed on fresh blocks, then a report is filed and its mail laid into the maildir.\n"
		"Exit status with --against: 0 clean or better, 2 a regression, 3 inconclusive.\n",
	.options = options,
	.run = run,
};
