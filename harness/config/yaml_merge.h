/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of a complete YAML mapping: duplicates, and merge keys as yaml.org/type/merge.html has them:
 * a key of the mapping itself wins, then the mappings merged in their order.
 */
#ifndef LKP_YAML_MERGE_H
#define LKP_YAML_MERGE_H

#include "harness/config/yaml.h"

/* Replaces `<<` by the keys it brings. Duplicate keys are faults, and only the first is kept. -1
 * (with a fault) when the mapping would get more than YAML_KEYS_MAX keys. */
int yaml_merge(struct yaml_node *map, struct faults *faults);

#endif
