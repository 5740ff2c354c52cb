/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/findings.h"

#include "db/stmt.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define TEXT_MAX 4096

static const char *const keys[] = {"kind", "title", "frame", "signature"};

#define N_TEXTS ARRAY_SIZE(keys)

struct finding {
	const char *texts[N_TEXTS];
	bool fatal;
	int64_t offset, count;
};

static int read_one(const json_t *json, const char *path, struct finding *ret, struct err *err)
{
	struct finding f = {.count = 1};

	if (!json_is_object(json))
		return err_set(err, ERR_USER, "%s: expected an object", path);
	for (size_t i = 0; i < N_TEXTS; i++) {
		f.texts[i] = "";
		if (json_get_str(json, path, keys[i], i == 0, &f.texts[i], err) < 0)
			return -1;
		if (strlen(f.texts[i]) > TEXT_MAX)
			return err_set(err, ERR_USER, "%s.%s: longer than %d bytes", path, keys[i],
				       TEXT_MAX);
	}
	if (json_get_bool(json, path, "fatal", false, &f.fatal, err) < 0 ||
	    json_get_int(json, path, "offset", false, &f.offset, err) < 0 ||
	    json_get_int(json, path, "count", false, &f.count, err) < 0)
		return -1;
	*ret = f;
	return 0;
}

static int insert(struct db *db, int64_t boot_id, size_t nr, const struct finding *f,
		  struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "INSERT INTO boot_findings (boot_id, nr, kind, title, frame, signature, "
		      "fatal, offset, count) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, boot_id);
	stmt_int(&s, 2, (int64_t)nr);
	for (int i = 0; i < (int)N_TEXTS; i++)
		stmt_text(&s, 3 + i, f->texts[i]);
	stmt_int(&s, 7, f->fatal);
	stmt_int(&s, 8, f->offset);
	stmt_int(&s, 9, f->count);
	return stmt_run(&s, err);
}

int db_findings_put(struct db *db, int64_t boot_id, const json_t *findings, const char *path,
		    struct err *err)
{
	const json_t *json;
	size_t i;

	if (findings && !json_is_array(findings))
		return err_set(err, ERR_USER, "%s: expected an array", path);
	if (json_array_size(findings) > FINDINGS_MAX)
		return err_set(err, ERR_USER, "%s: more than %d", path, FINDINGS_MAX);
	json_array_foreach((json_t *)findings, i, json)
	{
		_cleanup_free_ char *at = xasprintf("%s[%zu]", path, i);
		struct finding f;
		if (read_one(json, at, &f, err) < 0 || insert(db, boot_id, i + 1, &f, err) < 0)
			return -1;
	}
	return 0;
}

static json_t *row_json(const struct stmt *s)
{
	json_t *row = json_object();

	for (int i = 0; i < (int)N_TEXTS; i++)
		json_object_set_new(row, keys[i], json_string(stmt_col_text(s, i)));
	json_object_set_new(row, "fatal", json_boolean(stmt_col_int(s, 4)));
	json_object_set_new(row, "offset", json_integer(stmt_col_int(s, 5)));
	json_object_set_new(row, "count", json_integer(stmt_col_int(s, 6)));
	return row;
}

int db_findings_json(struct db *db, int64_t boot_id, json_t **ret, struct err *err)
{
	_cleanup_json_ json_t *all = json_array();
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int got;

	if (stmt_open(db,
		      "SELECT kind, title, frame, signature, fatal, offset, count "
		      "FROM boot_findings WHERE boot_id = ?1 ORDER BY nr",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, boot_id);
	while ((got = stmt_step(&s, err)) > 0)
		json_array_append_new(all, row_json(&s));
	if (got < 0)
		return -1;
	*ret = all;
	all = NULL;
	return 0;
}
