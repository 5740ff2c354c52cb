/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/fs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/util/fs_temp.h"
#include "harness/util/fs_walk.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

static int read_all(int fd, const char *path, size_t cap, struct str *ret, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	char block[32768];
	ssize_t n;

	while ((n = read(fd, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(err, "cannot read %s", path);
		if ((size_t)n > cap - text.len)
			return err_set(err, ERR_USER, "%s is larger than the %zu bytes allowed",
				       path, cap);
		str_addn(&text, block, (size_t)n);
	}
	str_addn(ret, text.buf, text.len);
	return 0;
}

int fs_read(const char *path, size_t cap, struct str *ret, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return err_errno(err, "cannot open %s", path);
	return read_all(fd, path, cap, ret, err);
}

/* A fifo must not block the open, nor a terminal become ours. */
#define OPEN_HOSTILE (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* For kernels before 5.6: every folder on the way is opened without following a link. */
static int open_by_steps(int dirfd, const char *path)
{
	_cleanup_free_ char *copy = xstrdup(path);
	_cleanup_close_ int at = -1;
	char *name = copy, *slash;

	while ((slash = strchr(name, '/'))) {
		int fd;

		*slash = '\0';
		if (*name) {
			fd = openat(at < 0 ? dirfd : at, name,
				    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (fd < 0)
				return -1;
			cleanup_close(&at);
			at = fd;
		}
		name = slash + 1;
	}
	return openat(at < 0 ? dirfd : at, name, OPEN_HOSTILE);
}

static int open_beneath(int dirfd, const char *path)
{
	struct open_how how = {
		.flags = OPEN_HOSTILE,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, dirfd, path, &how, sizeof(how));

	return fd < 0 && errno == ENOSYS ? open_by_steps(dirfd, path) : fd;
}

static bool plain_relative(const char *path)
{
	if (*path == '/' || !*path)
		return false;
	for (; *path; path += strspn(path, "/")) {
		size_t n = strcspn(path, "/");

		if (n == 2 && path[0] == '.' && path[1] == '.')
			return false;
		path += n;
	}
	return true;
}

int fs_read_beneath(int dirfd, const char *path, size_t cap, struct str *ret, struct err *err)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (!plain_relative(path))
		return err_set(err, ERR_INFRA,
			       "refused to read \"%s\": it must be a relative path without ..",
			       path);
	fd = open_beneath(dirfd, path);
	if (fd < 0)
		return err_errno(err, "cannot open %s (links are not followed)", path);
	if (fstat(fd, &st) < 0)
		return err_errno(err, "cannot stat %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_INFRA, "refused to read %s: it is no regular file", path);
	return read_all(fd, path, cap, ret, err);
}

int fs_write_atomic(const char *path, const void *data, size_t n, mode_t mode, struct err *err)
{
	struct fs_temp t;

	if (fs_temp_open(&t, path, err) < 0)
		return err_wrap(err, "cannot write %s", path);
	if (fs_temp_write(&t, data, n) < 0) {
		err_errno(err, "cannot write %s", path);
		return fs_temp_drop(&t);
	}
	return fs_temp_commit(&t, path, mode, err);
}

static int copy_bytes(int from, struct fs_temp *to)
{
	char block[65536];
	ssize_t n;

	while ((n = read(from, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || fs_temp_write(to, block, (size_t)n) < 0)
			return -1;
	}
	return 0;
}

int fs_copy(const char *from, const char *to, struct err *err)
{
	_cleanup_close_ int fd = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	struct fs_temp t;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_errno(err, "cannot open %s", from);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_INFRA, "cannot copy %s: it is no regular file", from);
	if (fs_temp_open(&t, to, err) < 0)
		return err_wrap(err, "cannot write %s", to);
	if (copy_bytes(fd, &t) < 0) {
		err_errno(err, "cannot copy %s to %s", from, to);
		return fs_temp_drop(&t);
	}
	return fs_temp_commit(&t, to, st.st_mode & 07777, err);
}

int fs_mkdirs(const char *path, struct err *err)
{
	_cleanup_free_ char *copy = xstrdup(path);

	for (char *p = copy; *p; p++) {
		char kept;

		p += strspn(p, "/");
		p += strcspn(p, "/");
		kept = *p;
		*p = '\0';
		if (mkdir(copy, 0755) < 0) {
			int code = errno;

			if (!fs_is_dir(copy)) {
				errno = code;
				return err_errno(err, "cannot make the folder %s", copy);
			}
		}
		*p = kept;
		if (!kept)
			break;
	}
	return 0;
}

static int visit_remove(int dirfd, const char *name, const struct stat *st, void *arg)
{
	(void)arg;
	if (unlinkat(dirfd, name, S_ISDIR(st->st_mode) ? AT_REMOVEDIR : 0) == 0)
		return 0;
	return errno == ENOENT ? 0 : -1;
}

int fs_remove_tree(const char *path, struct err *err)
{
	struct stat st;

	if (lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	return fs_walk(path, "remove", visit_remove, NULL, err);
}

struct owner {
	uid_t uid;
	gid_t gid;
};

static int visit_chown(int dirfd, const char *name, const struct stat *st, void *arg)
{
	const struct owner *owner = arg;

	(void)st;
	return fchownat(dirfd, name, owner->uid, owner->gid, AT_SYMLINK_NOFOLLOW);
}

int fs_chown_tree(const char *path, uid_t uid, gid_t gid, struct err *err)
{
	struct owner owner = {uid, gid};

	return fs_walk(path, "change the owner of", visit_chown, &owner, err);
}

static int visit_size(int dirfd, const char *name, const struct stat *st, void *arg)
{
	unsigned long long *sum = arg;

	(void)dirfd;
	(void)name;
	if (S_ISREG(st->st_mode))
		*sum += (unsigned long long)st->st_size;
	return 0;
}

int fs_tree_size(const char *path, unsigned long long *ret, struct err *err)
{
	unsigned long long sum = 0;

	if (fs_walk(path, "measure", visit_size, &sum, err) < 0)
		return -1;
	*ret = sum;
	return 0;
}

int fs_rename(const char *from, const char *to, struct err *err)
{
	if (rename(from, to) < 0)
		return err_errno(err, "cannot rename %s to %s", from, to);
	return fs_sync_folder_of(to, err);
}

bool fs_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

bool fs_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int fs_lock(const char *path, bool wait, int *ret_fd, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);

	if (fd < 0)
		return err_errno(err, "cannot open the lock %s", path);
	while (flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)) < 0) {
		if (errno == EWOULDBLOCK)
			return err_set_cause(err, ERR_USER, "locked",
					     "%s is locked by another process; wait for it to end",
					     path);
		if (errno != EINTR)
			return err_errno(err, "cannot lock %s", path);
		if (proc_check_cancel(err) < 0)
			return -1;
	}
	*ret_fd = fd;
	fd = -1;
	return 0;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int fs_list(const char *path, char ***ret, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char **names;

	if (fd < 0 || fs_names(fd, &names) < 0)
		return err_errno(err, "cannot list %s", path);
	qsort(names, strv_len(names), sizeof(*names), by_bytes);
	*ret = names;
	return 0;
}

/* Appends the value of the variable whose name is the n bytes at name. */
static int add_variable(struct str *s, const char *path, const char *name, size_t n,
			struct err *err)
{
	_cleanup_free_ char *key = xstrndup(name, n);
	const char *value = n ? getenv(key) : NULL;

	if (!n)
		return err_set(err, ERR_USER, "%s: a $ must be followed by NAME or {NAME}", path);
	if (!value)
		return err_set(err, ERR_USER, "%s: $%s is not set in the environment", path, key);
	str_add(s, value);
	return 0;
}

static size_t name_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

int fs_expand(const char *path, struct str *ret, struct err *err)
{
	_cleanup_str_ struct str s = STR_INIT;
	const char *p = path;

	if (p[0] == '~' && (p[1] == '/' || !p[1])) {
		if (add_variable(&s, path, "HOME", 4, err) < 0)
			return -1;
		p++;
	}
	while (*p) {
		bool braces = p[0] == '$' && p[1] == '{';
		const char *name = p + (braces ? 2 : 1);
		size_t n = name_length(name);

		if (*p != '$') {
			str_addc(&s, *p++);
			continue;
		}
		if (braces && name[n] != '}')
			n = 0;
		if (add_variable(&s, path, name, n, err) < 0)
			return -1;
		p = name + n + braces;
	}
	str_addn(ret, s.buf, s.len);
	return 0;
}
