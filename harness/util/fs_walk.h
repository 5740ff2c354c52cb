/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks a tree of files that may be hostile: links are never followed, mounts never entered, and
 * one descriptor is held however deep it is.
 */
#ifndef LKP_FS_WALK_H
#define LKP_FS_WALK_H

#include <sys/stat.h>

#include "harness/util/err.h"

/* Gets each entry as a name in dirfd, folders after what is in them. Returns 0, or -1 with errno.
 */
typedef int fs_visit_fn(int dirfd, const char *name, const struct stat *st, void *arg);

/* Visits path and, when it is a folder, all below it. `doing` ("remove", "measure") is the verb of
 * messages. A mount below path is an error, and so is a folder that is moved away meanwhile. */
int fs_walk(const char *path, const char *doing, fs_visit_fn *visit, void *arg, struct err *err);

/* The names in the folder fd without "." and "..", in no order; NULL-terminated, the caller frees
 * it. Returns 0, or -1 with errno. */
int fs_names(int fd, char ***ret);

#endif
