/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file on its way to a name: bytes go to a temporary file beside it, which takes the name only
 * when it is whole and on the disk. After fs_temp_open(), exactly one of commit and drop ends it.
 */
#ifndef LKP_FS_TEMP_H
#define LKP_FS_TEMP_H

#include <stddef.h>
#include <sys/types.h>

#include "harness/util/err.h"

struct fs_temp {
	char *name;
	int fd;
};

int fs_temp_open(struct fs_temp *t, const char *path, struct err *err);
/* Returns 0, or -1 with errno. */
int fs_temp_write(struct fs_temp *t, const void *data, size_t n);
/* Gives it the mode and the name. On failure nothing of it is left. */
int fs_temp_commit(struct fs_temp *t, const char *path, mode_t mode, struct err *err);
/* Removes it; keeps errno and returns -1. */
int fs_temp_drop(struct fs_temp *t);

/* fsync() of the folder that path is in. */
int fs_sync_folder_of(const char *path, struct err *err);

#endif
