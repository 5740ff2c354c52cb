/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/mounts.h"

#include <errno.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "harness/util/mem.h"

static const struct mount_row {
	const char *type, *folder, *options;
	unsigned long flags;
} base_mounts[] = {
	{"devtmpfs", "/dev", "mode=0755", MS_NOSUID},
	{"proc", "/proc", NULL, MS_NOSUID | MS_NODEV | MS_NOEXEC},
	{"sysfs", "/sys", NULL, MS_NOSUID | MS_NODEV | MS_NOEXEC},
	{"tmpfs", "/tmp", "mode=1777", MS_NOSUID | MS_NODEV},
	{"tmpfs", "/result", "mode=0755", MS_NOSUID | MS_NODEV},
};

static int mount_one(const struct mount_row *row, struct err *err)
{
	if (mkdir(row->folder, 0755) < 0 && errno != EEXIST)
		return err_errno(err, "%s: cannot make the folder", row->folder);
	if (mount(row->type, row->folder, row->type, row->flags, row->options) < 0 &&
	    errno != EBUSY)
		return err_errno(err, "%s: cannot mount %s", row->folder, row->type);
	return 0;
}

int mounts_base(struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(base_mounts); i++)
		if (mount_one(&base_mounts[i], err) < 0)
			return -1;
	return 0;
}

int mounts_share(const char *tag, const char *folder, struct err *err)
{
	const char *options = "version=9p2000.L,trans=virtio,msize=524288";

	if (mkdir(folder, 0755) < 0 && errno != EEXIST)
		return err_errno(err, "%s: cannot make the folder", folder);
	if (mount(tag, folder, "9p", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) < 0)
		return err_errno(err, "%s: cannot mount the 9p share \"%s\"", folder, tag);
	return 0;
}
