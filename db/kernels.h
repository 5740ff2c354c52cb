/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels: what building a commit gave. Strings are borrowed and copied.
 */
#ifndef LKP_DB_KERNELS_H
#define LKP_DB_KERNELS_H

#include "db/commits.h"

struct db_kernel {
	char commit[DB_HEX_LEN + 1];
	const char *tree, *kconfig, *toolchain;
	const char *image_id; /* "" when it did not build */
	const char *status;   /* "ok" or "build-failed" */
	const char *error;    /* first error, "" */
	const char *record;   /* path of the build's record */
	double seconds;
};
/* One row per (commit, tree, kconfig, toolchain): a later build replaces what an earlier one gave.
 * The commit must be in the database (kind USER). */
int db_kernel_put(struct db *db, const struct db_kernel *k, int64_t *ret_id, struct err *err);

#endif
