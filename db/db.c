/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/db.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/keep.h"
#include "db/lock.h"
#include "db/migrate.h"
#include "db/stmt.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define BUSY_MS	  10000
#define CHECK_MAX (64L << 20) /* bytes; checking more takes longer than a command may */

int db_check(struct db *db, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db, "PRAGMA quick_check(1)", &s, err) < 0 || stmt_step(&s, err) < 0)
		return -1;
	if (streq(stmt_col_text(&s, 0), "ok"))
		return 0;
	return stmt_damaged(db, stmt_col_text(&s, 0), err);
}

static int check_small(struct db *db, struct err *err)
{
	struct stat st;

	return stat(db->path, &st) == 0 && st.st_size <= CHECK_MAX ? db_check(db, err) : 0;
}

static int set_up(struct db *db, const char *state, struct err *err)
{
	if (stmt_exec(db, "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;", err) < 0)
		return -1;
	if (sqlite3_db_readonly(db->sql, "main") == 1)
		return stmt_fail(db, SQLITE_READONLY, err);
	if (stmt_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;", err) < 0 ||
	    check_small(db, err) < 0 || migrate(db, false, err) < 0)
		return -1;
	if (!state)
		return 0;
	_cleanup_free_ char *journal = xasprintf("%s/journal", state);
	return keep_attach(db, journal, err);
}

static struct db *new_handle(const char *path)
{
	struct db *db = xcalloc(1, sizeof(*db));

	db->path = xstrdup(path);
	db->lock_fd = -1;
	return db;
}

static int connect(struct db *db, const char *name, int flags, struct err *err)
{
	int code = sqlite3_open_v2(name, &db->sql, flags | SQLITE_OPEN_NOMUTEX, NULL);

	if (code != SQLITE_OK)
		return stmt_fail(db, code, err);
	sqlite3_busy_timeout(db->sql, BUSY_MS);
	sqlite3_extended_result_codes(db->sql, 1);
	return 0;
}

int db_open_state(const char *path, const char *state, struct db **ret, struct err *err)
{
	struct db *db = new_handle(path);

	if ((state && db_lock(path, false, false, &db->lock_fd, err) < 0) ||
	    connect(db, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) < 0 ||
	    set_up(db, state, err) < 0) {
		db_close(db);
		return -1;
	}
	*ret = db;
	return 0;
}

int db_open(const char *path, struct db **ret, struct err *err)
{
	return db_open_state(path, NULL, ret, err);
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

/* As an URI that tells SQLite that nobody changes the file. */
static char *fixed_uri(const char *path)
{
	_cleanup_str_ struct str uri = STR_INIT;

	str_add(&uri, "file:");
	for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
		if (strchr("?#%", *p))
			str_addf(&uri, "%%%02x", *p);
		else
			str_addc(&uri, (char)*p);
	}
	str_add(&uri, "?immutable=1");
	return str_detach(&uri);
}

/* SQLite cannot read a WAL database where it may not make the files beside it, unless it is told
 * that the file is fixed. That holds when there is no WAL: nobody has it open. */
static int connect_read(struct db *db, struct err *err)
{
	_cleanup_free_ char *uri = fixed_uri(db->path);
	_cleanup_free_ char *wal = xasprintf("%s-wal", db->path);
	struct err first = ERR_INIT;
	struct stat st;

	if (connect(db, db->path, SQLITE_OPEN_READONLY, err) < 0)
		return -1;
	if (stmt_exec(db, "SELECT count(*) FROM sqlite_master", &first) == 0)
		return 0;
	if (streq(first.cause, "locked") || (stat(wal, &st) == 0 && st.st_size > 0)) {
		*err = first;
		return -1;
	}
	sqlite3_close(db->sql);
	return connect(db, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
}

static int open_fixed(const char *path, const char *state, struct db **ret, struct err *err)
{
	struct db *db = new_handle(path);

	db->readonly = true;
	if ((state && db_lock(path, false, true, &db->lock_fd, err) < 0) ||
	    connect_read(db, err) < 0 || stmt_exec(db, "PRAGMA trusted_schema = OFF", err) < 0 ||
	    check_small(db, err) < 0 || migrate(db, true, err) < 0) {
		db_close(db);
		return -1;
	}
	*ret = db;
	return 0;
}

int db_open_read(const char *path, const char *state, struct db **ret, struct err *err)
{
	_cleanup_free_ char *folder = folder_of(path);
	bool there = streq(path, ":memory:") ? false : fs_exists(path);

	if (there && (access(path, W_OK) < 0 || access(folder, W_OK) < 0))
		return open_fixed(path, state, ret, err);
	if (db_open_state(path, state, ret, err) == 0)
		return 0;
	return there && streq(err->cause, "disk-full") ? open_fixed(path, state, ret, err) : -1;
}

void db_close(struct db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < db->n_cache; i++)
		sqlite3_finalize(db->cache[i].stmt);
	sqlite3_close(db->sql);
	keep_free(db->keep);
	if (db->lock_fd >= 0)
		close(db->lock_fd);
	free(db->path);
	free(db);
}

const char *db_path(const struct db *db)
{
	return db->path;
}

bool db_readonly(const struct db *db)
{
	return db->readonly;
}

char *db_state_of(const char *path)
{
	_cleanup_free_ char *folder = folder_of(path);
	const char *name = strrchr(path, '/');
	_cleanup_free_ char *results = xasprintf("%s/results", folder);
	_cleanup_free_ char *journal = xasprintf("%s/journal", folder);

	if (!streq(name ? name + 1 : path, "lkp.db") ||
	    (!fs_is_dir(results) && !fs_is_dir(journal)))
		return NULL;
	return realpath(folder, NULL);
}

int db_begin(struct db *db, struct err *err)
{
	if (stmt_exec(db, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (keep_begin(db, err) == 0)
		return 0;
	db_rollback(db);
	return -1;
}

/* A full disk ends a commit before its last write: it has not happened. Of other faults that is not
 * known, and the line that says it stays. */
static void undo(struct db *db)
{
	struct err ignored = ERR_INIT;

	if (!sqlite3_get_autocommit(db->sql))
		sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
	keep_undo(db, &ignored);
}

int db_commit(struct db *db, struct err *err)
{
	if (keep_commit(db, err) == 0 && stmt_exec(db, "COMMIT", err) == 0) {
		keep_committed(db);
		return 0;
	}
	if (keep_written(db) && streq(err->cause, "disk-full"))
		undo(db);
	if (keep_written(db))
		err_wrap(err, "the change is in the journal and will be taken in later, but now");
	return -1;
}

void db_rollback(struct db *db)
{
	if (!sqlite3_get_autocommit(db->sql))
		sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
	keep_drop(db);
}
