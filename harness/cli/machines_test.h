/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `lkpctl machines test NAME`: chooses a kernel, has the machine tried (roles/machine_test.h) and
 * prints how it went.
 */
#ifndef LKP_CLI_MACHINES_TEST_H
#define LKP_CLI_MACHINES_TEST_H

#include "harness/cli/cli.h"

/* What the options say; NULL: not given. */
struct machines_test_spec {
	const char *machine;
	const char *image, *commit, *tree, *git, *kconfig;
};

/* The exit status: ok, failed, or try later when the machine is in use. */
int machines_test(struct cli *cli, const struct machines_test_spec *spec);

#endif
