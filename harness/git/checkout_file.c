/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/git/checkout_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/git/repo.h"
#include "harness/util/fs_walk.h"
#include "harness/util/mem.h"

#define BLOB_MAX ((size_t)1 << 30)

static int fail(struct checkout *c, const char *doing)
{
	return err_errno(c->err, "cannot %s %s", doing, c->path.buf);
}

int checkout_remove(struct checkout *c, int fd, const char *name)
{
	_cleanup_strv_ char **names = NULL;
	_cleanup_close_ int sub = -1;

	if (unlinkat(fd, name, 0) == 0) {
		c->stats.removed++;
		return 0;
	}
	if (errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return fail(c, "remove something in");
	sub = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (sub < 0 || fs_names(sub, &names) < 0)
		return fail(c, "remove a folder in");
	for (char **each = names; *each; each++)
		if (checkout_remove(c, sub, *each) < 0)
			return -1;
	return unlinkat(fd, name, AT_REMOVEDIR) < 0 ? fail(c, "remove a folder in") : 0;
}

int checkout_make_folder(struct checkout *c, int fd, const char *name)
{
	struct stat st;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if (S_ISDIR(st.st_mode) && (st.st_mode & 07777) == 0755)
			return 0;
		if (!S_ISDIR(st.st_mode) && checkout_remove(c, fd, name) < 0)
			return -1;
	}
	if (mkdirat(fd, name, 0755) < 0 && errno != EEXIST)
		return fail(c, "create");
	return fchmodat(fd, name, 0755, 0) < 0 ? fail(c, "set the mode of") : 0;
}

static int read_blob(struct checkout *c, const git_tree_entry *entry, git_blob **ret)
{
	git_odb *odb = NULL;
	git_object_t type = GIT_OBJECT_INVALID;
	size_t size = 0;
	int rc = git_repository_odb(&odb, c->git);

	/* The size comes first: a blob may claim more than our memory. */
	if (rc == 0)
		rc = git_odb_read_header(&size, &type, odb, git_tree_entry_id(entry));
	git_odb_free(odb);
	if (rc == 0 && size > BLOB_MAX)
		return err_set(c->err, ERR_USER, "%s is larger than 1 GiB in commit %s",
			       c->path.buf, c->id);
	if (rc < 0 || git_blob_lookup(ret, c->git, git_tree_entry_id(entry)) < 0)
		return git_fail(c->err, ERR_INFRA, "cannot read %s of commit %s", c->path.buf,
				c->id);
	return 0;
}

static mode_t mode_of(const git_tree_entry *entry)
{
	return git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB_EXECUTABLE ? 0755 : 0644;
}

static bool same_link(int fd, const char *name, const git_tree_entry *entry)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(fd, name, target, sizeof(target));
	git_oid oid;

	return n >= 0 && git_odb_hash(&oid, target, (size_t)n, GIT_OBJECT_BLOB) == 0 &&
	       git_oid_equal(&oid, git_tree_entry_id(entry));
}

static bool same_file(int fd, const char *name, const git_tree_entry *entry, const struct stat *st)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_close_ int file = -1;
	git_oid oid;
	char *buf;

	if (!S_ISREG(st->st_mode) || (st->st_mode & 07777) != mode_of(entry) ||
	    (size_t)st->st_size > BLOB_MAX)
		return false;
	file = openat(fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	buf = text.buf = xmalloc((size_t)st->st_size + 1);
	text.cap = (size_t)st->st_size + 1;
	if (file < 0 || read(file, buf, (size_t)st->st_size) != st->st_size)
		return false;
	return git_odb_hash(&oid, buf, (size_t)st->st_size, GIT_OBJECT_BLOB) == 0 &&
	       git_oid_equal(&oid, git_tree_entry_id(entry));
}

/* Clears the way for a file: rename() replaces everything but a folder. */
static int clear_folder(struct checkout *c, int fd, const char *name)
{
	struct stat st;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
		return checkout_remove(c, fd, name);
	return 0;
}

static int write_file(struct checkout *c, const git_blob *blob, mode_t mode)
{
	_cleanup_close_ int file =
		open(c->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	const char *data = git_blob_rawcontent(blob);
	size_t left = (size_t)git_blob_rawsize(blob);

	if (file < 0)
		return -1;
	while (left > 0) {
		ssize_t n = write(file, data, left);

		if (n < 0 && errno != EINTR)
			return -1;
		data += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
	if (fchmod(file, mode) < 0)
		return -1;
	return c->stats.written < CHECKOUT_SYNC_EACH ? fdatasync(file) : 0;
}

static int write_link(struct checkout *c, const git_blob *blob)
{
	_cleanup_free_ char *target =
		xstrndup(git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));

	return symlink(target, c->temp);
}

int checkout_put_file(struct checkout *c, int fd, const char *name, const git_tree_entry *entry)
{
	bool link = git_tree_entry_filemode(entry) == GIT_FILEMODE_LINK;
	git_blob *blob = NULL;
	struct stat st;
	int rc;

	if (c->full && fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    (link ? same_link(fd, name, entry) : same_file(fd, name, entry, &st)))
		return 0;
	if (clear_folder(c, fd, name) < 0 || read_blob(c, entry, &blob) < 0)
		return -1;
	unlink(c->temp);
	rc = link ? write_link(c, blob) : write_file(c, blob, mode_of(entry));
	git_blob_free(blob);
	if (rc < 0 || renameat(AT_FDCWD, c->temp, fd, name) < 0) {
		fail(c, "write");
		unlink(c->temp);
		return -1;
	}
	c->stats.written++;
	return 0;
}
