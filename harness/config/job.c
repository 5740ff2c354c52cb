/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/job.h"

#include "harness/config/check.h"
#include "harness/config/value.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

enum { PARAMS_MAX = 32, VALUES_MAX = 100, VALUE_BYTES_MAX = 200 };

static const char suffix[] = ".yaml";
static const char *const job_sections[] = {"job", "needs", "setup"};

/* The file's name without folder and suffix; the caller frees it. */
static char *name_of(const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;
	size_t n = strlen(name);

	return xstrndup(name, str_ends(name, suffix) ? n - strlen(suffix) : n);
}

/* ---- parameters --------------------------------------------------------------------------------
 */

static void add_value(struct job_param *param, const struct yaml_node *node, struct faults *faults)
{
	_cleanup_free_ char *what = xasprintf("parameter \"%.60s\"", param->name);
	char *text = value_text(node, what, faults);

	if (text && strlen(text) > VALUE_BYTES_MAX) {
		fault_add(faults, node->mark, "%s: longer than %d bytes", what, VALUE_BYTES_MAX);
		free(text);
		return;
	}
	if (text)
		param->values[param->n_values++] =
			(struct job_value){.text = text, .mark = node->mark};
}

static void read_param(struct job *job, const struct yaml_pair *pair, struct faults *faults)
{
	struct job_param *param = &job->params[job->n_params++];
	const struct yaml_node *value = pair->value;
	size_t n = value->kind == YAML_LIST ? value->n : 1;

	param->name = xstrdup(pair->key->text);
	param->mark = pair->key->mark;
	if (n == 0 || n > VALUES_MAX) {
		fault_add(faults, value->mark,
			  "parameter \"%.60s\" has %zu values: 1 to %d are allowed", param->name, n,
			  VALUES_MAX);
		return;
	}
	param->values = xcalloc(n, sizeof(*param->values));
	for (size_t i = 0; i < n; i++)
		add_value(param, value->kind == YAML_LIST ? value->items[i] : value, faults);
}

static void read_params(struct job *job, const struct yaml_node *map, struct faults *faults)
{
	_cleanup_str_ struct str found = STR_INIT;

	if (!map || yaml_is_null(map))
		return;
	yaml_describe(&found, map);
	if (map->kind != YAML_MAP) {
		fault_add(
			faults, map->mark,
			"\"parameters\" must be a mapping from names to values or lists, found %s",
			found.buf);
		return;
	}
	if (map->n > PARAMS_MAX) {
		fault_add(faults, map->mark, "more than %d parameters", PARAMS_MAX);
		return;
	}
	job->params = xcalloc(map->n + 1, sizeof(*job->params));
	for (size_t i = 0; i < map->n; i++)
		if (!str_starts(map->pairs[i].key->text, "x-"))
			read_param(job, &map->pairs[i], faults);
}

/* ---- a whole job -------------------------------------------------------------------------------
 */

static void read_job(struct job *job, const struct yaml_node *root, struct faults *faults)
{
	_cleanup_free_ char *label = xasprintf("job \"%.80s\"", job->name);
	const struct yaml_node *suite;
	struct config_mark start = root->mark;
	struct err err = ERR_INIT;

	if (check_name(job->name, &err) < 0)
		fault_add(faults, start, "the file's name without %s: %s", suffix, err.msg);
	for (size_t i = 0; i < ARRAY_SIZE(job_sections); i++) {
		const char *section = job_sections[i];
		const struct yaml_node *map = i ? yaml_get(root, section) : root;
		const struct value_scope scope = {.label = i ? section : label, .faults = faults};

		section_read(key_section(section), map, map ? map->mark : start, &scope, job);
	}
	suite = yaml_get(root, "suite");
	if (suite)
		job->suite_mark = suite->mark;
	read_params(job, yaml_get(root, "parameters"), faults);
}

/* Takes over file. */
static int finish(char *file, struct yaml_doc *doc, struct faults *found, struct job **ret,
		  struct str *faults, struct err *err)
{
	struct job *job = xcalloc(1, sizeof(*job));
	int r;

