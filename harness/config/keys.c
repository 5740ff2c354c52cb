/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/keys.h"

#include "harness/config/value.h"
#include "harness/util/mem.h"

const struct key_section *key_section(const char *name)
{
	for (const struct key_section *s = key_sections; s->name; s++)
		if (streq(s->name, name))
			return s;
	return NULL;
}

const struct key *config_keys(const char *section)
{
	const struct key_section *s = key_section(section);

	return s ? s->keys : NULL;
}

static const struct key *find_key(const struct key_section *section, const char *name)
{
	for (const struct key *k = section->keys; k->name; k++)
		if (streq(k->name, name))
			return k;
	return NULL;
}

static void *field_of(const struct key *key, void *record)
{
	return (char *)record + key->offset;
}

static void unknown_key(const struct key_section *section, const struct yaml_node *key,
			const struct value_scope *scope)
{
	_cleanup_str_ struct str known = STR_INIT, shown = STR_INIT;
	_cleanup_strv_ char **names = NULL;
	const char *near;

	for (const struct key *k = section->keys; k->name; k++) {
		str_addf(&known, "%s%s", known.len ? ", " : "", k->name);
		strv_add(&names, k->name);
	}
	near = str_nearest(key->text, (const char *const *)names);
	fault_quote(&shown, key->text);
	fault_add(scope->faults, key->mark, "unknown key %s in %s;%s%s%s known keys: %s", shown.buf,
		  scope->label, near ? " did you mean \"" : "", near ? near : "", near ? "\"?" : "",
		  known.buf);
}

static bool is_private(const char *name)
{
	return str_starts(name, "x-");
}

void section_read(const struct key_section *section, const struct yaml_node *map,
		  struct config_mark at, const struct value_scope *scope, void *record)
{
	for (const struct key *k = section->keys; k->name; k++)
		value_default(k, at, scope, field_of(k, record));
	if (map && map->kind != YAML_MAP && !yaml_is_null(map)) {
		_cleanup_str_ struct str found = STR_INIT;

		yaml_describe(&found, map);
		fault_add(scope->faults, map->mark,
			  "%s must be a mapping of keys to values, found %s", scope->label,
			  found.buf);
		return;
	}
	for (size_t i = 0; map && i < map->n; i++) {
		const struct yaml_pair *pair = &map->pairs[i];
		const struct key *key = find_key(section, pair->key->text);

		if (key)
			value_read(key, pair->value, scope, field_of(key, record));
		else if (!is_private(pair->key->text))
			unknown_key(section, pair->key, scope);
	}
	for (const struct key *k = section->keys; k->name; k++)
		if (k->required && (!map || !yaml_get(map, k->name)))
			fault_add(scope->faults, at, "%s has no \"%s\": %s", scope->label, k->name,
				  k->help);
}

void section_done(const struct key_section *section, void *record)
{
	for (const struct key *k = section->keys; k->name; k++)
		value_done(k, field_of(k, record));
}
