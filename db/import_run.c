/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/import_run.h"

#include "db/boot_facts.h"
#include "db/import_store.h"
#include "db/json_at.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

int import_commit_id(const char *text, const char *path, char *ret, struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT;
	char id[DB_HEX_LEN + 1] = "";
	size_t n = strlen(text);

	for (size_t i = 0; i < n && i < DB_HEX_LEN; i++)
		id[i] = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] | 0x20) : text[i];
	str_add_safe(&shown, text, strnlen(text, 80));
	if (n != DB_HEX_LEN || !db_commit_id_ok(id))
		return err_set(err, ERR_USER, "%s: \"%s\" is not 40 digits of hex", path,
			       shown.buf);
	memcpy(ret, id, sizeof(id));
	return 0;
}

/* A name of something: not empty, not long, nothing unprintable. */
static int check_name(const char *name, const char *path, struct err *err)
{
	size_t n = strlen(name);

	if (n == 0)
		return err_set(err, ERR_USER, "%s: is empty", path);
	if (n > IMPORT_NAME_MAX)
		return err_set(err, ERR_USER, "%s: longer than %d bytes", path, IMPORT_NAME_MAX);
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
			return err_set(err, ERR_USER, "%s: holds a control character", path);
	return 0;
}

static int get_name(const json_t *json, const char *path, const char *key, const char **ret,
		    struct err *err)
{
	_cleanup_free_ char *at = xasprintf("%s.%s", path, key);

	if (json_get_str(json, path, key, true, ret, err) < 0)
		return -1;
	return check_name(*ret, at, err);
}

static int read_status(const json_t *json, const char *path, struct import_record *r,
		       struct err *err)
{
	static const char *const known[] = {"ok",	    "build-failed", "no-init", "panic",
					    "oops",	    "hang",	    "silence", "deadline",
					    "bench-failed", "infra-failed", NULL};
	_cleanup_str_ struct str shown = STR_INIT, list = STR_INIT;

	r->status = "ok";
	if (json_get_str(json, path, "status", false, &r->status, err) < 0)
		return -1;
	for (size_t i = 0; known[i]; i++) {
		if (streq(r->status, known[i]))
			return 0;
		str_addf(&list, "%s%s", i ? ", " : "", known[i]);
	}
	str_add_safe(&shown, r->status, strnlen(r->status, 80));
	return err_set(err, ERR_USER, "%s.status: unknown status \"%s\"; it is one of %s", path,
		       shown.buf, list.buf);
}

static int read_value(const struct import *im, const char *metric, const json_t *json, double *ret,
		      struct err *err)
{
	double value = json_number_value(json);

	if (!json_is_number(json))
		return err_set(err, ERR_USER, "expected a number");
	if (value < 0 && !im->may_be_negative(metric))
		return err_set(err, ERR_USER, "%g: this metric cannot be negative", value);
	*ret = value;
	return 0;
}

static int read_values(const struct import *im, const char *metric, const json_t *json,
		       struct str *path, struct import_metric *ret, struct err *err)
{
	size_t i, n = json_array_size(json);
	json_t *value;

	if (!json_is_array(json))
		return err_set(err, ERR_USER, "%s: expected an array of numbers", path->buf);
	if (n == 0 || n > IMPORT_VALUES_MAX)
		return err_set(err, ERR_USER,
			       "%s: %zu values, expected 1 to %d; leave out what was not measured",
			       path->buf, n, IMPORT_VALUES_MAX);
	*ret = (struct import_metric){metric, xcalloc(n, sizeof(double)), n};
	json_array_foreach((json_t *)json, i, value)
	{
		if (read_value(im, metric, value, &ret->values[i], err) == 0)
			continue;
		str_addf(path, "[%zu]", i);
		return err_wrap(err, "%s", path->buf);
	}
	return 0;
}

static int read_metrics(const struct import *im, const json_t *json, const char *path,
			struct import_record *r, struct err *err)
{
	json_t *metrics = NULL, *values;
	const char *name;

