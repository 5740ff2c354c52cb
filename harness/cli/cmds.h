/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of lkpctl's verbs, each at the bottom of its own file cmd_<verb>.c.
 */
#ifndef LKP_CMDS_H
#define LKP_CMDS_H

#include "harness/cli/cli.h"

extern const struct cmd cmd_build;
extern const struct cmd cmd_check;
extern const struct cmd cmd_compare;
extern const struct cmd cmd_db;
extern const struct cmd cmd_export;
extern const struct cmd cmd_import;
extern const struct cmd cmd_jobs;
extern const struct cmd cmd_machines;
extern const struct cmd cmd_mail;
extern const struct cmd cmd_parse;
extern const struct cmd cmd_report;
extern const struct cmd cmd_run;
extern const struct cmd cmd_version;

#endif
