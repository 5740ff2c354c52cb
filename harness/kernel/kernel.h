/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels: (commit, kconfig, toolchain) -> image. One hot output tree per (tree, kconfig); a build
 * runs in the sandbox with a reproducible environment; what was built once is never built again.
 *
 * Below <cache>: src/<tree>/ (sources), out/<tree>/<kconfig>/ (objects),
 * kernels/<tree>/<kconfig>/<commit>- <toolchain>.json with .log.zst and .config.zst (one per build,
 * failures too) and, with CONFIG_DEBUG_INFO, .vmlinux; images/<image id>/ (what boots).
 */
#ifndef LKP_KERNEL_H
#define LKP_KERNEL_H

#include <stdbool.h>

#include "harness/config/config.h"
#include "harness/git/git.h"
#include "harness/util/err.h"
#include "harness/util/hash.h"
#include "harness/util/progress.h"

struct kernel {
	char commit[GIT_HEX_LEN + 1];
	char *tree, *kconfig;
	char toolchain[80];		 /* "gcc 12.2.0, ld 2.40" */
	char image_id[HASH_HEX_LEN + 1]; /* sha256 of the image file; "" when the build failed */
	char *image;			 /* path of the image; NULL when failed */
	char *config;			 /* path of the .config (zstd) */
	char *log;			 /* path of the compressed log */
	char *record;			 /* path of its .json */
	char *vmlinux;			 /* with line numbers; NULL: CONFIG_DEBUG_INFO is not set */
	bool ok;
	char *error;	/* first error, with its place; NULL when ok */
	double seconds; /* what the build took */
	bool cached;	/* nothing was built by this call */
};

void kernel_done(struct kernel *kernel);

/* Builds the commit or finds it built. A commit that does not compile is not an error of this call:
 * 0 with ok = false (it is a result about the commit, kept like any other). -1: USER (requested
 * symbols that did not survive, each named with the reason where it can be had; unknown base
 * config), INFRA (sandbox, disk, deadline, cancelled: nothing is kept). */
int kernel_build(const struct config *config, const struct config_tree *tree,
		 const struct config_kconfig *kconfig, struct repo *repo, const char *commit,
		 struct progress *progress, struct kernel *ret, struct err *err);

/* Looks only: 1 found, 0 not built yet, -1 error. */
int kernel_find(const struct config *config, const struct config_tree *tree,
		const struct config_kconfig *kconfig, const char *commit, struct kernel *ret,
		struct err *err);

#endif