	job->file = file;
	job->name = name_of(file);
	if (doc)
		read_job(job, yaml_root(doc), found);
	yaml_doc_free(doc);
	r = faults_report(found, faults, err);
	faults_done(found);
	if (r < 0)
		job_free(job);
	else
		*ret = job;
	return r;
}

int job_load(const char *file, struct job **ret, struct str *faults, struct err *err)
{
	struct faults found = {.n = 0};
	char *kept = xstrdup(file);
	struct yaml_doc *doc = yaml_read(kept, &found);

	return finish(kept, doc, &found, ret, faults, err);
}

int job_parse(const char *file, const char *text, size_t n, struct job **ret, struct str *faults,
	      struct err *err)
{
	struct faults found = {.n = 0};
	char *kept = xstrdup(file);
	struct yaml_doc *doc = yaml_parse(kept, text, n, &found);

	return finish(kept, doc, &found, ret, faults, err);
}

void job_free(struct job *job)
{
	if (!job)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(job_sections); i++)
		section_done(key_section(job_sections[i]), job);
	for (size_t i = 0; i < job->n_params; i++) {
		for (size_t v = 0; v < job->params[i].n_values; v++)
			free(job->params[i].values[v].text);
		free(job->params[i].values);
		free(job->params[i].name);
	}
	free(job->params);
	free(job->name);
	free(job->file);
	free(job);
}

/* ---- jobs of a folder --------------------------------------------------------------------------
 */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int job_names(const char *folder, char ***ret, struct err *err)
{
	_cleanup_strv_ char **files = NULL;
	char **names;

	if (fs_list(folder, &files, err) < 0) {
		if (err)
			err->kind = ERR_USER;
		return err_wrap(err, "job files");
	}
	names = xcalloc(1, sizeof(char *));
	for (char **file = files; *file; file++) {
		_cleanup_free_ char *name = name_of(*file);

		if (str_ends(*file, suffix) && check_name(name, NULL) == 0)
			strv_add(&names, name);
	}
	/* The files are sorted, but with their suffix: "a-b.yaml" comes before "a.yaml". */
	qsort(names, strv_len(names), sizeof(*names), by_name);
	*ret = names;
	return 0;
}

int job_find(const char *folder, const char *name, struct job **ret, struct err *err)
{
	_cleanup_free_ char *file = xasprintf("%s/%s%s", folder, name, suffix);
	_cleanup_str_ struct str shown = STR_INIT;
	_cleanup_strv_ char **names = NULL;
	const char *near;

	if (strchr(name, '/') || str_ends(name, suffix))
		return job_load(name, ret, NULL, err);
	if (check_name(name, err) < 0)
		return -1;
	if (fs_exists(file))
		return job_load(file, ret, NULL, err);
	if (job_names(folder, &names, err) < 0)
		return -1;
	near = str_nearest(name, (const char *const *)names);
	fault_quote(&shown, name);
	return err_set(err, ERR_USER, "no job %s in %s%s%s%s", shown.buf, folder,
		       near ? "; did you mean \"" : "", near ? near : "",
		       near ? "\"?" : "; `lkpctl jobs list` prints them");
}

void job_setup_add(struct str *s, const struct job_setup *setup)
{
	for (const struct key *k = config_keys("setup"); k->name; k++) {
		const void *field = (const char *)setup + (k->offset - offsetof(struct job, setup));

		if (k->type == KEY_SWITCH && *(const int *)field >= 0)
			str_addf(s, "%s: %s\n", k->name, *(const int *)field ? "on" : "off");
		if (k->type == KEY_TEXT && *(char *const *)field)
			str_addf(s, "%s: %s\n", k->name, *(char *const *)field);
		if (k->type == KEY_TEXTS && *(char **const *)field)
			for (char *const *text = *(char **const *)field; *text; text++)
				str_addf(s, "%s: %s\n", k->name, *text);
	}
}
