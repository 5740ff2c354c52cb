/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/machines_test.h"

#include "harness/cli/target.h"
#include "harness/config/load.h"
#include "harness/roles/build.h"
#include "harness/roles/machine_test.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/progress.h"
#include "harness/util/table.h"
#include "harness/util/time.h"

struct choice {
	struct str image; /* empty: the machine boots nothing */
	struct str what;
	double seconds;
};

/* ---- the kernel -------------------------------------------------------------------------------
 */

static void take(struct choice *c, const struct kernel *k)
{
	str_add(&c->image, k->image);
	str_addf(&c->what, "%.12s, kconfig %s, %s", k->commit, k->kconfig,
		 k->cached ? "built before" : "built now");
}

/* 1: this kconfig's kernel is built and fits. */
static int try_built(const struct target *t, const struct config_machine *machine,
		     const struct config_kconfig *kconfig, const char *commit, struct choice *c,
		     struct err *err)
{
	_cleanup_(kernel_done) struct kernel kernel = {.ok = false};
	struct err unfit = ERR_INIT;
	int found = kernel_find(t->config, t->tree, kconfig, commit, &kernel, err);

	if (found <= 0)
		return found;
	if (!kernel.ok || build_fits(&kernel, machine, &unfit) < 0)
		return 0;
	kernel.cached = true;
	take(c, &kernel);
	return 1;
}

static int find_built(const struct target *t, const struct config_machine *machine,
		      const char *kconfig, const char *commit, struct choice *c, struct err *err)
{
	int found = 0;

	if (kconfig)
		return try_built(t, machine, t->kconfig, commit, c, err);
	for (char **name = t->tree->kconfigs; name && *name && !found; name++) {
		const struct config_kconfig *k;

		if (config_kconfig_find(t->config, *name, &k, err) < 0)
			return -1;
		found = try_built(t, machine, k, commit, c, err);
	}
	/* A tree need not list the kconfig of every machine. */
	for (size_t i = 0; i < t->config->n_kconfigs && !found; i++)
		found = try_built(t, machine, &t->config->kconfigs[i], commit, c, err);
	return found;
}

static int build(struct cli *cli, const struct target *t, const struct config_machine *machine,
		 const struct commit *commit, struct choice *c, struct err *err)
{
	_cleanup_(kernel_done) struct kernel kernel = {.ok = false};
	struct progress *progress;
	struct db *db;
	int status;

	if (cli_db(cli, &db, err) < 0)
		return -1;
	progress = progress_new("machines", 0, cli->quiet);
	progress_step(progress, 0, "build %.12s (%s)", commit->id, t->kconfig->name);
	status = build_role(db, t->config, t->tree, t->kconfig, t->repo, commit, progress, &kernel,
			    err);
	progress_free(progress);
	if (status < 0)
		return -1;
	if (!kernel.ok)
		return err_set_cause(err, ERR_KERNEL, "build-failed",
				     "%.12s does not build: %.500s", commit->id,
				     kernel.error ? kernel.error : "");
	if (build_fits(&kernel, machine, err) < 0)
		return -1;
	take(c, &kernel);
	return 0;
}

static int from_tree(struct cli *cli, const struct machines_test_spec *spec,
		     const struct config_machine *machine, struct choice *c, struct err *err)
{
	_cleanup_(target_done) struct target t = {.repo = NULL};
	_cleanup_(commit_done) struct commit commit = {.subject = NULL};
	const char *rev;
	int found;

	if (target_open(cli, spec->tree, spec->git, spec->kconfig, &t, err) < 0)
		return -1;
	rev = spec->commit ? spec->commit : t.tree->upstream;
	if (target_commit(&t, rev, &commit, err) < 0)
		return -1;
	found = find_built(&t, machine, spec->kconfig, commit.id, c, err);
	if (found)
		return found < 0 ? -1 : 0;
	if (spec->commit)
		return build(cli, &t, machine, &commit, c, err);
	return err_set(err, ERR_USER,
		       "no kernel of %s (tree \"%s\") that machine \"%s\" can boot is built yet: "
		       "build one (lkpctl build %s -k KCONFIG), or name one by -b or --image",
		       rev, t.tree->name, machine->name, rev);
}

static int choose(struct cli *cli, const struct machines_test_spec *spec,
		  const struct config_machine *machine, struct choice *c, struct err *err)
{
	const struct machine_driver *driver = machine_driver_find(machine->driver);
	double start = time_monotonic();

	if (spec->image && spec->commit)
		return err_set(err, ERR_USER, "--image does not go with -b");
	if (!driver || !driver->boots) {
		str_add(&c->what, "this host's own");
	} else if (spec->image) {
		if (!fs_exists(spec->image))
			return err_set(err, ERR_USER, "no kernel image %s", spec->image);
		str_add(&c->image, spec->image);
		str_add(&c->what, spec->image);
	} else if (from_tree(cli, spec, machine, c, err) < 0) {
		return -1;
	}
	c->seconds = time_monotonic() - start;
	return 0;
}

/* ---- the answer -------------------------------------------------------------------------------
 */

