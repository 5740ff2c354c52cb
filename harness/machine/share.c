/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/share.h"

#include <errno.h>

#include "harness/util/fs_walk.h"

#define BLOCK 512 /* unit of st_blocks */

struct count {
	uint64_t bytes, files;
	bool over;
};

static int add(int dirfd, const char *name, const struct stat *st, void *arg)
{
	struct count *count = arg;

	(void)dirfd, (void)name;
	count->bytes += (uint64_t)st->st_blocks * BLOCK;
	count->over |= ++count->files > SHARE_FILES_MAX || count->bytes > SHARE_BYTES_MAX;
	errno = E2BIG;
	return count->over ? -1 : 0;
}

bool share_over(const char *folder)
{
	struct count count = {0};
	struct err ignored = ERR_INIT;

	/* Files come and go while it is walked: only what was counted is known. */
	fs_walk(folder, "measure", add, &count, &ignored);
	return count.over;
}
