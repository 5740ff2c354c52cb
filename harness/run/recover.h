/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a killed process left of a machine's boots.
 */
#ifndef LKP_RECOVER_H
#define LKP_RECOVER_H

#include <stddef.h>

#include "db/db.h"
#include "harness/config/config.h"
#include "harness/util/err.h"

/* Indexes the machine's boot folders that are whole but not in the database, since their maker was
 * killed between the two. A folder that cannot be indexed is logged and left. The caller holds the
 * machine's lock. *ret_n: how many were indexed. */
int run_recover(struct db *db, const struct config *config, const char *machine, size_t *ret_n,
		struct err *err);

#endif
