/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/target.h"

#include "harness/config/load.h"

int target_open(struct cli *cli, const char *tree, const char *git, const char *kconfig,
		struct target *ret, struct err *err)
{
	struct target t = {.config = NULL};
	if (cli_config(cli, &t.config, err) < 0 ||
	    config_tree_find(t.config, tree, &t.tree, err) < 0)
		return -1;
	if (!kconfig && t.tree->kconfigs)
		kconfig = t.tree->kconfigs[0];
	if (config_kconfig_find(t.config, kconfig, &t.kconfig, err) < 0)
		return -1;
	if (repo_open(git ? git : t.tree->url, &t.repo, err) < 0)
		return err_wrap(err, "tree \"%s\"", t.tree->name);
	*ret = t;
	return 0;
}

void target_done(struct target *t)
{
	repo_free(t->repo);
	t->repo = NULL;
}

int target_commit(const struct target *t, const char *rev, struct commit *ret, struct err *err)
{
	char id[GIT_HEX_LEN + 1];
	if (!rev && strpbrk(t->tree->branches[0], "*?["))
		return err_set(
			err, ERR_USER,
			"tree \"%s\" names its branches by the pattern \"%s\": say which commit, by -b",
			t->tree->name, t->tree->branches[0]);
	rev = rev ? rev : t->tree->branches[0];
	if (repo_resolve(t->repo, rev, id, err) < 0 || repo_commit(t->repo, id, ret, err) < 0)
		return err_wrap(err, "tree \"%s\"", t->tree->name);
	return 0;
}
