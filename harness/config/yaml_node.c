/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/yaml.h"

#include <strings.h>

#include "harness/util/mem.h"
#include "harness/util/units.h"

const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
{
	if (map->kind != YAML_MAP)
		return NULL;
	for (size_t i = 0; i < map->n; i++)
		if (streq(map->pairs[i].key->text, key))
			return map->pairs[i].value;
	return NULL;
}

bool yaml_is_null(const struct yaml_node *node)
{
	static const char *const words[] = {"", "~", "null", "Null", "NULL"};

	if (node->kind != YAML_TEXT || !node->plain)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (streq(node->text, words[i]))
			return true;
	return false;
}

bool yaml_is_bool(const struct yaml_node *node, bool *ret)
{
	static const struct {
		const char *word;
		bool value;
	} words[] = {
		{"true", true}, {"false", false}, {"yes", true},
		{"no", false},	{"on", true},	  {"off", false},
	};

	if (node->kind != YAML_TEXT || !node->plain)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcasecmp(node->text, words[i].word) != 0)
			continue;
		if (ret)
			*ret = words[i].value;
		return true;
	}
	return false;
}

void yaml_describe(struct str *s, const struct yaml_node *node)
{
	double number;

	if (node->kind == YAML_LIST) {
		str_add(s, "a list");
	} else if (node->kind == YAML_MAP) {
		str_add(s, "a mapping");
	} else if (yaml_is_null(node)) {
		str_add(s, "nothing");
	} else if (yaml_is_bool(node, NULL)) {
		str_addf(s, "the boolean %s", node->text);
	} else if (node->plain && units_parse_double(node->text, &number, NULL) == 0) {
		str_addf(s, "the number %.40s", node->text);
	} else {
		str_add(s, "the string ");
		fault_quote(s, node->text);
	}
}
