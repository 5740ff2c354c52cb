/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/load.h"

#include <unistd.h>

#include "harness/config/check.h"
#include "harness/config/cross.h"
#include "harness/config/value.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

/* What trees, kconfigs and machines start with. */
struct named {
	char *name;
	struct config_mark mark;
};

#define IS_NAMED(type)                                                                      \
	_Static_assert(offsetof(struct type, name) == offsetof(struct named, name) &&       \
			       offsetof(struct type, mark) == offsetof(struct named, mark), \
		       #type " starts like struct named")
IS_NAMED(config_tree);
IS_NAMED(config_kconfig);
IS_NAMED(config_machine);

/* A key of lkp.yaml whose value is a mapping from names to records. */
struct group {
	const char *key;
	const char *section;
	size_t size;	/* of a record */
	size_t records; /* offset of the pointer to them in struct config */
	size_t n;	/* offset of their number */
};

#define GROUP(noun)                                                                               \
	{                                                                                         \
#noun "s", #noun, sizeof(struct config_##noun), offsetof(struct config, noun##s), \
			offsetof(struct config, n_##noun##s)                                      \
	}

static const struct group groups[] = {GROUP(tree), GROUP(kconfig), GROUP(machine)};

/* A key of lkp.yaml whose value is one record. */
static const struct {
	const char *section;
	size_t offset;
} singles[] = {
	{"sampling", offsetof(struct config, sampling)},
	{"mail", offsetof(struct config, mail)},
	{"build", offsetof(struct config, build)},
	{"paths", offsetof(struct config, paths)},
};

struct loader {
	struct config *config;
	const struct yaml_node *root;
	struct path_base base;
	struct faults faults;
};

/* ---- finding -----------------------------------------------------------------------------------
 */

static int try_place(const char *path, struct str *tried, struct str *ret)
{
	if (fs_exists(path)) {
		str_add(ret, path);
		return 0;
	}
	str_addf(tried, "%s%s", tried->len ? ", " : "", path);
	return -1;
}

int config_find(const char *given, struct str *ret, struct err *err)
{
	const char *env = getenv("LKP_CONFIG"), *xdg = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");
	_cleanup_str_ struct str tried = STR_INIT, own = STR_INIT;

	if (!given && env && *env)
		given = env;
	if (given && fs_exists(given)) {
		str_add(ret, given);
		return 0;
	}
	if (given)
		return err_set(err, ERR_USER, "no configuration %s%s", given,
			       given == env ? " (LKP_CONFIG names it)" : "");
	if (xdg && xdg[0] == '/')
		str_addf(&own, "%s/lkp/lkp.yaml", xdg);
	else if (home)
		str_addf(&own, "%s/.config/lkp/lkp.yaml", home);
	if (try_place("lkp.yaml", &tried, ret) == 0 ||
	    (own.len && try_place(own.buf, &tried, ret) == 0) ||
	    try_place("/etc/lkp/lkp.yaml", &tried, ret) == 0)
		return 0;
	return err_set(err, ERR_USER,
		       "no configuration: looked for %s; name one by -c FILE or LKP_CONFIG",
		       tried.buf);
}

/* ---- reading -----------------------------------------------------------------------------------
 */

/* Sets *path from the environment variable, else from the paths section, else by default. */
static void read_place(struct loader *l, const char *key_name, const char *variable,
		       int (*by_default)(struct str *, struct err *), char **path)
{
	const struct yaml_node *paths = yaml_get(l->root, "paths");
	const struct yaml_node *node = paths ? yaml_get(paths, key_name) : NULL;
	struct config_mark at = paths ? paths->mark : l->root->mark;
	const struct value_scope scope = {"paths", &l->base, &l->faults};
	_cleanup_free_ char *cwd = getcwd(NULL, 0);
	const struct path_base here = {.dir = cwd};
	const char *env = getenv(variable);
	struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int r;

	for (const struct key *k = config_keys("paths"); node && k->name; k++)
		if (streq(k->name, key_name))
			value_read(k, node, &scope, path);
	if (*path && !(env && *env))
		return;
	r = env && *env ? path_expand(cwd ? &here : &l->base, env, &text, &err)
			: by_default(&text, &err);
	if (r < 0)
		fault_add(&l->faults, at, "paths.%s: %s; set %s", key_name, err.msg, variable);
	free(*path);
	*path = str_detach(&text);
}

/* The state and cache folders come first: every other path may be written with them. */
static void read_places(struct loader *l)
{
	struct config_paths *paths = &l->config->paths;
	char *state = NULL, *cache = NULL;

	read_place(l, "state", "LKP_STATE", path_default_state, &state);
	read_place(l, "cache", "LKP_CACHE", path_default_cache, &cache);
	paths->state = state;
	paths->cache = cache;
	l->base.state = state;
	l->base.cache = cache;
}

/* The section's mapping without the keys that read_places() has read. */
static struct yaml_node *without_places(const struct yaml_node *map)
{
	struct yaml_node *copy = xcalloc(1, sizeof(*copy));

	*copy = *map;
	copy->n = 0;
	if (map->kind == YAML_MAP)
		copy->pairs = xcalloc(map->n + 1, sizeof(*copy->pairs));
	for (size_t i = 0; map->kind == YAML_MAP && i < map->n; i++)
		if (!streq(map->pairs[i].key->text, "state") &&
		    !streq(map->pairs[i].key->text, "cache"))
			copy->pairs[copy->n++] = map->pairs[i];
	return copy;
}

static void read_single(struct loader *l, const char *section, void *record)
{
	const struct yaml_node *map = yaml_get(l->root, section);
	const struct value_scope scope = {section, &l->base, &l->faults};

	section_read(key_section(section), map, map ? map->mark : l->root->mark, &scope, record);
}

static void read_paths(struct loader *l)
{
	const struct yaml_node *map = yaml_get(l->root, "paths");
	const struct value_scope scope = {"paths", &l->base, &l->faults};
	struct config_paths rest = {0}, *paths = &l->config->paths;
	struct yaml_node *copy = map ? without_places(map) : NULL;

	section_read(key_section("paths"), copy, l->root->mark, &scope, &rest);
	if (copy && map->kind == YAML_MAP)
		free(copy->pairs);
	free(copy);
	rest.state = paths->state;
	rest.cache = paths->cache;
	*paths = rest;
}

static void read_record(struct loader *l, const struct group *group, const struct yaml_pair *pair,
			struct named *record)
{
	_cleanup_free_ char *label = xasprintf("%s \"%s\"", group->section, pair->key->text);
	const struct value_scope scope = {label, &l->base, &l->faults};

	record->name = xstrdup(pair->key->text);
	record->mark = pair->key->mark;
	section_read(key_section(group->section), pair->value, record->mark, &scope, record);
}

static void read_group(struct loader *l, const struct group *group)
{
	const struct yaml_node *map = yaml_get(l->root, group->key);
	char **records = (char **)((char *)l->config + group->records);
	size_t *n = (size_t *)((char *)l->config + group->n);

	if (!map || yaml_is_null(map))
		return;
	if (map->kind != YAML_MAP) {
		_cleanup_str_ struct str found = STR_INIT;

		yaml_describe(&found, map);
		fault_add(&l->faults, map->mark,
			  "\"%s\" must be a mapping from names to %s settings, found %s",
			  group->key, group->section, found.buf);
		return;
	}
	*records = xcalloc(map->n + 1, group->size);
	for (size_t i = 0; i < map->n; i++) {
		const struct yaml_pair *pair = &map->pairs[i];
		struct err err = ERR_INIT;

		if (yaml_is_bool(pair->key, NULL))
			err_set(&err, ERR_USER, "a boolean: write \"%s\" in quotes",
				pair->key->text);
		else if (check_name(pair->key->text, &err) == 0) {
			read_record(l, group, pair, (struct named *)(*records + *n * group->size));
			++*n;
			continue;
		}
		fault_add(&l->faults, pair->key->mark, "the name of a %s: %s", group->section,
			  err.msg);
	}
}

static void read_all(struct loader *l)
{
	const struct value_scope scope = {"the configuration", &l->base, &l->faults};
	size_t before = l->faults.n;

	section_read(key_section("configuration"), l->root, l->root->mark, &scope, l->config);
	if (l->root->kind != YAML_MAP && l->faults.n > before)
		return;
	read_places(l);
	for (size_t i = 0; i < ARRAY_SIZE(singles); i++) {
		if (streq(singles[i].section, "paths"))
			read_paths(l);
		else
			read_single(l, singles[i].section, (char *)l->config + singles[i].offset);
	}
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		read_group(l, &groups[i]);
	cross_check(l->config, l->root, &l->base, &l->faults);
}

/* Takes over the document; NULL: it had faults. */
static int finish(struct loader *l, struct yaml_doc *doc, struct config **ret, struct str *faults,
		  struct err *err)
{
	int r;

	if (doc) {
		l->root = yaml_root(doc);
		l->base.dir = path_folder(l->config->file);
		read_all(l);
	}
	r = faults_report(&l->faults, faults, err);
	faults_done(&l->faults);
	yaml_doc_free(doc);
	free(l->base.dir);
	if (r < 0)
		config_free(l->config);
	else
		*ret = l->config;
	return r;
}

int config_load(const char *file, struct config **ret, struct str *faults, struct err *err)
{
	struct loader l = {.config = xcalloc(1, sizeof(struct config))};

	l.config->file = xstrdup(file);
	return finish(&l, yaml_read(l.config->file, &l.faults), ret, faults, err);
}

int config_parse(const char *file, const char *text, size_t n, struct config **ret,
		 struct str *faults, struct err *err)
{
	struct loader l = {.config = xcalloc(1, sizeof(struct config))};

	l.config->file = xstrdup(file);
	return finish(&l, yaml_parse(l.config->file, text, n, &l.faults), ret, faults, err);
}

void config_free(struct config *config)
{
	if (!config)
		return;
	for (size_t g = 0; g < ARRAY_SIZE(groups); g++) {
		char *records = *(char **)((char *)config + groups[g].records);
		size_t n = *(size_t *)((char *)config + groups[g].n);

		for (size_t i = 0; i < n; i++) {
			char *record = records + i * groups[g].size;

			free(((struct named *)record)->name);
			section_done(key_section(groups[g].section), record);
		}
		free(records);
	}
	for (size_t i = 0; i < ARRAY_SIZE(singles); i++)
		section_done(key_section(singles[i].section), (char *)config + singles[i].offset);
	free(config->file);
	free(config);
}
