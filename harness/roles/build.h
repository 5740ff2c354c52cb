/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The builder: makes sure a commit's kernel is built, and stores that it is or that it does not.
 */
#ifndef LKP_ROLES_BUILD_H
#define LKP_ROLES_BUILD_H

#include "db/db.h"
#include "harness/bench/bench.h"
#include "harness/config/config.h"
#include "harness/kernel/kernel.h"

/* kernel_build() with its result in the database. A commit that does not build: 0 with ret->ok
 * false. */
int build_role(struct db *db, const struct config *config, const struct config_tree *tree,
	       const struct config_kconfig *kconfig, struct repo *repo, const struct commit *commit,
	       struct progress *progress, struct kernel *ret, struct err *err);

/* Kind USER when the kernel's .config lacks what a case's job needs; names job and symbol. */
int build_needs(const struct kernel *kernel, const struct bench_case *cases, size_t n,
		struct err *err);

/* Kind USER when the kernel's .config lacks what this machine's driver needs; names the symbol. */
int build_fits(const struct kernel *kernel, const struct config_machine *machine, struct err *err);

#endif
