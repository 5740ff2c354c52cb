/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/import.h"

#include "db/commits.h"
#include "db/import_run.h"
#include "db/journal_doc.h"
#include "db/json_at.h"
#include "db/keep.h"
#include "db/steps.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define TEXT_MAX    4096 /* bytes of a subject, a name, an address */
#define PARENTS_MAX 1000

/* json_load(), whose message gets the path of the fault: "NaN" is no JSON, so the parser meets it.
 */
static int load(const char *name, const char *text, size_t n, json_t **ret, struct err *err)
{
	_cleanup_str_ struct str path = STR_INIT, what = STR_INIT;
	json_error_t fault;
	json_t *again;

	if (json_load(name, text, n, ret, err) == 0)
		return 0;
	again = json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &fault);
	if (again) { /* too deep for us, not for jansson */
		json_decref(again);
		return -1;
	}
	json_add_path_at(&path, text, n, fault.position > 0 ? (size_t)fault.position : 0,
			 "metrics");
	str_add_safe(&what, fault.text, strnlen(fault.text, sizeof(fault.text)));
	return err_set(err, ERR_USER, "%s:%d:%d: %.400s: %s", name, fault.line, fault.column,
		       path.buf, what.buf);
}

static int get_text(const json_t *obj, const char *path, const char *key, const char **ret,
		    struct err *err)
{
	*ret = "";
	if (json_get_str(obj, path, key, false, ret, err) < 0)
		return -1;
	if (strlen(*ret) > TEXT_MAX)
		return err_set(err, ERR_USER, "%s.%s: longer than %d bytes", path, key, TEXT_MAX);
	return 0;
}

static int read_author(const json_t *json, const char *path, struct db_commit *c, struct err *err)
{
	static const char *const keys[] = {"name", "email", NULL};
	_cleanup_free_ char *at = xasprintf("%s.author", path);
	json_t *author = NULL;
	const char *name = "", *email = "";

	if (json_get_object(json, path, "author", false, &author, err) < 0)
		return -1;
	if (author && (json_check_keys(author, at, keys, err) < 0 ||
		       get_text(author, at, "name", &name, err) < 0 ||
		       get_text(author, at, "email", &email, err) < 0))
		return -1;
	c->author_name = xstrdup(name);
	c->author_email = xstrdup(email);
	return 0;
}

static int read_parents(const json_t *json, const char *path, struct db_commit *c, struct err *err)
{
	json_t *parents = NULL, *parent;
	size_t i;

	if (json_get_array(json, path, "parents", false, &parents, err) < 0)
		return -1;
	if (json_array_size(parents) > PARENTS_MAX)
		return err_set(err, ERR_USER, "%s.parents: more than %d", path, PARENTS_MAX);
	json_array_foreach(parents, i, parent)
	{
		_cleanup_free_ char *at = xasprintf("%s.parents[%zu]", path, i);
		char id[DB_HEX_LEN + 1];
		if (!json_is_string(parent))
			return err_set(err, ERR_USER, "%s: expected a string", at);
		if (import_commit_id(json_string_value(parent), at, id, err) < 0)
			return -1;
		strv_add(&c->parents, id);
	}
	return 0;
}

static int read_commit(const json_t *json, const char *path, struct db_commit *ret, struct err *err)
{
	static const char *const keys[] = {"id", "parents", "subject", "author", "date", NULL};
	_cleanup_free_ char *at = xasprintf("%s.id", path);
	const char *id, *subject;

	if (json_check_keys(json, path, keys, err) < 0 ||
	    json_get_str(json, path, "id", true, &id, err) < 0 ||
	    import_commit_id(id, at, ret->id, err) < 0 ||
	    get_text(json, path, "subject", &subject, err) < 0 ||
	    json_get_int(json, path, "date", false, &ret->date, err) < 0)
		return -1;
	ret->subject = xstrdup(subject);
	if (read_author(json, path, ret, err) < 0)
		return -1;
	return read_parents(json, path, ret, err);
}

static int import_commits(struct import *im, const json_t *commits, struct err *err)
{
	_cleanup_json_ json_t *seen = json_object();
	size_t i;
	json_t *json;

	json_array_foreach((json_t *)commits, i, json)
	{
		_cleanup_(db_commit_done) struct db_commit c = {.id = ""};
		_cleanup_free_ char *path = xasprintf("$.commits[%zu]", i);
		json_t *before;
		if (read_commit(json, path, &c, err) < 0)
			return -1;
		before = json_object_get(seen, c.id);
		if (before)
			return err_set(err, ERR_USER, "%s.id: %s is $.commits[%lld] already", path,
				       c.id, (long long)json_integer_value(before));
		json_object_set_new(seen, c.id, json_integer((json_int_t)i));
		if (db_commit_put(im->db, &c, err) < 0)
			return err_wrap(err, "%s", path);
		im->counts.commits++;
	}
	return 0;
}

static int import_all(struct import *im, const json_t *root, struct err *err)
{
	static const char *const keys[] = {"format", "commits", "runs", NULL};
	const char *format;
	json_t *commits, *runs, *run;
	size_t i;

	if (json_check_keys(root, "$", keys, err) < 0 ||
	    json_get_str(root, "$", "format", true, &format, err) < 0)
		return -1;
	if (!streq(format, "lkp-samples/1"))
		return err_set(err, ERR_USER, "$.format: is not \"lkp-samples/1\"");
	if (json_get_array(root, "$", "commits", true, &commits, err) < 0 ||
	    json_get_array(root, "$", "runs", true, &runs, err) < 0 ||
	    import_commits(im, commits, err) < 0)
		return -1;
	json_array_foreach(runs, i, run)
	{
		if (import_run(im, i, run, err) < 0)
			return -1;
	}
	return 0;
}

/* In the journal as well; not what was taken in before and is there. */
static int keep(struct import *im, const char *name, const char *text, size_t n, struct err *err)
{
	struct journal *j;
	char hex[HASH_HEX_LEN + 1];
	bool own;

	if (!keep_wants(im->db))
		return 0;
	j = keep_journal(im->db);
	if (im->counts.runs > 0 && im->counts.new_runs == 0 && journal_doc_exists(j, text, n))
		return 0;
	if (journal_doc_put(j, text, n, hex, err) < 0 || keep_step_begin(im->db, &own, err) < 0)
		return -1;
	return keep_step_end(im->db, own, 0, step_import(name, hex), err);
}

int db_import(struct db *db, const char *name, const char *text, size_t n,
	      import_negative_fn *may_be_negative, struct import_counts *ret, struct err *err)
{
	_cleanup_json_ json_t *root = NULL, *seen = json_object();
	struct import im = {.db = db, .may_be_negative = may_be_negative, .seen = seen};

	if (load(name, text, n, &root, err) < 0 || db_begin(db, err) < 0)
		return -1;
	if (import_all(&im, root, err) < 0) {
		db_rollback(db);
		return err_wrap(err, "%s", name);
	}
	if (keep(&im, name, text, n, err) < 0 || db_commit(db, err) < 0) {
		db_rollback(db);
		return -1;
	}
	*ret = im.counts;
	return 0;
}

/* It was checked when it was taken in. */
static bool any(const char *metric)
{
	(void)metric;
	return true;
}

int db_import_again(struct db *db, const char *name, const char *text, size_t n, struct err *err)
{
	_cleanup_json_ json_t *root = NULL, *seen = json_object();
	struct import im = {.db = db, .may_be_negative = any, .seen = seen};

	if (load(name, text, n, &root, err) < 0)
		return -1;
	return import_all(&im, root, err) < 0 ? err_wrap(err, "%s", name) : 0;
}
