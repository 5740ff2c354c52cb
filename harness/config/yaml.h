/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A YAML document as a tree whose nodes know where they were written (libyaml's events underneath).
 * Anchors, aliases and merge keys (`<<: *x`, `<<: [*x, *y]`) are resolved. Refused, each as a fault
 * at its place: duplicate keys, tabs as indentation, tags, a second document, keys that are no
 * text, NUL bytes, and whatever exceeds the caps below.
 */
#ifndef LKP_YAML_H
#define LKP_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/config/fault.h"

#define YAML_BYTES_MAX	 (1 << 20)
#define YAML_DEPTH_MAX	 32
#define YAML_NODES_MAX	 100000 /* with every alias counted as what it stands for */
#define YAML_KEYS_MAX	 1000	/* of one mapping */
#define YAML_ANCHORS_MAX 250

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

struct yaml_node;

struct yaml_pair {
	struct yaml_node *key; /* YAML_TEXT */
	struct yaml_node *value;
	bool merged; /* came by a merge key */
};

struct yaml_node {
	enum yaml_kind kind;
	struct config_mark mark;
	char *text;		  /* YAML_TEXT */
	bool plain;		  /* written without quotes, so it may mean a number or a boolean */
	struct yaml_node **items; /* YAML_LIST, n of them */
	struct yaml_pair *pairs;  /* YAML_MAP, n of them */
	size_t n;
	size_t weight; /* nodes below and this one, aliases counted as what they stand for */
};

struct yaml_doc;

/* Parses n bytes. file names them in marks and is borrowed: it must outlive the document and
 * whatever copies its marks. NULL when no tree could be made, and then at least one fault was
 * added; faults may be added to a tree that could, too (duplicate keys). */
struct yaml_doc *yaml_parse(const char *file, const char *text, size_t n, struct faults *faults);
/* The same from a file of at most YAML_BYTES_MAX; one that cannot be read is a fault at 1:1. */
struct yaml_doc *yaml_read(const char *file, struct faults *faults);
void yaml_doc_free(struct yaml_doc *doc);
const struct yaml_node *yaml_root(const struct yaml_doc *doc);

/* The value of a key; NULL when the node is no mapping or has no such key. */
const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);
/* Nothing was written (or `null`, `~`)? */
bool yaml_is_null(const struct yaml_node *node);
/* Does it read as a boolean (true, false, yes, no, on, off without quotes)? *ret (may be NULL) then
 * says which. */
bool yaml_is_bool(const struct yaml_node *node, bool *ret);
/* Appends what the node is, for "found ...": `the string "x"`, `the number 5`, `the boolean no`,
 * `nothing`, `a list`, `a mapping`. */
void yaml_describe(struct str *s, const struct yaml_node *node);

#endif
