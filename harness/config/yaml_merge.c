/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/yaml_merge.h"

#include "harness/util/mem.h"

struct merge {
	struct yaml_pair *pairs;
	size_t n, cap;
	struct faults *faults;
};

static const struct yaml_pair *find(const struct merge *m, const char *key)
{
	for (size_t i = 0; i < m->n; i++)
		if (streq(m->pairs[i].key->text, key))
			return &m->pairs[i];
	return NULL;
}

static bool is_merge_key(const struct yaml_node *key)
{
	return key->plain && streq(key->text, "<<");
}

static void add(struct merge *m, struct yaml_pair pair)
{
	mem_grow(&m->pairs, &m->cap, m->n + 1, sizeof(struct yaml_pair));
	m->pairs[m->n++] = pair;
}

/* Keys written in the mapping itself; returns the value of its merge key, or NULL. */
static const struct yaml_node *own_keys(struct merge *m, const struct yaml_node *map)
{
	const struct yaml_pair *merge = NULL, *first;

	for (size_t i = 0; i < map->n; i++) {
		const struct yaml_pair *pair = &map->pairs[i];
		bool is_merge = is_merge_key(pair->key);

		first = is_merge ? merge : find(m, pair->key->text);
		if (first) {
			_cleanup_str_ struct str name = STR_INIT;

			fault_quote(&name, pair->key->text);
			fault_add(m->faults, pair->key->mark,
				  "duplicate key %s, first at line %d%s", name.buf,
				  first->key->mark.line,
				  is_merge ? ": merge several by one list, <<: [*a, *b]" : "");
		} else if (is_merge) {
			merge = pair;
		} else {
			add(m, *pair);
		}
	}
	return merge ? merge->value : NULL;
}

static int merge_map(struct merge *m, const struct yaml_node *from)
{
	if (from->kind != YAML_MAP) {
		_cleanup_str_ struct str found = STR_INIT;

		yaml_describe(&found, from);
		fault_add(m->faults, from->mark,
			  "a merge key (<<) takes a mapping or a list of mappings, found %s",
			  found.buf);
		return 0;
	}
	for (size_t i = 0; i < from->n; i++) {
		struct yaml_pair pair = from->pairs[i];

		if (find(m, pair.key->text))
			continue;
		if (m->n == YAML_KEYS_MAX) {
			fault_add(m->faults, from->mark,
				  "merging makes a mapping of more than %d keys", YAML_KEYS_MAX);
			return -1;
		}
		pair.merged = true;
		add(m, pair);
	}
	return 0;
}

int yaml_merge(struct yaml_node *map, struct faults *faults)
{
	struct merge m = {.faults = faults};
	const struct yaml_node *from = own_keys(&m, map);
	int r = 0;

	if (from && from->kind == YAML_LIST)
		for (size_t i = 0; i < from->n && !r; i++)
			r = merge_map(&m, from->items[i]);
	else if (from)
		r = merge_map(&m, from);
	free(map->pairs);
	map->pairs = m.pairs;
	map->n = m.n;
	return r;
}
