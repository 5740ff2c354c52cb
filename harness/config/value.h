/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of a document into the fields of a record, by the rows of harness/config/keys.h.
 */
#ifndef LKP_VALUE_H
#define LKP_VALUE_H

#include "harness/config/fault.h"
#include "harness/config/keys.h"
#include "harness/config/path.h"
#include "harness/config/yaml.h"

/* Where a value stands, for messages and relative paths. */
struct value_scope {
	const char *label;	      /* `tree "demo"`, "mail" */
	const struct path_base *base; /* NULL when the section has no paths */
	struct faults *faults;
};

/* Reads the node by the key's row into *field, which is left alone when the value is wrong (a fault
 * was added then). */
void value_read(const struct key *key, const struct yaml_node *node,
		const struct value_scope *scope, void *field);
/* Sets *field to the key's default. at is named when the default cannot be had (HOME unset). */
void value_default(const struct key *key, struct config_mark at, const struct value_scope *scope,
		   void *field);
void value_done(const struct key *key, void *field);

/* A string of one line: a copy, or NULL with a fault that calls it `what` ("url" in tree "demo").
 */
char *value_text(const struct yaml_node *node, const char *what, struct faults *faults);

/* Reads a whole mapping into a record: every key by its row, defaults for those that are missing,
 * faults for unknown and required ones. map NULL or nothing written: defaults only. `at` is where
 * the section starts. */
void section_read(const struct key_section *section, const struct yaml_node *map,
		  struct config_mark at, const struct value_scope *scope, void *record);
/* Frees what the fields hold. */
void section_done(const struct key_section *section, void *record);

#endif