static json_t *stage_json(const char *name, double seconds, const char *what)
{
	return json_pack("{s:s, s:f, s:s}", "stage", name, "seconds", seconds, "what", what);
}

static int print_json(const struct config_machine *machine, const struct choice *c,
		      const struct machine_test *t, const struct err *failed)
{
	_cleanup_json_ json_t *obj = json_object();
	_cleanup_str_ struct str text = STR_INIT;
	json_t *stages = json_array();

	json_array_append_new(stages, stage_json("kernel", c->seconds, c->what.buf));
	for (size_t i = 0; i < t->n; i++)
		json_array_append_new(stages, stage_json(t->stages[i].name, t->stages[i].seconds,
							 t->stages[i].what));
	json_object_set_new(obj, "machine", json_string(machine->name));
	json_object_set_new(obj, "driver", json_string(machine->driver));
	json_object_set_new(obj, "accel", json_string(t->accel));
	json_object_set_new(obj, "accel_reason", json_string(t->accel_reason));
	json_object_set_new(obj, "emulator", json_string(t->version));
	json_object_set_new(obj, "status",
			    json_string(failed ? "unusable" : machine_status_name(t->status)));
	json_object_set_new(obj, "detail", json_string(failed ? failed->msg : t->detail));
	json_object_set_new(obj, "stages", stages);
	json_object_set(obj, "facts", t->facts ? t->facts : json_null());
	json_add(&text, obj);
	return cli_print(&text);
}

static void table_cleanup(struct table **t)
{
	table_free(*t);
}

static void add_stage(struct table *table, const char *name, double seconds, const char *what)
{
	table_row(table);
	table_cell(table, "%s", name);
	table_cell(table, "%.2f", seconds);
	table_cell(table, "%s", what);
}

static void add_facts(struct str *text, const struct machine_test *t)
{
	static const char *const names[] = {"uname",	    "cmdline",	 "clocksource",
					    "clocksources", "cpu_model", "cpus",
					    "memory_kb",    "perf",	 NULL};

	str_addc(text, '\n');
	if (*t->accel)
		str_addf(text, "accelerator  %s%s%s%s\n", t->accel, *t->accel_reason ? " (" : "",
			 t->accel_reason, *t->accel_reason ? ")" : "");
	if (*t->version)
		str_addf(text, "emulator     %s\n", t->version);
	for (const char *const *name = names; *name; name++) {
		const json_t *fact = json_object_get(t->facts, *name);
		_cleanup_free_ char *value = NULL;

		if (!fact)
			continue;
		value = json_is_string(fact) ? xstrdup(json_string_value(fact))
					     : json_dumps(fact, JSON_ENCODE_ANY | JSON_COMPACT);
		str_addf(text, "%-13s", *name);
		str_add_safe(text, value, strlen(value));
		str_addc(text, '\n');
	}
}

static int print_table(const struct config_machine *machine, const struct choice *c,
		       const struct machine_test *t, const struct err *failed)
{
	static const char *const columns[] = {"STAGE", ">SECONDS", "WHAT", NULL};
	_cleanup_(table_cleanup) struct table *table = table_new(columns);
	_cleanup_str_ struct str text = STR_INIT;

	add_stage(table, "kernel", c->seconds, c->what.buf);
	for (size_t i = 0; i < t->n; i++)
		add_stage(table, t->stages[i].name, t->stages[i].seconds, t->stages[i].what);
	table_add(&text, table);
	if (!failed)
		add_facts(&text, t);
	if (!failed && t->status == MACHINE_OK)
		str_addf(&text, "\nmachine %s works\n", machine->name);
	return cli_print(&text);
}

static int finish(struct cli *cli, const struct config_machine *machine, const struct choice *c,
		  const struct machine_test *t, const struct err *failed)
{
	struct err err = ERR_INIT;
	int status =
		cli->json ? print_json(machine, c, t, failed) : print_table(machine, c, t, failed);

	if (failed)
		return cli_fail(failed);
	if (t->status == MACHINE_OK)
		return status;
	err_set(&err, ERR_KERNEL, "machine %s: %s: %s", machine->name,
		machine_status_name(t->status), t->detail);
	return cli_fail(&err);
}

int machines_test(struct cli *cli, const struct machines_test_spec *spec)
{
	struct choice c = {.image = STR_INIT, .what = STR_INIT};
	const struct config_machine *machine;
	const struct config *config;
	struct machine_test test = {.n = 0};
	struct err err = ERR_INIT;
	int status;

	if (cli_config(cli, &config, &err) < 0 ||
	    config_machine_find(config, spec->machine, &machine, &err) < 0 ||
	    choose(cli, spec, machine, &c, &err) < 0) {
		status = cli_fail(&err);
	} else {
		bool failed = machine_test(config, machine, c.image.len ? c.image.buf : NULL, &test,
					   &err) < 0;

		status = finish(cli, machine, &c, &test, failed ? &err : NULL);
	}
	machine_test_done(&test);
	str_done(&c.image);
	str_done(&c.what);
	return status;
}
