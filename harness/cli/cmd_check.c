/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/bench/bench.h"
#include "harness/cli/cmds.h"
#include "harness/config/load.h"
#include "harness/machine/machine.h"
#include "harness/mail/outbox.h"
#include "harness/monitor/monitor.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

struct check {
	const struct config *config;
	struct str faults; /* lines "file:line:column: message" */
	struct str notes;  /* likewise, of what is no mistake but will be in the way */
	size_t n_jobs, n_cases;
};

static void add(struct str *lines, const struct config_mark *mark, const char *message)
{
	str_addf(lines, "%s:%d:%d: %s\n", mark->file, mark->line, mark->column, message);
}

static void unknown_driver(struct check *check, const struct config_machine *machine)
{
	_cleanup_strv_ char **names = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	const char *near;

	for (size_t i = 0; machine_drivers[i]; i++)
		strv_add(&names, machine_drivers[i]->name);
	near = str_nearest(machine->driver, (const char *const *)names);
	str_addf(&text, "machine \"%s\": no driver \"%.40s\";", machine->name, machine->driver);
	if (near)
		str_addf(&text, " did you mean \"%s\"?", near);
	str_add(&text, " drivers:");
	for (char **name = names; name && *name; name++)
		str_addf(&text, "%s %s", name == names ? "" : ",", *name);
	add(&check->faults, &machine->mark, text.buf);
}

/* A machine that is configured wrongly is a fault; one that this computer cannot run now, a note.
 */
static void check_machine(struct check *check, const struct config_machine *machine)
{
	const struct machine_driver *driver = machine_driver_find(machine->driver);
	_cleanup_free_ char *text = NULL;
	struct err err = ERR_INIT;

	if (!driver) {
		unknown_driver(check, machine);
		return;
	}
	if (!driver->check || driver->check(machine, &err) == 0)
		return;
	text = xasprintf("machine \"%s\": %s", machine->name, err.msg);
	add(err.kind == ERR_USER ? &check->faults : &check->notes, &machine->mark, text);
}

/* What a tree lacks for a run, and for a mail about it. */
static void check_tree(struct check *check, const struct config_tree *tree)
{
	const struct config *c = check->config;
	_cleanup_str_ struct str text = STR_INIT;

	str_addf(&text, "tree \"%s\": ", tree->name);
	size_t start = text.len;
	if (strstr(tree->url, "://") && !str_starts(tree->url, "file://")) {
		str_addf(
			&text,
			"\"url\" must be a path or file://path, for now; clone it and name the clone");
		add(&check->faults, &tree->mark, text.buf);
	} else if (!fs_is_dir(str_starts(tree->url, "file://") ? tree->url + 7 : tree->url)) {
		str_addf(&text, "there is no repository at %.300s", tree->url);
		add(&check->notes, &tree->mark, text.buf);
	}
	str_cut(&text, start);
	if (!tree->kconfigs || !tree->kconfigs[0] || !tree->machines || !tree->machines[0]) {
		str_addf(&text, "it has no kconfig to build or no machine to run on");
		add(&check->faults, &tree->mark, text.buf);
	}
	for (size_t i = 0; tree->report_to && tree->report_to[i]; i++) {
		if (outbox_allows(c->mail.allow, tree->report_to[i]))
			continue;
		str_cut(&text, start);
		str_addf(&text,
			 "\"allow\" in mail does not cover %.100s: no mail will be written to it",
			 tree->report_to[i]);
		add(&check->notes, &tree->mark, text.buf);
	}
}

static void check_job(struct check *check, const char *name)
{
	_cleanup_free_ char *file = xasprintf("%s/%s.yaml", check->config->paths.jobs, name);
	struct bench_case *cases = NULL;
	struct job *job = NULL;
	struct err err = ERR_INIT;
	size_t n = 0;

	if (job_load(file, &job, &check->faults, &err) < 0)
		return;
	check->n_jobs++;
	if (monitor_check_job(job, &err) < 0 || bench_expand(job, &cases, &n, &err) < 0)
		str_addf(&check->faults, "%s\n", err.msg);
	check->n_cases += n;
	bench_cases_free(cases, n);
	job_free(job);
}

