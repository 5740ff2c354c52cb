/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/fs_temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/util/mem.h"

int fs_temp_write(struct fs_temp *t, const void *data, size_t n)
{
	const char *p = data;

	while (n) {
		ssize_t done = write(t->fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

/* The folder a path is in, as a path. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

int fs_sync_folder_of(const char *path, struct err *err)
{
	_cleanup_free_ char *folder = folder_of(path);
	_cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* Some file systems cannot sync a folder and say EINVAL: there is nothing more to do there.
	 */
	if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL))
		return err_errno(err, "cannot sync the folder %s", folder);
	return 0;
}

int fs_temp_open(struct fs_temp *t, const char *path, struct err *err)
{
	_cleanup_free_ char *folder = folder_of(path);

	t->name = xasprintf("%s/.tmp-XXXXXX", folder);
	t->fd = mkostemp(t->name, O_CLOEXEC);
	if (t->fd >= 0)
		return 0;
	err_errno(err, "cannot create a file in %s", folder);
	free(t->name);
	return -1;
}

int fs_temp_drop(struct fs_temp *t)
{
	int code = errno;

	if (t->fd >= 0)
		close(t->fd);
	unlink(t->name);
	free(t->name);
	errno = code;
	return -1;
}

int fs_temp_commit(struct fs_temp *t, const char *path, mode_t mode, struct err *err)
{
	int fd = t->fd;
	bool ok = fchmod(fd, mode) == 0 && fsync(fd) == 0;

	if (ok) {
		t->fd = -1;
		ok = close(fd) == 0 && rename(t->name, path) == 0;
	}
	if (!ok) {
		err_errno(err, "cannot write %s", path);
		return fs_temp_drop(t);
	}
	free(t->name);
	return fs_sync_folder_of(path, err);
}
