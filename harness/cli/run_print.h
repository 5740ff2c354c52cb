/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `lkpctl run` prints when it is done.
 */
#ifndef LKP_CLI_RUN_PRINT_H
#define LKP_CLI_RUN_PRINT_H

#include "harness/cli/cli.h"
#include "harness/git/git.h"
#include "harness/roles/judge.h"
#include "harness/roles/machine.h"
#include "harness/util/hash.h"

/* Prints table, verdicts and where the report is; returns the exit status. */
int run_print_outcome(struct cli *cli, const struct judge_outcome *outcome, struct err *err);
/* Prints the metrics of these boots (uuids) of the commit; returns the exit status. */
int run_print_boots(struct cli *cli, struct db *db, const char *commit, const char *machine,
		    char *const *booted, const struct session_outcome *last, struct err *err);
/* A commit record that stands for an image file, or with image NULL for this host's kernel: its id
 * is the first 40 digits of ret_id, the hash of the file or of the kernel's version. */
int run_stand_in(const char *image, struct commit *ret, char ret_id[HASH_HEX_LEN + 1],
		 struct err *err);

#endif