static void check_all(struct check *check)
{
	const struct config *config = check->config;
	_cleanup_strv_ char **names = NULL;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < config->n_trees; i++)
		check_tree(check, &config->trees[i]);
	for (size_t i = 0; i < config->n_machines; i++)
		check_machine(check, &config->machines[i]);
	/* Without a folder of jobs no tree can have named one: that would be a fault already. */
	if (job_names(config->paths.jobs, &names, &err) < 0)
		str_addf(&check->notes, "%s:1:1: %s\n", config->file, err.msg);
	for (char **name = names; name && *name; name++)
		check_job(check, *name);
}

static void add_lines(json_t *array, const struct str *lines)
{
	for (const char *p = lines->buf; *p;) {
		const char *end = strchrnul(p, '\n');

		json_array_append_new(array, json_stringn(p, (size_t)(end - p)));
		p = *end ? end + 1 : end;
	}
}

static int print_json(const struct check *check, const char *file)
{
	const struct config *c = check->config;
	_cleanup_json_ json_t *all = json_object();
	_cleanup_str_ struct str text = STR_INIT;
	json_t *faults = json_array(), *notes = json_array();

	json_object_set_new(all, "file", json_string(file));
	json_object_set_new(all, "trees", json_integer((json_int_t)(c ? c->n_trees : 0)));
	json_object_set_new(all, "kconfigs", json_integer((json_int_t)(c ? c->n_kconfigs : 0)));
	json_object_set_new(all, "machines", json_integer((json_int_t)(c ? c->n_machines : 0)));
	json_object_set_new(all, "jobs", json_integer((json_int_t)check->n_jobs));
	json_object_set_new(all, "cases", json_integer((json_int_t)check->n_cases));
	add_lines(faults, &check->faults);
	add_lines(notes, &check->notes);
	json_object_set_new(all, "faults", faults);
	json_object_set_new(all, "notes", notes);
	json_add(&text, all);
	return cli_print(&text);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static int print_summary(const struct check *check, const char *file)
{
	const struct config *c = check->config;
	_cleanup_str_ struct str text = STR_INIT;

	str_addf(&text,
		 "%s: %zu tree%s, %zu kconfig%s, %zu machine%s, %zu job%s (%zu case%s): fine\n",
		 file, c->n_trees, plural(c->n_trees), c->n_kconfigs, plural(c->n_kconfigs),
		 c->n_machines, plural(c->n_machines), check->n_jobs, plural(check->n_jobs),
		 check->n_cases, plural(check->n_cases));
	return cli_print(&text);
}

static int report(const struct check *check, bool as_json, const char *file)
{
	int status = as_json ? print_json(check, file) : EXIT_OK;

	if (!as_json)
		fprintf(stderr, "%s%s", check->faults.buf, check->notes.buf);
	if (!as_json && !check->faults.len)
		status = print_summary(check, file);
	return check->faults.len ? EXIT_FAIL : status;
}

static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_str_ struct str file = STR_INIT;
	struct check check = {.faults = STR_INIT, .notes = STR_INIT};
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &cmd_check, argc, argv, 0, 1, &args, &n, &status) < 0)
		return status;
	if (config_find(n ? args[0] : cli->config_path, &file, &err) < 0)
		return cli_fail(&err);
	/* Loaded afresh: check wants every fault, cli_config() would keep the first. */
	if (config_load(file.buf, &cli->config, &check.faults, &err) == 0) {
		check.config = cli->config;
		check_all(&check);
	}
	status = report(&check, cli->json, file.buf);
	str_done(&check.faults);
	str_done(&check.notes);
	return status;
}

const struct cmd cmd_check = {
	.name = "check",
	.summary = "Validate the configuration, the jobs and the machines",
	.usage = "[FILE] [--json]",
	.details =
		"Every fault is a line \"file:line:column: message\" on stderr, and the exit status 1.\n",
	.run = run,
};