	if (json_get_object(json, path, "metrics", streq(r->status, "ok"), &metrics, err) < 0)
		return -1;
	r->metrics = xcalloc(json_object_size(metrics) + 1, sizeof(*r->metrics));
	json_object_foreach(metrics, name, values)
	{
		_cleanup_str_ struct str at = STR_INIT;
		str_addf(&at, "%s.metrics", path);
		json_add_path_key(&at, name, strlen(name));
		if (check_name(name, at.buf, err) < 0 ||
		    read_values(im, name, values, &at, &r->metrics[r->n_metrics], err) < 0)
			return -1;
		r->n_metrics++;
	}
	return 0;
}

/* What the run says of its boot. */
static int read_boot(const json_t *json, const char *path, struct import_record *r, struct err *err)
{
	_cleanup_free_ char *at = xasprintf("%s.commit", path);
	const char *commit;

	if (json_get_str(json, path, "commit", true, &commit, err) < 0 ||
	    import_commit_id(commit, at, r->commit, err) < 0 ||
	    get_name(json, path, "machine", &r->machine, err) < 0 ||
	    get_name(json, path, "boot", &r->boot, err) < 0)
		return -1;
	if (json_object_get(json, "kconfig") &&
	    get_name(json, path, "kconfig", &r->kconfig, err) < 0)
		return -1;
	return json_get_object(json, path, "facts", false, (json_t **)&r->facts, err);
}

static int read_record(const struct import *im, const json_t *json, const char *path,
		       struct import_record *r, struct err *err)
{
	static const char *const keys[] = {"commit", "machine", "case",	 "boot",    "block",
					   "status", "kconfig", "facts", "metrics", NULL};
	_cleanup_free_ char *at = xasprintf("%s.case", path);

	if (json_check_keys(json, path, keys, err) < 0 || read_boot(json, path, r, err) < 0 ||
	    read_status(json, path, r, err) < 0 ||
	    json_get_str(json, path, "case", true, &r->test_case, err) < 0 ||
	    json_get_int(json, path, "block", false, &r->block, err) < 0)
		return -1;
	/* A boot that failed before its first run is a "run" of no case. */
	if ((*r->test_case || streq(r->status, "ok")) && check_name(r->test_case, at, err) < 0)
		return -1;
	if (json_object_get(json, "block") && r->block < 1)
		return err_set(err, ERR_USER, "%s.block: %lld: expected 1 or more", path,
			       (long long)r->block);
	if (read_metrics(im, json, path, r, err) < 0)
		return -1;
	if (!*r->test_case && r->n_metrics)
		return err_set(err, ERR_USER, "%s.metrics: values without a case", path);
	return 0;
}

static int check_twice(struct import *im, size_t index, const struct import_record *r,
		       const char *path, struct err *err)
{
	_cleanup_free_ char *key =
		xasprintf("%s\n%s\n%s\n%s", r->commit, r->machine, r->boot, r->test_case);
	json_t *before = json_object_get(im->seen, key);

	if (before)
		return err_set(err, ERR_USER,
			       "%s: the same boot and test as $.runs[%lld]; each is given once",
			       path, (long long)json_integer_value(before));
	json_object_set_new(im->seen, key, json_integer((json_int_t)index));
	return 0;
}

static void record_done(struct import_record *r)
{
	for (size_t i = 0; r->metrics && r->metrics[i].values; i++)
		free(r->metrics[i].values);
	free(r->metrics);
}

int import_run(struct import *im, size_t index, const json_t *json, struct err *err)
{
	_cleanup_(record_done) struct import_record r = {.status = "ok"};
	_cleanup_free_ char *path = xasprintf("$.runs[%zu]", index);
	bool is_new;

	if (read_record(im, json, path, &r, err) < 0 || check_twice(im, index, &r, path, err) < 0 ||
	    import_store(im->db, &r, path, &is_new, err) < 0)
		return -1;
	im->counts.runs++;
	if (!is_new)
		return 0;
	im->counts.new_runs++;
	for (size_t i = 0; i < r.n_metrics; i++)
		im->counts.samples += r.metrics[i].n;
	return 0;
}
