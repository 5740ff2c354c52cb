/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/names.h"

#include "db/stmt.h"

static const struct {
	const char *insert, *select;
} nouns[] = {
	[DB_MACHINE] = {"INSERT INTO machines (name) VALUES (?1)",
			"SELECT id FROM machines WHERE name = ?1"},
	[DB_CASE] = {"INSERT INTO cases (name) VALUES (?1)",
		     "SELECT id FROM cases WHERE name = ?1"},
	[DB_METRIC] = {"INSERT INTO metrics (name) VALUES (?1)",
		       "SELECT id FROM metrics WHERE name = ?1"},
};

int db_name_find(struct db *db, enum db_noun noun, const char *name, int64_t *ret_id,
		 struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int64_t id = 0;

	if (stmt_open(db, nouns[noun].select, &s, err) < 0)
		return -1;
	stmt_text(&s, 1, name);
	if (stmt_one_int(&s, &id, NULL, err) < 0)
		return -1;
	*ret_id = id;
	return 0;
}

int db_name_put(struct db *db, enum db_noun noun, const char *name, int64_t *ret_id,
		struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int64_t id = 0;

	if (db_name_find(db, noun, name, &id, err) < 0)
		return -1;
	if (!id) {
		if (stmt_open(db, nouns[noun].insert, &s, err) < 0)
			return -1;
		stmt_text(&s, 1, name);
		if (stmt_run(&s, err) < 0)
			return -1;
		id = sqlite3_last_insert_rowid(db->sql);
	}
	*ret_id = id;
	return 0;
}
