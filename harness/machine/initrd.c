/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/initrd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/str.h"

/* cpio stores the times of files, and knows no option against it. */
static int set_times(const char *root, const char *name, struct err *err)
{
	const struct timespec epoch[2] = {{0}, {0}};
	_cleanup_free_ char *path = xasprintf("%s/%s", root, name);

	if (utimensat(AT_FDCWD, path, epoch, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(err, "cannot set the time of %s", path);
	return 0;
}

static int run_cpio(const char *root, const struct str *list, const char *to, struct err *err)
{
	const char *const argv[] = {"cpio",
				    "--create",
				    "--format=newc",
				    "--reproducible",
				    "--owner=+0:+0",
				    "--null",
				    "--quiet",
				    "--file",
				    to,
				    NULL};
	_cleanup_str_ struct str out = STR_INIT;
	const struct proc_spec spec = {
		.argv = argv,
		.cwd = root,
		.input = list->buf,
		.input_len = list->len,
		.out = &out,
	};
	struct proc_result result;

	if (proc_run(&spec, &result, err) < 0)
		return -1;
	if (result.status == PROC_CANCELLED && proc_check_cancel(err) < 0)
		return -1;
	if (result.status == PROC_EXITED && result.code == 0)
		return 0;
	str_rtrim(&out);
	return err_set(err, ERR_INFRA, "cpio could not write %s (disk full?): %s", to, out.buf);
}

int initrd_pack(const char *root, char *const *names, const char *to, struct err *err)
{
	_cleanup_str_ struct str list = STR_INIT;

	for (; *names; names++) {
		if (set_times(root, *names, err) < 0)
			return -1;
		str_addn(&list, *names, strlen(*names) + 1);
	}
	return run_cpio(root, &list, to, err);
}

int initrd_append(int to, const char *from, struct err *err)
{
	_cleanup_close_ int fd = open(from, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return err_errno(err, "cannot open %s", from);
	while ((n = sendfile(to, fd, NULL, 1 << 30)) != 0)
		if (n < 0 && errno != EINTR)
			return err_errno(err, "cannot copy %s", from);
	return 0;
}

static int write_file(const char *path, const char *text, struct err *err)
{
	_cleanup_fclose_ FILE *f = fopen(path, "we");
	int bad;

	if (!f)
		return err_errno(err, "cannot write %s", path);
	bad = fputs(text, f) == EOF;
	if (fflush(f) == EOF || bad)
		return err_errno(err, "cannot write %s", path);
	return fchmod(fileno(f), 0644) < 0 ? err_errno(err, "cannot chmod %s", path) : 0;
}

static int pack_job(const char *staging, const char *job, int to, struct err *err)
{
	_cleanup_free_ char *folder = xasprintf("%s/root/lkp", staging);
	_cleanup_free_ char *root = xasprintf("%s/root", staging);
	_cleanup_free_ char *file = xasprintf("%s/job.json", folder);
	_cleanup_free_ char *cpio = xasprintf("%s/job.cpio", staging);
	char *const names[] = {"lkp", "lkp/job.json", NULL};

	if (fs_mkdirs(folder, err) < 0 || write_file(file, job, err) < 0 ||
	    chmod(folder, 0755) < 0 || initrd_pack(root, names, cpio, err) < 0)
		return -1;
	return initrd_append(to, cpio, err);
}

int initrd_for_boot(const char *toolbox_cpio, const char *job, const char *to, struct err *err)
{
	_cleanup_free_ char *staging = xasprintf("%s.d", to);
	_cleanup_close_ int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int status;

	if (fd < 0 || fchmod(fd, 0644) < 0)
		return err_errno(err, "cannot write %s", to);
	if (initrd_append(fd, toolbox_cpio, err) < 0)
		return err_wrap(err, "%s", to);
	status = pack_job(staging, job, fd, err);
	if (fs_remove_tree(staging, status < 0 ? NULL : err) < 0)
		return -1;
	return status;
}
