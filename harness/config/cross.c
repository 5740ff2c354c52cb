/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/cross.h"

#include "harness/config/job.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

struct cross {
	struct config *config;
	const struct yaml_node *root;
	const struct path_base *base;
	struct faults *faults;
};

/* The value of key of the element `name` in a group; NULL when it was not written. */
static const struct yaml_node *written(const struct cross *x, const char *group, const char *name,
				       const char *key)
{
	const struct yaml_node *node = yaml_get(x->root, group);

	node = node ? yaml_get(node, name) : NULL;
	return node ? yaml_get(node, key) : NULL;
}

/* ---- trees -------------------------------------------------------------------------------------
 */

static void expand_url(const struct cross *x, struct config_tree *tree)
{
	const struct yaml_node *node = written(x, "trees", tree->name, "url");
	struct str url = STR_INIT;
	struct err err = ERR_INIT;

	if (!tree->url)
		return;
	if (path_expand_url(x->base, tree->url, &url, &err) < 0)
		fault_add(x->faults, node->mark, "\"url\" in tree \"%s\": %s", tree->name, err.msg);
	free(tree->url);
	tree->url = str_detach(&url);
}

static void unknown_name(const struct cross *x, const struct yaml_node *item, const char *noun,
			 const char *where, char *const *known)
{
	_cleanup_str_ struct str shown = STR_INIT, list = STR_INIT;
	const char *near = str_nearest(item->text, (const char *const *)known);

	fault_quote(&shown, item->text);
	for (size_t i = 0; known[i] && i < 20; i++)
		str_addf(&list, "%s%s", i ? ", " : "", known[i]);
	fault_add(x->faults, item->mark, "no %s %s %s;%s%s%s known: %s", noun, shown.buf, where,
		  near ? " did you mean \"" : "", near ? near : "", near ? "\"?" : "",
		  list.len ? list.buf : "none");
}

/* Each name that a tree lists under key must be one of known. */
static void check_names(const struct cross *x, const struct config_tree *tree, const char *key,
			const char *noun, const char *where, char *const *known)
{
	const struct yaml_node *list = written(x, "trees", tree->name, key);

	for (size_t i = 0; list && list->kind == YAML_LIST && i < list->n; i++) {
		const struct yaml_node *item = list->items[i];
		bool found = item->kind != YAML_TEXT || yaml_is_bool(item, NULL);

		for (char *const *name = known; *name && !found; name++)
			found = streq(*name, item->text);
		if (!found)
			unknown_name(x, item, noun, where, known);
	}
}

static void default_names(const struct cross *x, const struct config_tree *tree, const char *key,
			  char *const *known, char ***list)
{
	if (!written(x, "trees", tree->name, key))
		for (; *known; known++)
			strv_add(list, *known);
}

static void check_trees(const struct cross *x)
{
	_cleanup_strv_ char **kconfigs = xcalloc(1, sizeof(char *));
	_cleanup_strv_ char **machines = xcalloc(1, sizeof(char *));
	_cleanup_strv_ char **jobs = NULL;
	const struct config *c = x->config;
	_cleanup_free_ char *in_jobs = xasprintf("in %s", c->paths.jobs ? c->paths.jobs : "jobs");

	for (size_t i = 0; i < c->n_kconfigs; i++)
		strv_add(&kconfigs, c->kconfigs[i].name);
	for (size_t i = 0; i < c->n_machines; i++)
		strv_add(&machines, c->machines[i].name);
	if (!c->paths.jobs || job_names(c->paths.jobs, &jobs, NULL) < 0)
		jobs = xcalloc(1, sizeof(char *));
	for (size_t i = 0; i < c->n_trees; i++) {
		struct config_tree *tree = &c->trees[i];

		expand_url(x, tree);
		check_names(x, tree, "kconfigs", "kconfig", "in this file", kconfigs);
		check_names(x, tree, "machines", "machine", "in this file", machines);
		check_names(x, tree, "jobs", "job", in_jobs, jobs);
		default_names(x, tree, "kconfigs", kconfigs, &tree->kconfigs);
		default_names(x, tree, "machines", machines, &tree->machines);
	}
}

/* ---- kconfigs ----------------------------------------------------------------------------------
 */

