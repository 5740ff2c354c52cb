/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/value.h"

#include <inttypes.h>
#include <math.h>

#include "harness/util/mem.h"
#include "harness/util/units.h"

/* One type of key: reads a node into a field. When it is wrong, *err says why without naming the
 * key, and *at may be moved from the node to the part of it that is wrong. */
struct value_type {
	const char *name;
	int (*read)(const struct key *key, const struct yaml_node *node,
		    const struct value_scope *scope, void *field, const struct yaml_node **at,
		    struct err *err);
	void (*done)(void *field); /* NULL: nothing to free */
};

static int wrong_type(const struct key *key, const struct yaml_node *node, struct err *err)
{
	_cleanup_str_ struct str found = STR_INIT;

	yaml_describe(&found, node);
	return err_set(err, ERR_USER, "must be %s, found %s", key_type_name(key->type), found.buf);
}

/* ---- texts -------------------------------------------------------------------------------------
 */

/* Sets *err to what keeps the node from being a string of one line. */
static int check_text(const struct yaml_node *node, struct err *err)
{
	_cleanup_str_ struct str found = STR_INIT;

	yaml_describe(&found, node);
	if (node->kind == YAML_TEXT && yaml_is_bool(node, NULL))
		return err_set(
			err, ERR_USER,
			"must be a string, found %s: write \"%s\" in quotes if the word is meant",
			found.buf, node->text);
	if (node->kind != YAML_TEXT || yaml_is_null(node))
		return err_set(err, ERR_USER, "must be a string, found %s", found.buf);
	for (const char *p = node->text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return err_set(err, ERR_USER,
				       "must be one line without control characters, found %s",
				       found.buf);
	return 0;
}

static int check_choice(const struct key *key, const char *text, struct err *err)
{
	_cleanup_str_ struct str known = STR_INIT, shown = STR_INIT;
	const char *near;

	for (const char *const *c = key->choices; c && *c; c++) {
		if (streq(*c, text))
			return 0;
		str_addf(&known, "%s%s", known.len ? ", " : "", *c);
	}
	if (!key->choices)
		return key->check ? key->check(text, err) : 0;
	fault_quote(&shown, text);
	near = str_nearest(text, key->choices);
	return err_set(err, ERR_USER, "%s is not one of %s%s%s%s", shown.buf, known.buf,
		       near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int expand_text(const struct key *key, const struct yaml_node *node,
		       const struct value_scope *scope, char **ret, struct err *err)
{
	_cleanup_str_ struct str path = STR_INIT;
	bool is_path = key->type == KEY_PATH || key->type == KEY_PATHS;

	if (check_text(node, err) < 0 || check_choice(key, node->text, err) < 0)
		return -1;
	if (is_path && path_expand(scope->base, node->text, &path, err) < 0)
		return -1;
	*ret = is_path ? str_detach(&path) : xstrdup(node->text);
	return 0;
}

static int read_text(const struct key *key, const struct yaml_node *node,
		     const struct value_scope *scope, void *field, const struct yaml_node **at,
		     struct err *err)
{
	char **to = field, *text;

	(void)at;
	if (expand_text(key, node, scope, &text, err) < 0)
		return -1;
	free(*to);
	*to = text;
	return 0;
}

static void done_text(void *field)
{
	char **text = field;

	free(*text);
	*text = NULL;
}

static int read_texts(const struct key *key, const struct yaml_node *node,
		      const struct value_scope *scope, void *field, const struct yaml_node **at,
		      struct err *err)
{
	_cleanup_strv_ char **list = NULL;
	char ***to = field, **old = *to;

	if (node->kind != YAML_LIST)
		return wrong_type(key, node, err);
	list = xcalloc(1, sizeof(char *));
	for (size_t i = 0; i < node->n; i++) {
		_cleanup_free_ char *text = NULL;

		if (expand_text(key, node->items[i], scope, &text, err) < 0) {
			*at = node->items[i];
			return err_wrap(err, "item %zu", i + 1);
		}
		strv_add(&list, text);
	}
	*to = list;
	list = old;
	return 0;
}

static void done_texts(void *field)
{
	char ***list = field;

	strv_free(*list);
	*list = NULL;
}

/* ---- numbers and switches ----------------------------------------------------------------------
 */

static void add_number(struct str *s, const struct key *key, double number)
{
	if (key->type == KEY_RATIO)
		str_addf(s, "%g%%", number * 100);
	else if (key->type == KEY_DURATION)
		str_addf(s, "%gs", number);
	else if (key->type == KEY_SIZE && number >= 1 << 20)
		str_addf(s, "%gM", number / (1 << 20));
	else
		str_addf(s, "%.15g", number);
}

static int check_range(const struct key *key, const char *text, double number, struct err *err)
{
	_cleanup_str_ struct str range = STR_INIT, shown = STR_INIT;

	if (number >= key->min && (number <= key->max || key->max == 0))
		return 0;
	fault_quote(&shown, text);
	add_number(&range, key, key->min);
	if (key->max > 0)
		str_add(&range, " to ");
	else
		str_add(&range, " or more");
	if (key->max > 0)
		add_number(&range, key, key->max);
	return err_set(err, ERR_USER, "%s is out of range: %s is allowed", shown.buf, range.buf);
}

/* The number that a node of any numeric type means, in the field's unit. */
static int parse_number(const struct key *key, const char *text, double *ret, struct err *err)
{
	int64_t whole;
	uint64_t size;

	switch (key->type) {
	case KEY_DURATION:
		return units_parse_duration(text, ret, err);
	case KEY_RATIO:
		return units_parse_ratio(text, ret, err);
	case KEY_SIZE:
		if (units_parse_size(text, &size, err) < 0)
			return -1;
		*ret = (double)size;
		return 0;
	default:
		/* 2^53: every whole number up to there is a double. A longer one is out of the
		 * key's range, too, and that range is what the person must know. */
		if (units_parse_int(text, -(INT64_C(1) << 53), INT64_C(1) << 53, &whole, err) < 0) {
			if (key->max <= 0 || text[strspn(text, "0123456789")])
				return -1;
			*ret = HUGE_VAL;
			return 0;
		}
		*ret = (double)whole;
		return 0;
	}
}

static int read_number(const struct key *key, const struct yaml_node *node,
		       const struct value_scope *scope, void *field, const struct yaml_node **at,
		       struct err *err)
{
	double number;

	(void)scope, (void)at;
	if (node->kind != YAML_TEXT || yaml_is_null(node) || yaml_is_bool(node, NULL))
		return wrong_type(key, node, err);
	if (key->type == KEY_INT && !node->plain)
		return wrong_type(key, node, err);
	if (parse_number(key, node->text, &number, err) < 0)
		return err_wrap(err, "must be %s", key_type_name(key->type));
	if (check_range(key, node->text, number, err) < 0)
		return -1;
	if (key->type == KEY_INT || key->type == KEY_SIZE)
		*(int64_t *)field = (int64_t)number;
	else
		*(double *)field = number;
	return 0;
}

static int read_bool(const struct key *key, const struct yaml_node *node,
		     const struct value_scope *scope, void *field, const struct yaml_node **at,
		     struct err *err)
{
	bool on;

	(void)scope, (void)at;
	if (!yaml_is_bool(node, &on))
		return wrong_type(key, node, err);
	if (key->type == KEY_SWITCH)
		*(int *)field = on;
	else
		*(bool *)field = on;
	return 0;
}

static int read_nothing(const struct key *key, const struct yaml_node *node,
			const struct value_scope *scope, void *field, const struct yaml_node **at,
			struct err *err)
{
	(void)key, (void)node, (void)scope, (void)field, (void)at, (void)err;
	return 0;
}

/* ---- the table ---------------------------------------------------------------------------------
 */

static const struct value_type types[] = {
	[KEY_TEXT] = {"a string", read_text, done_text},
	[KEY_PATH] = {"a path", read_text, done_text},
	[KEY_INT] = {"a whole number", read_number, NULL},
	[KEY_BOOL] = {"true or false", read_bool, NULL},
	[KEY_SWITCH] = {"on or off", read_bool, NULL},
	[KEY_DURATION] = {"a duration", read_number, NULL},
	[KEY_SIZE] = {"a size", read_number, NULL},
	[KEY_RATIO] = {"a ratio", read_number, NULL},
	[KEY_TEXTS] = {"a list of strings, like [a, b]", read_texts, done_texts},
	[KEY_PATHS] = {"a list of paths, like [a, b]", read_texts, done_texts},
	[KEY_SECTION] = {"a mapping", read_nothing, NULL},
};

const char *key_type_name(enum key_type type)
{
	return types[type].name;
}

void value_read(const struct key *key, const struct yaml_node *node,
		const struct value_scope *scope, void *field)
{
	const struct yaml_node *at = node;
	struct err err = ERR_INIT;

	if (types[key->type].read(key, node, scope, field, &at, &err) < 0)
		fault_add(scope->faults, at->mark, "\"%s\" in %s: %s", key->name, scope->label,
			  err.msg);
}

void value_default(const struct key *key, struct config_mark at, const struct value_scope *scope,
		   void *field)
{
	bool list = key->type == KEY_TEXTS || key->type == KEY_PATHS;
	bool quoted = list || key->type == KEY_TEXT || key->type == KEY_PATH;
	struct yaml_node node = {.kind = YAML_TEXT, .mark = at, .plain = !quoted};
	struct yaml_node *item = &node;
	const struct yaml_node one = {.kind = YAML_LIST, .mark = at, .items = &item, .n = 1};

	if (key->def) {
		node.text = xstrdup(key->def);
		value_read(key, list ? &one : &node, scope, field);
		free(node.text);
	} else if (key->type == KEY_SWITCH) {
		*(int *)field = -1;
	} else if (list) {
		*(char ***)field = xcalloc(1, sizeof(char *));
	}
}

void value_done(const struct key *key, void *field)
{
	if (types[key->type].done)
		types[key->type].done(field);
}

char *value_text(const struct yaml_node *node, const char *what, struct faults *faults)
{
	struct err err = ERR_INIT;

	if (check_text(node, &err) == 0)
		return xstrdup(node->text);
	fault_add(faults, node->mark, "%s: %s", what, err.msg);
	return NULL;
}
