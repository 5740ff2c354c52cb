/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/step_row.h"

#include "db/stmt.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define COLUMNS_MAX 16

json_t *step_text(const char *text)
{
	_cleanup_str_ struct str hex = STR_INIT;
	json_t *json = json_string(text ? text : "");

	if (json)
		return json;
	for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p; p++)
		str_addf(&hex, "%02x", *p);
	return json_pack("{s:s}", "hex", hex.buf);
}

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

int step_get_text(const json_t *obj, const char *key, char **ret, struct err *err)
{
	const json_t *member = json_object_get(obj, key);
	const char *hex = json_string_value(json_object_get(member, "hex"));
	_cleanup_str_ struct str text = STR_INIT;

	if (json_is_string(member)) {
		*ret = xstrdup(json_string_value(member));
		return 0;
	}
	if (!hex)
		return err_set(err, ERR_USER, "%s: expected a text", key);
	for (; *hex; hex += 2) {
		int high = digit(hex[0]), low = high < 0 ? -1 : digit(hex[1]);
		if (low < 0 || high + low == 0)
			return err_set(err, ERR_USER, "%s: wrong hex digits", key);
		str_addc(&text, (char)(high << 4 | low));
	}
	*ret = str_detach(&text);
	return 0;
}

json_t *step_row_read(struct db *db, const char *query, int64_t id, const char *what,
		      const struct step_column *columns, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	json_t *step;
	int got;

	if (stmt_open(db, query, &s, err) < 0)
		return NULL;
	stmt_int(&s, 1, id);
	got = stmt_step(&s, err);
	if (got < 0)
		return NULL;
	if (!got) {
		err_set(err, ERR_INFRA, "%s: no %s %lld", db->path, what, (long long)id);
		return NULL;
	}
	step = json_pack("{s:s}", "do", what);
	for (int i = 0; columns[i].name; i++)
		json_object_set_new(step, columns[i].name,
				    columns[i].integer ? json_integer(stmt_col_int(&s, i))
						       : step_text(stmt_col_text(&s, i)));
	return step;
}

int step_row_write(struct db *db, const char *text, const json_t *step,
		   const struct step_column *columns, struct err *err)
{
	char *texts[COLUMNS_MAX] = {NULL};
	struct stmt s = STMT_INIT;
	int64_t number;
	int status = stmt_open(db, text, &s, err);

	for (int i = 0; status == 0 && columns[i].name; i++) {
		if (columns[i].integer) {
			status = json_get_int(step, "$", columns[i].name, true, &number, err);
			if (status == 0)
				stmt_int(&s, i + 1, number);
		} else {
			status = step_get_text(step, columns[i].name, &texts[i], err);
			stmt_text(&s, i + 1, texts[i]);
		}
	}
	if (status == 0)
		status = stmt_run(&s, err);
	stmt_end(&s);
	for (int i = 0; i < COLUMNS_MAX; i++)
		free(texts[i]);
	return status;
}
