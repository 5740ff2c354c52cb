/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/cmds.h"
#include "harness/cli/target.h"
#include "harness/roles/build.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/progress.h"

static const char *opt_tree, *opt_git, *opt_kconfig;

static const struct opt *options(void)
{
	static const struct opt rows[] = {
		{"tree", 't', OPT_STR, "TREE", "the tree (default: the first)", &opt_tree, 0, 0},
		{"git", 0, OPT_STR, "DIR", "a repository to use in place of the tree's url",
		 &opt_git, 0, 0},
		{"kconfig", 'k', OPT_STR, "KCONFIG", "the kconfig (default: the tree's first)",
		 &opt_kconfig, 0, 0},
		{.name = NULL},
	};
	return rows;
}

static json_t *kernel_json(const struct kernel *k)
{
	json_t *obj = json_object();
	json_object_set_new(obj, "commit", json_string(k->commit));
	json_object_set_new(obj, "tree", json_string(k->tree));
	json_object_set_new(obj, "kconfig", json_string(k->kconfig));
	json_object_set_new(obj, "toolchain", json_string(k->toolchain));
	json_object_set_new(obj, "status", json_string(k->ok ? "ok" : "build-failed"));
	json_object_set_new(obj, "image_id", k->ok ? json_string(k->image_id) : json_null());
	json_object_set_new(obj, "image", k->ok ? json_string(k->image) : json_null());
	json_object_set_new(obj, "error", k->error ? json_string(k->error) : json_null());
	json_object_set_new(obj, "log", json_string(k->log));
	json_object_set_new(obj, "seconds", json_num(k->seconds));
	json_object_set_new(obj, "cached", json_boolean(k->cached));
	return obj;
}

static int print_kernel(struct cli *cli, const struct kernel *k)
{
	_cleanup_str_ struct str text = STR_INIT;
	if (cli->json) {
		_cleanup_json_ json_t *obj = kernel_json(k);
		json_add(&text, obj);
	} else if (k->ok) {
		str_addf(&text, "image id  %s\nimage     %s\n", k->image_id, k->image);
		str_addf(&text, "built     %s\n",
			 k->cached ? "before; nothing was built now" : "now");
	} else {
		str_addf(&text, "commit %.12s does not build with kconfig %s:\n  ", k->commit,
			 k->kconfig);
		str_add_safe(&text, k->error ? k->error : "no error was found in the log",
			     k->error ? strlen(k->error) : 29);
		str_addf(&text, "\nwhole log: zstdcat %s\n", k->log);
	}
	int status = cli_print(&text);
	return k->ok ? status : EXIT_FAIL;
}

static int build(struct cli *cli, const char *rev, struct kernel *ret, struct err *err)
{
	_cleanup_(target_done) struct target t = {.repo = NULL};
	_cleanup_(commit_done) struct commit commit = {.subject = NULL};
	struct db *db;
	if (target_open(cli, opt_tree, opt_git, opt_kconfig, &t, err) < 0 ||
	    target_commit(&t, rev, &commit, err) < 0 || cli_db(cli, &db, err) < 0)
		return -1;
	struct progress *progress = progress_new("build", 0, cli->quiet);
	progress_step(progress, 0, "build %.12s (%s)", commit.id, t.kconfig->name);
	int status =
		build_role(db, t.config, t.tree, t.kconfig, t.repo, &commit, progress, ret, err);
	progress_free(progress);
	return status;
}

static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	struct err err = ERR_INIT;
	struct kernel kernel = {.ok = false};
	int n, status;
	if (cli_args(cli, &cmd_build, argc, argv, 1, 1, &args, &n, &status) < 0)
		return status;
	if (build(cli, args[0], &kernel, &err) < 0)
		return cli_fail(&err);
	status = print_kernel(cli, &kernel);
	kernel_done(&kernel);
	return status;
}

const struct cmd cmd_build = {
	.name = "build",
	.summary = "Build a commit's kernel, or find it built, and print its image id and path",
	.usage = "COMMIT [-t TREE] [-k KCONFIG]",
	.details =
		"COMMIT is anything git understands in the tree. The build runs in a sandbox without network\n"
		"and is reproducible: the same commit, kconfig and compiler give the same image id. A commit\n"
		"that does not compile is a result: its first error is printed, the status is 1.\n",
	.options = options,
	.run = run,
};
