/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/yaml.h"

#include <yaml.h>

#include "harness/config/yaml_merge.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

struct yaml_doc {
	struct yaml_node *root;
	struct yaml_node **nodes; /* owns all of them: aliases share nodes */
	size_t n_nodes, cap_nodes;
};

struct anchor {
	char *name;
	struct yaml_node *node; /* NULL until the node is complete */
};

struct builder {
	yaml_parser_t parser;
	struct yaml_doc *doc;
	struct faults *faults;
	const char *file, *text;
	size_t n;
	struct anchor anchors[YAML_ANCHORS_MAX];
	size_t n_anchors;
	size_t weight; /* of all nodes so far */
	int depth;
};

static struct config_mark mark_of(const struct builder *b, yaml_mark_t at)
{
	return (struct config_mark){
		.file = b->file, .line = (int)at.line + 1, .column = (int)at.column + 1};
}

static void event_done(yaml_event_t *event)
{
	yaml_event_delete(event);
}

static struct yaml_node *build(struct builder *b, const yaml_event_t *event);

/* ---- what libyaml found wrong ------------------------------------------------------------------
 */

static struct config_mark mark_of_byte(const struct builder *b, size_t offset)
{
	struct config_mark mark = {.file = b->file, .line = 1, .column = 1};

	for (size_t i = 0; i < offset && i < b->n; i++) {
		mark.column++;
		if (b->text[i] == '\n') {
			mark.line++;
			mark.column = 1;
		}
	}
	return mark;
}

/* The column of a tab among the blanks that a line starts with; 0: none. */
static int tab_column(const struct builder *b, int line)
{
	const char *p = b->text, *end = b->text + b->n;

	for (int i = 1; i < line && p; i++) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	for (int column = 1; p && p < end && (*p == ' ' || *p == '\t'); p++, column++)
		if (*p == '\t')
			return column;
	return 0;
}

static void parser_fault(struct builder *b)
{
	const yaml_parser_t *p = &b->parser;
	struct config_mark mark = mark_of(b, p->problem_mark);
	const char *problem = p->problem ? p->problem : "out of memory";
	int tab = tab_column(b, mark.line);

	if (p->error == YAML_READER_ERROR) {
		fault_add(b->faults, mark_of_byte(b, p->problem_offset),
			  "%s: the file must be UTF-8 text", problem);
	} else if (tab) {
		mark.column = tab;
		fault_add(b->faults, mark, "a tab in the indentation: YAML takes only blanks here");
	} else if (p->context) {
		fault_add(b->faults, mark, "%s %s that starts at line %d", problem, p->context,
			  (int)p->context_mark.line + 1);
	} else {
		fault_add(b->faults, mark, "%s", problem);
	}
}

static int next_event(struct builder *b, yaml_event_t *ret)
{
	if (yaml_parser_parse(&b->parser, ret))
		return 0;
	parser_fault(b);
	memset(ret, 0, sizeof(*ret));
	return -1;
}

/* ---- nodes -------------------------------------------------------------------------------------
 */

/* Counts nodes against the cap; aliases count as what they stand for, which ends "billion laughs".
 */
static int add_weight(struct builder *b, yaml_mark_t at, size_t weight)
{
	b->weight += weight;
	if (b->weight <= YAML_NODES_MAX)
		return 0;
	fault_add(b->faults, mark_of(b, at),
		  "the document has more than %d values (aliases count as what they stand for)",
		  YAML_NODES_MAX);
	return -1;
}

static struct yaml_node *new_node(struct builder *b, enum yaml_kind kind, yaml_mark_t at)
{
	struct yaml_doc *doc = b->doc;
	struct yaml_node *node;

	if (add_weight(b, at, 1) < 0)
		return NULL;
	node = xcalloc(1, sizeof(*node));
	node->kind = kind;
	node->mark = mark_of(b, at);
	node->weight = 1;
	mem_grow(&doc->nodes, &doc->cap_nodes, doc->n_nodes + 1, sizeof(struct yaml_node *));
	doc->nodes[doc->n_nodes++] = node;
	return node;
}

static struct yaml_node *build_text(struct builder *b, const yaml_event_t *event)
{
	const char *tag = (const char *)event->data.scalar.tag;
	const char *value = (const char *)event->data.scalar.value;
	struct yaml_node *node;

