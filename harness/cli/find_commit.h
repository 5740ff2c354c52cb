/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what a person types to a commit that the database knows.
 */
#ifndef LKP_CLI_FIND_COMMIT_H
#define LKP_CLI_FIND_COMMIT_H

#include "db/commits.h"
#include "harness/cli/cli.h"

/* text is a hash prefix known to the database, else anything git understands in one of the
 * configured trees (where there is a configuration). Kind USER: neither, or a prefix that fits two.
 */
int find_commit(struct cli *cli, const char *text, char ret[DB_HEX_LEN + 1], struct err *err);

/* The configuration, where there is one; NULL when none was found. A faulty one is an error. */
int find_config(struct cli *cli, const struct config **ret, struct err *err);

#endif
