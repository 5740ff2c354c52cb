/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding, reading and checking lkp.yaml.
 */
#ifndef LKP_CONFIG_LOAD_H
#define LKP_CONFIG_LOAD_H

#include "harness/config/config.h"
#include "harness/util/err.h"
#include "harness/util/str.h"

/* The file to use: given (may be NULL), else $LKP_CONFIG, else ./lkp.yaml, else
 * $XDG_CONFIG_HOME/lkp/lkp.yaml (~/.config), else /etc/lkp/lkp.yaml. Appends its path; kind USER,
 * listing the places, when there is none. */
int config_find(const char *given, struct str *ret, struct err *err);

/* Reads and checks the file. Every fault found (up to 50) is a line "file:line:column: message" in
 * *faults (may be NULL); the first one is *err (USER). Relative paths are relative to the file's
 * folder. */
int config_load(const char *file, struct config **ret, struct str *faults, struct err *err);
/* The same from n bytes in memory; file only names it and its folder. */
int config_parse(const char *file, const char *text, size_t n, struct config **ret,
		 struct str *faults, struct err *err);
void config_free(struct config *config);

/* By name; kind USER with the known names, and the nearest, when there is none. name NULL: the
 * first. */
int config_tree_find(const struct config *c, const char *name, const struct config_tree **ret,
		     struct err *err);
int config_kconfig_find(const struct config *c, const char *name, const struct config_kconfig **ret,
			struct err *err);
int config_machine_find(const struct config *c, const char *name, const struct config_machine **ret,
			struct err *err);

#endif
