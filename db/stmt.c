/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/stmt.h"

#include <errno.h>
#include <unistd.h>

#include "db/lock.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

int stmt_damaged(const struct db *db, const char *what, struct err *err)
{
	_cleanup_str_ struct str safe = STR_INIT;

	str_add_safe(&safe, what, strnlen(what, 200));
	return err_set_cause(
		err, ERR_USER, "damaged",
		"%s: the database is damaged (%s); \"lkpctl db rebuild\" makes it again from "
		"the result folders and the journal, and keeps the damaged one; or restore a "
		"backup",
		db->path, safe.buf);
}

static int fail_busy(const struct db *db, struct err *err)
{
	_cleanup_free_ char *shm = xasprintf("%s-shm", db->path);
	_cleanup_str_ struct str who = STR_INIT;

	db_lock_holders(shm, &who);
	db_lock_holders(db->path, &who);
	return err_set_cause(err, ERR_INFRA, "locked", "%s: %s holds the database; try again",
			     db->path, who.len ? who.buf : "another process");
}

static int fail_space(const struct db *db, struct err *err)
{
	return err_set_cause(err, ERR_INFRA, "disk-full",
			     "%s: no space left on its disk; make room there and try again, "
			     "nothing of what was stored before is lost",
			     db->path);
}

static int fail_readonly(const struct db *db, struct err *err)
{
	return err_set_cause(err, ERR_USER, "read-only",
			     "%s: may not be written; check the permissions of the file and of its "
			     "folder, and that the file system is not read-only",
			     db->path);
}

static int fail_open(const struct db *db, const char *what, struct err *err)
{
	_cleanup_free_ char *wal = xasprintf("%s-wal", db->path);

	if (db->readonly && access(wal, F_OK) == 0)
		return err_set(
			err, ERR_USER,
			"%s: was not closed in an orderly way and may not be written by you; "
			"run any command once as somebody who may write it",
			db->path);
	return err_set_cause(err, ERR_USER, "cannot-open",
			     "%s: %s; check the path and its permissions", db->path, what);
}

int stmt_fail(struct db *db, int code, struct err *err)
{
	const char *what = sqlite3_errmsg(db->sql);
	int os = db->sql ? sqlite3_system_errno(db->sql) : 0;

	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return fail_busy(db, err);
	case SQLITE_FULL:
		return fail_space(db, err);
	case SQLITE_IOERR:
		if (os == ENOSPC || os == EDQUOT)
			return fail_space(db, err);
		return err_set_cause(err, ERR_INFRA, "io-error",
				     "%s: %s (%s); look at the disk and the kernel's log", db->path,
				     what, os ? strerror(os) : "no reason given");
	case SQLITE_NOTADB:
		return err_set_cause(
			err, ERR_USER, "damaged",
			"%s: is no SQLite database; name another file or move this one away",
			db->path);
	case SQLITE_CORRUPT:
		return stmt_damaged(db, what, err);
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return fail_readonly(db, err);
	case SQLITE_CANTOPEN:
		if (os == ENOSPC || os == EDQUOT)
			return fail_space(db, err);
		if (os == EROFS)
			return fail_readonly(db, err);
		return fail_open(db, what, err);
	case SQLITE_CONSTRAINT:
		return err_set(err, ERR_INFRA, "%s: %s", db->path, what);
	default:
		return err_set_cause(err, ERR_INFRA, "database", "%s: %s", db->path, what);
	}
}

static struct stmt_slot *find_slot(struct db *db, const char *text)
{
	for (size_t i = 0; i < db->n_cache; i++)
		if (db->cache[i].text == text)
			return &db->cache[i];
	return NULL;
}

int stmt_open(struct db *db, const char *text, struct stmt *ret, struct err *err)
{
	struct stmt_slot *slot = find_slot(db, text);
	sqlite3_stmt *raw;
	int code;

	if (slot && !slot->busy) {
		slot->busy = true;
		*ret = (struct stmt){.db = db, .raw = slot->stmt, .slot = slot};
		return 0;
	}
	code = sqlite3_prepare_v3(db->sql, text, -1, slot ? 0 : SQLITE_PREPARE_PERSISTENT, &raw,
				  NULL);
	if (code != SQLITE_OK)
		return stmt_fail(db, code, err);
	*ret = (struct stmt){.db = db, .raw = raw};
	if (!slot && db->n_cache < STMT_CACHE) {
		ret->slot = &db->cache[db->n_cache++];
		*ret->slot = (struct stmt_slot){.text = text, .stmt = raw, .busy = true};
	}
	return 0;
}

void stmt_end(struct stmt *s)
{
	if (!s->raw)
		return;
	if (s->slot) {
		sqlite3_reset(s->raw);
		sqlite3_clear_bindings(s->raw);
		s->slot->busy = false;
	} else {
		sqlite3_finalize(s->raw);
	}
	*s = (struct stmt)STMT_INIT;
}

void stmt_text(struct stmt *s, int i, const char *text)
{
	sqlite3_bind_text(s->raw, i, text, -1, SQLITE_STATIC);
}

void stmt_int(struct stmt *s, int i, int64_t value)
{
	sqlite3_bind_int64(s->raw, i, value);
}

void stmt_real(struct stmt *s, int i, double value)
{
	sqlite3_bind_double(s->raw, i, value);
}

void stmt_blob(struct stmt *s, int i, const void *data, size_t n)
{
	sqlite3_bind_blob64(s->raw, i, data, n, SQLITE_STATIC);
}

int stmt_step(struct stmt *s, struct err *err)
{
	int code = sqlite3_step(s->raw);

	if (code == SQLITE_ROW)
		return 1;
	return code == SQLITE_DONE ? 0 : stmt_fail(s->db, code, err);
}

int stmt_run(struct stmt *s, struct err *err)
{
	int code = sqlite3_step(s->raw);

	if (code != SQLITE_DONE && code != SQLITE_ROW)
		return stmt_fail(s->db, code, err);
	sqlite3_reset(s->raw);
	return 0;
}

int stmt_one_int(struct stmt *s, int64_t *ret, bool *ret_found, struct err *err)
{
	int got = stmt_step(s, err);
	bool found = got > 0;
	int64_t value = found ? stmt_col_int(s, 0) : 0;

	/* To the end: what a statement with RETURNING wrote is not committed before. */
	while (got > 0)
		got = stmt_step(s, err);
	sqlite3_reset(s->raw);
	if (got < 0)
		return -1;
	if (found)
		*ret = value;
	if (ret_found)
		*ret_found = found;
	return 0;
}

int64_t stmt_col_int(const struct stmt *s, int i)
{
	return sqlite3_column_int64(s->raw, i);
}

double stmt_col_real(const struct stmt *s, int i)
{
	return sqlite3_column_double(s->raw, i);
}

const char *stmt_col_text(const struct stmt *s, int i)
{
	const unsigned char *text = sqlite3_column_text(s->raw, i);

	return text ? (const char *)text : "";
}

char *stmt_col_dup(const struct stmt *s, int i)
{
	return xstrdup(stmt_col_text(s, i));
}

const void *stmt_col_blob(const struct stmt *s, int i, size_t *ret_n)
{
	const void *data = sqlite3_column_blob(s->raw, i);

	*ret_n = (size_t)sqlite3_column_bytes(s->raw, i);
	return data;
}

int stmt_exec(struct db *db, const char *text, struct err *err)
{
	int code = sqlite3_exec(db->sql, text, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : stmt_fail(db, code, err);
}
