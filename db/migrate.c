/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/migrate.h"

#include "db/migration_2.sql.h"
#include "db/schema.sql.h"
#include "db/stmt.h"
#include "harness/util/mem.h"

#define APPLICATION_ID 0x4c4b5044 /* "LKPD" */

static const char *const migrations[] = {
	embed_db_schema_sql,
	embed_db_migration_2_sql,
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

/* In a transaction: one step, unless another process was faster. */
static int one_step(struct db *db, int64_t from, struct err *err)
{
	int64_t version = 0;
	char mark[128];

	if (pragma_int(db, "PRAGMA user_version", &version, err) < 0)
		return -1;
	if (version != from)
		return 0;
	if (stmt_exec(db, migrations[from], err) < 0)
		return err_wrap(err, "migration %d", (int)from + 1);
	snprintf(mark, sizeof(mark), "PRAGMA user_version = %d; PRAGMA application_id = %d",
		 (int)from + 1, APPLICATION_ID);
	return stmt_exec(db, mark, err);
}

int migrate(struct db *db, bool look, struct err *err)
{
	const int64_t n = ARRAY_SIZE(migrations);
	int64_t version = 0;

	if (pragma_int(db, "PRAGMA user_version", &version, err) < 0 ||
	    check_owner(db, version, err) < 0)
		return -1;
	if (version > n)
		return err_set(err, ERR_USER,
			       "%s: has version %d of the tables, this program knows up to %d; use "
			       "the newer program",
			       db->path, (int)version, (int)n);
	if (look && version < n)
		return err_set(err, ERR_USER,
			       "%s: has version %d of the tables, and may not be written to bring "
			       "it to %d; run any command once as somebody who may write it",
			       db->path, (int)version, (int)n);
	for (; version < n; version++) {
		if (stmt_exec(db, "BEGIN IMMEDIATE", err) < 0)
			return -1;
		if (one_step(db, version, err) < 0 || stmt_exec(db, "COMMIT", err) < 0) {
			db_rollback(db);
			return -1;
		}
	}
	return 0;
}
