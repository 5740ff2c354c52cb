/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/fs_walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/util/mem.h"
#include "harness/util/str.h"

struct level {
	char **names;	 /* of the folder's entries */
	size_t next;	 /* index of the one to come */
	struct stat st;	 /* of the folder */
	size_t path_len; /* of its parent's path */
};

struct walk {
	fs_visit_fn *visit;
	void *arg;
	const char *doing;
	struct level *levels;
	size_t n, cap;
	int fd;		 /* the folder of the last level; -1 when there is none */
	struct str path; /* and its path, for messages */
};

int fs_names(int fd, char ***ret)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	size_t n = 0, cap = 0;
	char **names = NULL;
	struct dirent *entry;
	int code;

	if (!dir) {
		if (own >= 0)
			close(own);
		return -1;
	}
	mem_grow(&names, &cap, 1, sizeof(*names));
	while (errno = 0, (entry = readdir(dir))) {
		if (streq(entry->d_name, ".") || streq(entry->d_name, ".."))
			continue;
		mem_grow(&names, &cap, n + 2, sizeof(*names));
		names[n++] = xstrdup(entry->d_name);
	}
	code = errno;
	names[n] = NULL;
	closedir(dir);
	if (code) {
		strv_free(names);
		errno = code;
		return -1;
	}
	*ret = names;
	return 0;
}

/* The kernel's check also sees a bind mount of the same file system; st_dev, for kernels
 * before 5.6, does not. The root of the walk may be reached over any mount. */
static int open_folder(const struct walk *w, const char *name)
{
	struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS,
	};
	struct stat st;
	int fd;

	if (w->fd < 0)
		return open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	fd = (int)syscall(SYS_openat2, w->fd, name, &how, sizeof(how));
	if (fd >= 0 || errno != ENOSYS)
		return fd;
	fd = openat(w->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == w->levels[w->n - 1].st.st_dev)
		return fd;
	if (fd >= 0) {
		close(fd);
		errno = EXDEV;
	}
	return -1;
}

static int fail(const struct walk *w, const char *name, struct err *err)
{
	const char *why = errno == EXDEV ? " (something is mounted there: unmount it)" : "";

	return err_errno(err, "cannot %s %s%s%s%s", w->doing, w->path.buf, name ? "/" : "",
			 name ? name : "", why);
}

static int enter(struct walk *w, const char *name, struct err *err)
{
	struct level level = {.path_len = w->path.len};
	int fd = open_folder(w, name);

	if (fd < 0)
		return fail(w, w->n ? name : NULL, err);
	if (fstat(fd, &level.st) < 0 || fs_names(fd, &level.names) < 0) {
		fail(w, w->n ? name : NULL, err);
		close(fd);
		return -1;
	}
	if (w->fd >= 0) {
		close(w->fd);
		str_addf(&w->path, "/%s", name);
	}
	w->fd = fd;
	mem_grow(&w->levels, &w->cap, w->n + 1, sizeof(*w->levels));
	w->levels[w->n++] = level;
	return 0;
}

/* Goes back up by "..", which is only right when it leads to the folder we came from. */
static int leave(struct walk *w, const char *root, struct err *err)
{
	struct level level = w->levels[--w->n];
	const struct level *up = w->n ? &w->levels[w->n - 1] : NULL;
	int fd = -1;
	struct stat st;

	strv_free(level.names);
	if (up) {
		fd = openat(w->fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &st) < 0 || st.st_dev != up->st.st_dev ||
		    st.st_ino != up->st.st_ino) {
			if (fd >= 0)
				close(fd);
			return err_set(err, ERR_INFRA,
				       "cannot %s %s: it was moved meanwhile; try again", w->doing,
				       w->path.buf);
		}
	}
	close(w->fd);
	w->fd = fd;
	str_cut(&w->path, level.path_len);
	if (w->visit(up ? fd : AT_FDCWD, up ? up->names[up->next - 1] : root, &level.st, w->arg) <
	    0)
		return fail(w, up ? up->names[up->next - 1] : NULL, err);
	return 0;
}

static int step(struct walk *w, const char *root, struct err *err)
{
	struct level *level = &w->levels[w->n - 1];
	const char *name = level->names[level->next];
	struct stat st;

	if (!name)
		return leave(w, root, err);
	level->next++;
	if (fstatat(w->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : fail(w, name, err);
	if (S_ISDIR(st.st_mode))
		return enter(w, name, err);
	return w->visit(w->fd, name, &st, w->arg) < 0 ? fail(w, name, err) : 0;
}

int fs_walk(const char *path, const char *doing, fs_visit_fn *visit, void *arg, struct err *err)
{
	struct walk w = {.visit = visit, .arg = arg, .doing = doing, .fd = -1, .path = STR_INIT};
	struct stat st;
	int status = 0;

	str_add(&w.path, path);
	if (lstat(path, &st) < 0)
		status = fail(&w, NULL, err);
	else if (S_ISDIR(st.st_mode))
		status = enter(&w, path, err);
	else if (visit(AT_FDCWD, path, &st, arg) < 0)
		status = fail(&w, NULL, err);
	while (status == 0 && w.n)
		status = step(&w, path, err);
	while (w.n)
		strv_free(w.levels[--w.n].names);
	if (w.fd >= 0)
		close(w.fd);
	free(w.levels);
	str_done(&w.path);
	return status;
}