	if (tag && !streq(tag, YAML_STR_TAG)) {
		fault_add(b->faults, mark_of(b, event->start_mark),
			  "tags (!...) have no meaning here");
		return NULL;
	}
	if (strlen(value) != event->data.scalar.length) {
		fault_add(b->faults, mark_of(b, event->start_mark), "a NUL byte in a string");
		return NULL;
	}
	node = new_node(b, YAML_TEXT, event->start_mark);
	if (!node)
		return NULL;
	node->text = xstrdup(value);
	node->plain = !tag && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	return node;
}

static struct yaml_node *build_alias(struct builder *b, const yaml_event_t *event)
{
	const char *name = (const char *)event->data.alias.anchor;
	struct config_mark mark = mark_of(b, event->start_mark);

	for (size_t i = b->n_anchors; i-- > 0;) {
		struct yaml_node *node = b->anchors[i].node;

		if (!streq(b->anchors[i].name, name))
			continue;
		if (!node) {
			fault_add(b->faults, mark, "alias *%s is inside the value it stands for",
				  name);
			return NULL;
		}
		return add_weight(b, event->start_mark, node->weight) < 0 ? NULL : node;
	}
	fault_add(b->faults, mark, "no anchor &%s comes before this alias", name);
	return NULL;
}

static int build_list(struct builder *b, struct yaml_node *list)
{
	size_t cap = 0;

	for (;;) {
		_cleanup_(event_done) yaml_event_t event;
		struct yaml_node *item;

		if (next_event(b, &event) < 0)
			return -1;
		if (event.type == YAML_SEQUENCE_END_EVENT)
			return 0;
		item = build(b, &event);
		if (!item)
			return -1;
		mem_grow(&list->items, &cap, list->n + 1, sizeof(struct yaml_node *));
		list->items[list->n++] = item;
		list->weight += item->weight;
	}
}

static struct yaml_node *build_key(struct builder *b, const yaml_event_t *event)
{
	struct config_mark mark = mark_of(b, event->start_mark);
	struct yaml_node *key;

	if (event->type != YAML_SCALAR_EVENT && event->type != YAML_ALIAS_EVENT) {
		fault_add(b->faults, mark, "a key must be text");
		return NULL;
	}
	key = build(b, event);
	if (key && key->kind != YAML_TEXT) {
		fault_add(b->faults, mark, "a key must be text");
		return NULL;
	}
	return key;
}

static int build_map(struct builder *b, struct yaml_node *map)
{
	size_t cap = 0;

	for (;;) {
		_cleanup_(event_done) yaml_event_t key_event;
		_cleanup_(event_done) yaml_event_t value_event = {0};
		struct yaml_pair pair = {0};

		if (next_event(b, &key_event) < 0)
			return -1;
		if (key_event.type == YAML_MAPPING_END_EVENT)
			return yaml_merge(map, b->faults);
		pair.key = build_key(b, &key_event);
		if (!pair.key || next_event(b, &value_event) < 0)
			return -1;
		pair.value = build(b, &value_event);
		if (!pair.value)
			return -1;
		mem_grow(&map->pairs, &cap, map->n + 1, sizeof(struct yaml_pair));
		map->pairs[map->n++] = pair;
		map->weight += 1 + pair.value->weight;
		if (map->n > YAML_KEYS_MAX) {
			fault_add(b->faults, pair.key->mark, "a mapping of more than %d keys",
				  YAML_KEYS_MAX);
			return -1;
		}
	}
}

static int add_anchor(struct builder *b, const yaml_event_t *event, const yaml_char_t *name)
{
	if (b->n_anchors == YAML_ANCHORS_MAX) {
		fault_add(b->faults, mark_of(b, event->start_mark), "more than %d anchors",
			  YAML_ANCHORS_MAX);
		return -1;
	}
	b->anchors[b->n_anchors++].name = xstrdup((const char *)name);
	return 0;
}

static struct yaml_node *build_collection(struct builder *b, const yaml_event_t *event)
{
	bool is_map = event->type == YAML_MAPPING_START_EVENT;
	const yaml_char_t *tag =
		is_map ? event->data.mapping_start.tag : event->data.sequence_start.tag;
	struct yaml_node *node;
	int r;

