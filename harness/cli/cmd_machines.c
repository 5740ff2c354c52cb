/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/cmds.h"
#include "harness/cli/machines_test.h"
#include "harness/machine/machine.h"
#include "harness/machine/shape.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/table.h"

static bool drivers_only;
static struct machines_test_spec trial;

static const struct opt opts[] = {
	{"drivers", 0, OPT_FLAG, NULL, "list the drivers that a machine may have", &drivers_only, 0,
	 0},
	{"image", 0, OPT_STR, "FILE", "test: boot this kernel image", &trial.image, 0, 0},
	{"commit", 'b', OPT_STR, "COMMIT",
	 "test: boot this commit (default: the tree's upstream, where it is built)", &trial.commit,
	 0, 0},
	{"kconfig", 'k', OPT_STR, "KCONFIG", "test: the kconfig (default: the first that fits)",
	 &trial.kconfig, 0, 0},
	{"tree", 't', OPT_STR, "TREE", "test: the tree (default: the first)", &trial.tree, 0, 0},
	{"git", 0, OPT_STR, "DIR", "test: a repository to use in place of the tree's url",
	 &trial.git, 0, 0},
	{.name = NULL},
};

static const struct opt *options(void)
{
	return opts;
}

static void table_cleanup(struct table **t)
{
	table_free(*t);
}

/* ---- drivers ----------------------------------------------------------------------------------
 */

static int drivers_json(void)
{
	_cleanup_json_ json_t *all = json_array();
	_cleanup_str_ struct str text = STR_INIT;

	for (const struct machine_driver *const *d = machine_drivers; *d; d++)
		json_array_append_new(all,
				      json_pack("{s:s, s:s, s:b}", "driver", (*d)->name, "summary",
						(*d)->summary, "boots", (*d)->boots));
	json_add(&text, all);
	return cli_print(&text);
}

static int drivers_table(void)
{
	static const char *const columns[] = {"DRIVER", "KERNEL", "SUMMARY", NULL};
	_cleanup_(table_cleanup) struct table *table = table_new(columns);
	_cleanup_str_ struct str text = STR_INIT;

	for (const struct machine_driver *const *d = machine_drivers; *d; d++) {
		table_row(table);
		table_cell(table, "%s", (*d)->name);
		table_cell(table, "%s", (*d)->boots ? "boots" : "host's");
		table_cell(table, "%s", (*d)->summary);
	}
	table_add(&text, table);
	return cli_print(&text);
}

/* ---- machines ---------------------------------------------------------------------------------
 */

/* What there is to know about a configured machine now. */
struct view {
	const struct config_machine *machine;
	const char *accel, *accel_reason;
	bool boots, usable, deterministic;
	int cpus;
	struct err why; /* it is not usable */
};

static struct view look(const struct config_machine *m)
{
	const struct machine_driver *driver = machine_driver_find(m->driver);
	struct view v = {.machine = m, .accel = "", .accel_reason = "", .why = ERR_INIT};

	if (!driver) {
		err_set(&v.why, ERR_USER, "no driver \"%s\"", m->driver);
		return v;
	}
	v.usable = driver->check(m, &v.why) == 0;
	v.boots = driver->boots;
	v.accel = driver->accel(m);
	if (driver->accel_reason)
		v.accel_reason = driver->accel_reason(m);
	v.deterministic = driver->deterministic(m);
	v.cpus = machine_cpus(m);
	return v;
}

static void add_hardware(json_t *row, const struct config_machine *m)
{
	const struct machine_shape shape = machine_shape(m);

	json_object_set_new(row, "cpu_model", json_string(m->cpu_model));
	json_object_set_new(row, "sockets", json_integer(shape.sockets));
	json_object_set_new(row, "cores", json_integer(shape.cores));
	json_object_set_new(row, "threads", json_integer(shape.threads));
	json_object_set_new(row, "memory", json_integer(m->memory));
	json_object_set_new(row, "cmdline", json_string(m->cmdline));
}

static int machines_json(const struct config *c)
{
	_cleanup_json_ json_t *all = json_array();
	_cleanup_str_ struct str text = STR_INIT;

	for (size_t i = 0; i < c->n_machines; i++) {
		const struct view v = look(&c->machines[i]);
		json_t *row =
			json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:b, s:s}", "machine",
				  v.machine->name, "driver", v.machine->driver, "class",
				  v.machine->class ? v.machine->class : "", "accel", v.accel,
				  "accel_reason", v.accel_reason, "cpus", v.cpus, "deterministic",
				  v.deterministic, "state", v.usable ? "ready" : "unusable");

		if (v.boots)
			add_hardware(row, v.machine);
		if (!v.usable)
			json_object_set_new(row, "reason", json_string(v.why.msg));
		json_array_append_new(all, row);
	}
	json_add(&text, all);
	return cli_print(&text);
}

static int machines_table(const struct config *c)
{
	static const char *const columns[] = {"MACHINE", "DRIVER", "CLASS", "ACCEL",
					      ">CPUS",	 "STATE",  NULL};
	_cleanup_(table_cleanup) struct table *table = table_new(columns);
	_cleanup_str_ struct str text = STR_INIT;

	for (size_t i = 0; i < c->n_machines; i++) {
		const struct view v = look(&c->machines[i]);

		table_row(table);
		table_cell(table, "%s", v.machine->name);
		table_cell(table, "%s", v.machine->driver);
		table_cell(table, "%s", v.machine->class ? v.machine->class : "-");
		table_cell(table, "%s", *v.accel ? v.accel : "-");
		table_cell(table, "%d", v.cpus);
		table_cell(table, "%s", v.usable ? "ready" : v.why.msg);
	}
	table_add(&text, table);
	return cli_print(&text);
}

static int usage(void)
{
	fprintf(stderr,
		"lkpctl machines: only \"test NAME\" goes here\nusage: lkpctl machines %s\n",
		cmd_machines.usage);
	return EXIT_USAGE;
}

static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	const struct config *config;
	struct err err = ERR_INIT;
	int n, status;

	if (cli_args(cli, &cmd_machines, argc, argv, 0, 2, &args, &n, &status) < 0)
		return status;
	if (n) {
		trial.machine = args[n - 1];
		return n == 2 && streq(args[0], "test") ? machines_test(cli, &trial) : usage();
	}
	if (drivers_only)
		return cli->json ? drivers_json() : drivers_table();
	if (cli_config(cli, &config, &err) < 0)
		return cli_fail(&err);
	return cli->json ? machines_json(config) : machines_table(config);
}

const struct cmd cmd_machines = {
	.name = "machines",
	.summary = "List the machines and whether they can be used now, or test one",
	.usage = "[--drivers] [test NAME [--image FILE | -b COMMIT]] [--json]",
	.details =
		"\"test NAME\" boots a kernel that is known to be good there, without benchmarks, and says how long each\n"
		"stage took and what the machine is. Nothing is stored.\n",
	.options = options,
	.run = run,
};
