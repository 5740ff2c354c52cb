/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define NAME_CAP 64

static void add_holder(struct str *ret, int pid)
{
	_cleanup_free_ char *path = xasprintf("/proc/%d/comm", pid);
	_cleanup_free_ char *id = xasprintf("process %d", pid);
	_cleanup_str_ struct str name = STR_INIT;
	struct err ignored = ERR_INIT;

	if (strstr(ret->buf, id))
		return;
	if (fs_read(path, NAME_CAP, &name, &ignored) < 0)
		str_add(&name, "?");
	str_rtrim(&name);
	str_add(ret, ret->len ? ", " : "");
	str_add_safe(ret, name.buf, name.len);
	str_addf(ret, " (%s)", id);
}

void db_lock_holders(const char *path, struct str *ret)
{
	_cleanup_fclose_ FILE *locks = fopen("/proc/locks", "re");
	struct stat st;
	char line[256];

	if (!locks || stat(path, &st) < 0)
		return;
	while (fgets(line, sizeof(line), locks)) {
		unsigned int major, minor;
		unsigned long inode;
		int pid;
		/* "1: FLOCK  ADVISORY  WRITE 708 08:01:131 0 EOF"; "->" marks who waits. */
		if (sscanf(line, "%*d: %*s %*s %*s %d %x:%x:%lu", &pid, &major, &minor, &inode) !=
		    4)
			continue;
		if (pid > 0 && pid != getpid() && inode == st.st_ino && major == major(st.st_dev) &&
		    minor == minor(st.st_dev))
			add_holder(ret, pid);
	}
}

static int refuse(const char *path, const char *lock, bool alone, struct err *err)
{
	_cleanup_str_ struct str who = STR_INIT;

	db_lock_holders(lock, &who);
	if (who.len == 0)
		str_add(&who, "another process");
	return err_set_cause(err, ERR_INFRA, "locked",
			     alone ? "%s: is in use by %s; try again when that has ended"
				   : "%s: is being made anew by %s; try again when that has ended",
			     path, who.buf);
}

int db_lock(const char *path, bool alone, bool lenient, int *ret_fd, struct err *err)
{
	_cleanup_free_ char *lock = xasprintf("%s.lock", path);
	_cleanup_close_ int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);

	if (fd < 0)
		fd = open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 && lenient) {
		*ret_fd = -1;
		return 0;
	}
	if (fd < 0)
		return err_errno(err, "cannot open the lock %s", lock);
	while (flock(fd, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK)
			return refuse(path, lock, alone, err);
		if (errno != EINTR)
			return err_errno(err, "cannot lock %s", lock);
	}
	*ret_fd = fd;
	fd = -1;
	return 0;
}
