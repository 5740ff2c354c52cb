/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/db.h"

#include <sys/stat.h>

#include "db/schema.sql.h"
#include "db/stmt.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define APPLICATION_ID 0x4c4b5044 /* "LKPD" */
#define BUSY_MS	       10000
#define CHECK_MAX      (64L << 20) /* bytes; checking more takes longer than a command may */

/* Migration i leads from version i to version i + 1. */
static const char *const migrations[] = {
	embed_db_schema_sql,
};

static int pragma_int(struct db *db, const char *text, int64_t *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db, text, &s, err) < 0)
		return -1;
	return stmt_one_int(&s, ret, NULL, err);
}

/* A database without our mark must be empty. */
static int check_owner(struct db *db, int64_t version, struct err *err)
{
	int64_t owner = 0, tables = 0;

	if (pragma_int(db, "PRAGMA application_id", &owner, err) < 0 ||
	    pragma_int(db, "SELECT count(*) FROM sqlite_master", &tables, err) < 0)
		return -1;
	if (owner == APPLICATION_ID || (owner == 0 && version == 0 && tables == 0))
		return 0;
	return err_set(err, ERR_USER, "%s: is the database of another program; name another file",
		       db->path);
}

static int apply_migrations(struct db *db, struct err *err)
{
	int64_t version = 0, latest = ARRAY_SIZE(migrations);
	char mark[128];

	/* Read again inside the transaction: another process may have been faster. */
	if (pragma_int(db, "PRAGMA user_version", &version, err) < 0)
		return -1;
	for (; version < latest; version++)
		if (stmt_exec(db, migrations[version], err) < 0)
			return err_wrap(err, "migration %d", (int)version + 1);
	snprintf(mark, sizeof(mark), "PRAGMA user_version = %d; PRAGMA application_id = %d",
		 (int)latest, APPLICATION_ID);
	return stmt_exec(db, mark, err);
}

static int migrate(struct db *db, struct err *err)
{
	int64_t version = 0, latest = ARRAY_SIZE(migrations);

	if (pragma_int(db, "PRAGMA user_version", &version, err) < 0 ||
	    check_owner(db, version, err) < 0)
		return -1;
	if (version > latest)
		return err_set(err, ERR_USER,
			       "%s: has version %d of the tables, this program knows up to %d; use "
			       "the newer program",
			       db->path, (int)version, (int)latest);
	if (version == latest)
		return 0;
	if (db_begin(db, err) < 0)
		return -1;
	if (apply_migrations(db, err) < 0 || db_commit(db, err) < 0) {
		db_rollback(db);
		return -1;
	}
	return 0;
}

int db_check(struct db *db, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db, "PRAGMA quick_check(1)", &s, err) < 0 || stmt_step(&s, err) < 0)
		return -1;
	if (streq(stmt_col_text(&s, 0), "ok"))
		return 0;
	return err_set(err, ERR_USER,
		       "%s: the database is damaged (%s); restore a backup, or move it away and "
		       "index the result folders again",
		       db->path, stmt_col_text(&s, 0));
}

static int set_up(struct db *db, struct err *err)
{
	struct stat st;

	sqlite3_busy_timeout(db->sql, BUSY_MS);
	sqlite3_extended_result_codes(db->sql, 1);
	if (stmt_exec(db, "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;", err) < 0 ||
	    stmt_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;", err) < 0)
		return -1;
	if (stat(db->path, &st) == 0 && st.st_size <= CHECK_MAX && db_check(db, err) < 0)
		return -1;
	return migrate(db, err);
}

int db_open(const char *path, struct db **ret, struct err *err)
{
	struct db *db = xcalloc(1, sizeof(*db));
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	int code;

	db->path = xstrdup(path);
	code = sqlite3_open_v2(path, &db->sql, flags, NULL);
	if (code != SQLITE_OK)
		stmt_fail(db, code, err);
	if (code != SQLITE_OK || set_up(db, err) < 0) {
		db_close(db);
		return -1;
	}
	*ret = db;
	return 0;
}

void db_close(struct db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < db->n_cache; i++)
		sqlite3_finalize(db->cache[i].stmt);
	sqlite3_close(db->sql);
	free(db->path);
	free(db);
}

const char *db_path(const struct db *db)
{
	return db->path;
}

int db_begin(struct db *db, struct err *err)
{
	return stmt_exec(db, "BEGIN IMMEDIATE", err);
}

int db_commit(struct db *db, struct err *err)
{
	return stmt_exec(db, "COMMIT", err);
}

void db_rollback(struct db *db)
{
	if (!sqlite3_get_autocommit(db->sql))
		sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
}
