/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be checked only once all of lkp.yaml has been read: names that refer to each other,
 * files that must exist; and defaults that depend on other keys.
 */
#ifndef LKP_CROSS_H
#define LKP_CROSS_H

#include "harness/config/config.h"
#include "harness/config/path.h"
#include "harness/config/yaml.h"

void cross_check(struct config *config, const struct yaml_node *root, const struct path_base *base,
		 struct faults *faults);

#endif
