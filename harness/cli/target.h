/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `build` and `run` share: the tree, its repository and the kconfig that the options name.
 */
#ifndef LKP_CLI_TARGET_H
#define LKP_CLI_TARGET_H

#include "harness/cli/cli.h"
#include "harness/git/git.h"

struct target {
	const struct config *config;
	const struct config_tree *tree;
	const struct config_kconfig *kconfig;
	struct repo *repo;
};

/* tree, git and kconfig as given by -t, --git and -k; NULL: the first tree, its url, its first
 * kconfig. */
int target_open(struct cli *cli, const char *tree, const char *git, const char *kconfig,
		struct target *ret, struct err *err);
void target_done(struct target *t);
/* Resolves a revision in the target's tree (NULL: its first branch) and reads the commit. */
int target_commit(const struct target *t, const char *rev, struct commit *ret, struct err *err);

#endif