static void check_file(const struct cross *x, const struct yaml_node *node, const char *path,
		       const char *kconfig)
{
	if (fs_exists(path) && !fs_is_dir(path))
		return;
	fault_add(x->faults, node->mark, "kconfig \"%s\": no file %s", kconfig, path);
}

/* A make target stays as it is; a file becomes an absolute path. */
static void expand_base(const struct cross *x, struct config_kconfig *kconfig)
{
	const struct yaml_node *node = written(x, "kconfigs", kconfig->name, "base");
	_cleanup_str_ struct str path = STR_INIT;
	struct err err = ERR_INIT;

	if (!node || !kconfig->base ||
	    (!strchr(kconfig->base, '/') && !str_ends(kconfig->base, ".config")))
		return;
	if (path_expand(x->base, kconfig->base, &path, &err) < 0) {
		fault_add(x->faults, node->mark, "\"base\" in kconfig \"%s\": %s", kconfig->name,
			  err.msg);
		return;
	}
	free(kconfig->base);
	kconfig->base = str_detach(&path);
	check_file(x, node, kconfig->base, kconfig->name);
}

static void check_kconfig(const struct cross *x, struct config_kconfig *kconfig)
{
	const struct yaml_node *list = written(x, "kconfigs", kconfig->name, "fragments");

	expand_base(x, kconfig);
	/* A list with a wrong item was not read at all, and that is a fault already. */
	if (!list || list->kind != YAML_LIST || list->n != strv_len(kconfig->fragments))
		return;
	for (size_t i = 0; i < list->n; i++)
		check_file(x, list->items[i], kconfig->fragments[i], kconfig->name);
}

/* ---- machines ----------------------------------------------------------------------------------
 */

#define MIB (1ll << 20)

/* What an emulated machine of a class starts with: the benchmarks here need little memory, the
 * kernels of wide machines more of it. */
static const struct machine_class {
	const char *class, *model;
	int64_t memory;
} classes[] = {
	{"nhm", "Nehalem", 512 * MIB},
	{"wsm", "Westmere", 512 * MIB},
	{"snb", "SandyBridge", 512 * MIB},
	{"ivb", "IvyBridge", 512 * MIB},
	{"hsw", "Haswell", 1024 * MIB},
	{"bdw", "Broadwell", 1024 * MIB},
	{"skl", "Skylake-Client", 1024 * MIB},
	{"skx", "Skylake-Server", 2048 * MIB},
	{"clx", "Cascadelake-Server", 2048 * MIB},
	{"icl", "Icelake-Server", 2048 * MIB},
	{"rome", "EPYC-Rome", 2048 * MIB},
	{"milan", "EPYC-Milan", 2048 * MIB},
};

static const struct machine_class *find_class(const char *name)
{
	static const struct machine_class unknown = {NULL, "max", 512 * MIB};

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if (name && streq(name, classes[i].class))
			return &classes[i];
	return &unknown;
}

static void check_machine(const struct cross *x, struct config_machine *machine)
{
	const struct machine_class *class = find_class(machine->class);
	int64_t unit = machine->sockets * machine->threads;

	if (!machine->cpu_model)
		machine->cpu_model = xstrdup(class->model);
	if (!machine->memory)
		machine->memory = class->memory;
	if (!machine->cpus && !streq(machine->driver, "local"))
		machine->cpus = 1;
	if (unit > 0 && machine->cpus % unit)
		fault_add(x->faults, machine->mark,
			  "machine \"%s\": %lld CPUs cannot be divided among %lld sockets with "
			  "%lld threads a core",
			  machine->name, (long long)machine->cpus, (long long)machine->sockets,
			  (long long)machine->threads);
	if (streq(machine->driver, "qemu") && streq(machine->accel, "icount") && machine->cpus != 1)
		fault_add(x->faults, machine->mark,
			  "machine \"%s\": accel icount runs exactly 1 CPU, not %lld",
			  machine->name, (long long)machine->cpus);
}

void cross_check(struct config *config, const struct yaml_node *root, const struct path_base *base,
		 struct faults *faults)
{
	struct cross x = {.config = config, .root = root, .base = base, .faults = faults};

	for (size_t i = 0; i < config->n_kconfigs; i++)
		check_kconfig(&x, &config->kconfigs[i]);
	for (size_t i = 0; i < config->n_machines; i++)
		check_machine(&x, &config->machines[i]);
	check_trees(&x);
}
