/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/remake.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "db/lock.h"
#include "harness/util/fs.h"
#include "harness/util/fs_temp.h"
#include "harness/util/mem.h"
#include "harness/util/time.h"

struct remake {
	char *path, *part;
	struct db *db;
	int lock_fd;
	bool damaged;
};

static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};

static void remove_part(const char *part)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		_cleanup_free_ char *name = xasprintf("%s%s", part, suffixes[i]);
		unlink(name);
	}
}

void remake_drop(struct remake *r)
{
	if (!r)
		return;
	db_close(r->db);
	if (r->lock_fd >= 0) {
		remove_part(r->part);
		close(r->lock_fd);
	}
	free(r->path);
	free(r->part);
	free(r);
}

static int check_journal(const char *folder, const char *path, struct err *err)
{
	struct journal *j = journal_new(folder);
	struct journal_pos end = {.file = ""};
	int status = journal_end(j, &end, err);

	journal_free(j);
	if (status < 0 || *end.file)
		return status;
	return err_set(err, ERR_USER,
		       "%s: is damaged and %s is empty, so that its reports and mails would be "
		       "lost; restore a backup, or give --force",
		       path, folder);
}

/* Opening it brings rows and journal together. */
static int settle_old(const char *path, const char *state, const char *journal, bool force,
		      bool *ret_damaged, struct err *err)
{
	struct err why = ERR_INIT;
	struct db *old;

	*ret_damaged = false;
	if (!fs_exists(path))
		return 0;
	if (db_open_state(path, state, &old, &why) == 0) {
		db_close(old);
		return 0;
	}
	*err = why;
	if (!streq(why.cause, "damaged"))
		return -1;
	*ret_damaged = true;
	return force ? 0 : check_journal(journal, path, err);
}

int remake_begin(const char *path, const char *state, bool force, struct remake **ret,
		 bool *ret_damaged, struct err *err)
{
	_cleanup_free_ char *journal = xasprintf("%s/journal", state);
	struct remake *r = xcalloc(1, sizeof(*r));

	r->lock_fd = -1;
	r->path = xstrdup(path);
	r->part = xasprintf("%s.new", path);
	if (settle_old(path, state, journal, force, &r->damaged, err) < 0 ||
	    db_lock(path, true, false, &r->lock_fd, err) < 0) {
		remake_drop(r);
		return -1;
	}
	remove_part(r->part); /* of one who was killed */
	/* What is not finished is thrown away: nothing need be synced before it is. */
	if (db_open(r->part, &r->db, err) < 0 ||
	    stmt_exec(r->db, "PRAGMA synchronous = OFF", err) < 0) {
		remake_drop(r);
		return -1;
	}
	keep_prepare(r->db, journal);
	*ret_damaged = r->damaged;
	*ret = r;
	return 0;
}

struct db *remake_db(struct remake *r)
{
	return r->db;
}

int remake_replay(struct remake *r, struct keep_counts *ret, struct err *err)
{
	const struct journal_pos begin = {.file = ""};

	if (db_begin(r->db, err) < 0)
		return -1;
	if (keep_replay(r->db, &begin, ret, err) == 0 && db_commit(r->db, err) == 0)
		return 0;
	db_rollback(r->db);
	return -1;
}

/* Takes the file out of WAL mode, after which it is one file; refused while somebody has it open,
 * whether he heeds our lock or not. */
static int make_single(struct db *db, struct err *err)
{
	struct stmt s = STMT_INIT;
	int status = stmt_open(db, "PRAGMA journal_mode = DELETE", &s, err);

	if (status == 0)
		status = stmt_step(&s, err) < 0 ? -1 : 0;
	if (status == 0 && !streq(stmt_col_text(&s, 0), "delete"))
		status = stmt_fail(db, SQLITE_BUSY, err);
	stmt_end(&s);
	return status;
}

static int settle_new(struct remake *r, struct err *err)
{
	if (stmt_exec(r->db, "PRAGMA synchronous = FULL", err) < 0 || make_single(r->db, err) < 0 ||
	    db_check(r->db, err) < 0)
		return -1;
	db_close(r->db);
	r->db = NULL;
	_cleanup_close_ int fd = open(r->part, O_RDONLY | O_CLOEXEC);
	return fd < 0 || fsync(fd) < 0 ? err_errno(err, "cannot sync %s", r->part) : 0;
}

static int single_old(const char *path, struct err *err)
{
	struct db old = {.path = (char *)path, .lock_fd = -1};
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
	int code = sqlite3_open_v2(path, &old.sql, flags, NULL), status;

	status = code == SQLITE_OK ? make_single(&old, err) : stmt_fail(&old, code, err);
	for (size_t i = 0; i < old.n_cache; i++)
		sqlite3_finalize(old.cache[i].stmt);
	sqlite3_close(old.sql);
	return status;
}

/* A damaged one keeps the files beside it, by their new name. */
static int move_beside(const char *path, const char *old, struct err *err)
{
	for (size_t i = 1; i < ARRAY_SIZE(suffixes); i++) {
		_cleanup_free_ char *from = xasprintf("%s%s", path, suffixes[i]);
		_cleanup_free_ char *to = xasprintf("%s%s", old, suffixes[i]);
		if (fs_exists(from) && fs_rename(from, to, err) < 0)
			return -1;
	}
	return 0;
}

static char *name_for_old(const char *path)
{
	time_t now = (time_t)time_now();
	char when[32];
	struct tm tm;
	char *name;

	gmtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &tm);
	name = xasprintf("%s.old-%s", path, when);
	for (int i = 2; fs_exists(name); i++) {
		free(name);
		name = xasprintf("%s.old-%s.%d", path, when, i);
	}
	return name;
}

/* The new file is for whom the old one was. */
static int same_owner(const char *old, const char *part, struct err *err)
{
	struct stat st;

	if (stat(old, &st) < 0 || chown(part, st.st_uid, st.st_gid) < 0 ||
	    chmod(part, st.st_mode & 07777) < 0)
		return err_errno(err, "cannot give %s the owner and mode of %s", part, old);
	return 0;
}

/* By a second name for the old one first: at no instant is there no database. */
static int swap(struct remake *r, char **ret_old, struct err *err)
{
	_cleanup_free_ char *old = NULL;

	if (fs_exists(r->path)) {
		old = name_for_old(r->path);
		if (same_owner(r->path, r->part, err) < 0)
			return -1;
		if (!r->damaged && single_old(r->path, err) < 0)
			return -1;
		if (link(r->path, old) < 0)
			return err_errno(err, "cannot keep %s as %s", r->path, old);
		if (r->damaged && move_beside(r->path, old, err) < 0)
			return -1;
	}
	if (fs_rename(r->part, r->path, err) < 0) {
		if (old && !r->damaged)
			unlink(old);
		return -1;
	}
	*ret_old = old;
	old = NULL;
	return 0;
}

int remake_finish(struct remake *r, char **ret_old, struct err *err)
{
	int status = 0;

	if (settle_new(r, err) < 0 || swap(r, ret_old, err) < 0)
		status = -1;
	remake_drop(r);
	return status;
}