	if (tag) {
		fault_add(b->faults, mark_of(b, event->start_mark),
			  "tags (!...) have no meaning here");
		return NULL;
	}
	if (b->depth == YAML_DEPTH_MAX) {
		fault_add(b->faults, mark_of(b, event->start_mark), "nested deeper than %d levels",
			  YAML_DEPTH_MAX);
		return NULL;
	}
	node = new_node(b, is_map ? YAML_MAP : YAML_LIST, event->start_mark);
	if (!node)
		return NULL;
	b->depth++;
	r = is_map ? build_map(b, node) : build_list(b, node);
	b->depth--;
	return r < 0 ? NULL : node;
}

/* NULL: cannot go on; a fault was added. */
static struct yaml_node *build(struct builder *b, const yaml_event_t *event)
{
	size_t anchor = b->n_anchors;
	const yaml_char_t *name = NULL;
	struct yaml_node *node;

	if (event->type == YAML_ALIAS_EVENT)
		return build_alias(b, event);
	if (event->type == YAML_SCALAR_EVENT)
		name = event->data.scalar.anchor;
	else if (event->type == YAML_MAPPING_START_EVENT)
		name = event->data.mapping_start.anchor;
	else if (event->type == YAML_SEQUENCE_START_EVENT)
		name = event->data.sequence_start.anchor;
	if (name && add_anchor(b, event, name) < 0)
		return NULL;
	node = event->type == YAML_SCALAR_EVENT ? build_text(b, event) : build_collection(b, event);
	if (name)
		b->anchors[anchor].node = node;
	return node;
}

/* Takes events up to the start of the first document's content; then the end of the stream. */
static int build_document(struct builder *b)
{
	for (;;) {
		_cleanup_(event_done) yaml_event_t event;

		if (next_event(b, &event) < 0)
			return -1;
		switch (event.type) {
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_STREAM_END_EVENT:
			if (b->doc->root)
				return 0;
			fault_add(b->faults, mark_of(b, event.start_mark), "the file says nothing");
			return -1;
		case YAML_DOCUMENT_START_EVENT:
			if (!b->doc->root)
				break;
			fault_add(b->faults, mark_of(b, event.start_mark),
				  "a second document: one to a file");
			return -1;
		default:
			b->doc->root = build(b, &event);
			if (!b->doc->root)
				return -1;
		}
	}
}

struct yaml_doc *yaml_parse(const char *file, const char *text, size_t n, struct faults *faults)
{
	struct builder b = {.faults = faults, .file = file, .text = text, .n = n};
	struct config_mark start = {.file = file, .line = 1, .column = 1};
	int r;

	if (n > YAML_BYTES_MAX) {
		fault_add(faults, start, "longer than %d bytes", YAML_BYTES_MAX);
		return NULL;
	}
	if (!yaml_parser_initialize(&b.parser))
		abort(); /* out of memory */
	b.doc = xcalloc(1, sizeof(*b.doc));
	yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, n);
	r = build_document(&b);
	yaml_parser_delete(&b.parser);
	for (size_t i = 0; i < b.n_anchors; i++)
		free(b.anchors[i].name);
	if (!r)
		return b.doc;
	yaml_doc_free(b.doc);
	return NULL;
}

struct yaml_doc *yaml_read(const char *file, struct faults *faults)
{
	struct config_mark start = {.file = file, .line = 1, .column = 1};
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (fs_read(file, YAML_BYTES_MAX, &text, &err) == 0)
		return yaml_parse(file, text.buf, text.len, faults);
	fault_add(faults, start, "%s", err.msg);
	return NULL;
}

void yaml_doc_free(struct yaml_doc *doc)
{
	if (!doc)
		return;
	for (size_t i = 0; i < doc->n_nodes; i++) {
		free(doc->nodes[i]->text);
		free(doc->nodes[i]->items);
		free(doc->nodes[i]->pairs);
		free(doc->nodes[i]);
	}
	free(doc->nodes);
	free(doc);
}

const struct yaml_node *yaml_root(const struct yaml_doc *doc)
{
	return doc->root;
}
