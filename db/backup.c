/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/backup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/stmt.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define PAGES 1024 /* between two looks at the tick; 4 MiB */

/* A database of no journal and no WAL of its own: one file. */
static int open_copy(struct db *to, struct err *err)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	int code = sqlite3_open_v2(to->path, &to->sql, flags, NULL);

	return code == SQLITE_OK ? 0 : stmt_fail(to, code, err);
}

static int copy_pages(struct db *from, struct db *to, audit_tick_fn *tick, void *arg,
		      struct err *err)
{
	sqlite3_backup *b = sqlite3_backup_init(to->sql, "main", from->sql, "main");
	int code = b ? SQLITE_OK : sqlite3_errcode(to->sql), status = 0;

	while (b && status == 0 && code != SQLITE_DONE) {
		code = sqlite3_backup_step(b, PAGES);
		if (code != SQLITE_OK && code != SQLITE_DONE)
			break;
		status = tick(arg, sqlite3_backup_pagecount(b) - sqlite3_backup_remaining(b),
			      sqlite3_backup_pagecount(b), err);
	}
	sqlite3_backup_finish(b);
	if (status == 0 && code != SQLITE_DONE)
		status = stmt_fail(to, code, err);
	return status;
}

static int make(struct db *from, struct db *to, audit_tick_fn *tick, void *arg, struct err *err)
{
	if (open_copy(to, err) < 0)
		return -1;
	/* In one read transaction the copy need not begin again when somebody writes. */
	if (stmt_exec(from, "BEGIN; SELECT count(*) FROM sqlite_master", err) < 0)
		return -1;
	int status = copy_pages(from, to, tick, arg, err);
	db_rollback(from);
	if (status < 0 || stmt_exec(to, "PRAGMA journal_mode = DELETE", err) < 0)
		return -1;
	return db_check(to, err) < 0 ? err_wrap(err, "the copy is not good") : 0;
}

static int sync_file(const char *path, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 || fsync(fd) < 0 ? err_errno(err, "cannot sync %s", path) : 0;
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int db_backup(struct db *db, const char *file, bool force, audit_tick_fn *tick, void *arg,
	      struct err *err)
{
	_cleanup_free_ char *part = xasprintf("%s.part-%d", file, (int)getpid());
	struct db to = {.path = part, .lock_fd = -1};
	int status;

	if (same_file(db->path, file))
		return err_set(err, ERR_USER, "%s: is the database itself; name another file",
			       file);
	if (!force && fs_exists(file))
		return err_set(err, ERR_USER, "%s exists; --force overwrites it", file);
	unlink(part);
	status = make(db, &to, tick, arg, err);
	for (size_t i = 0; i < to.n_cache; i++)
		sqlite3_finalize(to.cache[i].stmt);
	sqlite3_close(to.sql);
	if (status == 0 && (sync_file(part, err) < 0 || fs_rename(part, file, err) < 0))
		status = -1;
	if (status < 0)
		unlink(part);
	return status;
}
