/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and folders. Errors are of kind INFRA and name the path.
 */
#ifndef LKP_FS_H
#define LKP_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

/* Appends the file's bytes to ret; more than cap bytes is an error of kind USER. */
int fs_read(const char *path, size_t cap, struct str *ret, struct err *err);
/* The same relative to dirfd (openat2 RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS; where the kernel has
 * no openat2, component by component with O_NOFOLLOW); regular files only: for folders a guest
 * wrote. */
int fs_read_beneath(int dirfd, const char *path, size_t cap, struct str *ret, struct err *err);
/* Writes a temporary file beside path, fsyncs it, renames it over path, fsyncs the folder. */
int fs_write_atomic(const char *path, const void *data, size_t n, mode_t mode, struct err *err);
/* mkdir -p with mode 0755 (subject to umask). */
int fs_mkdirs(const char *path, struct err *err);
/* rm -r without following links; a missing path is fine; never crosses a mount. */
int fs_remove_tree(const char *path, struct err *err);
/* Copies the bytes and permission bits of a regular file. */
int fs_copy(const char *from, const char *to, struct err *err);
/* chown -R without following links. */
int fs_chown_tree(const char *path, uid_t uid, gid_t gid, struct err *err);
/* rename() within a file system, then fsync of the target's folder. */
int fs_rename(const char *from, const char *to, struct err *err);
bool fs_exists(const char *path);
bool fs_is_dir(const char *path);
/* An exclusive lock on path (created when missing), held until the descriptor is closed. wait=false
 * and locked elsewhere: -1, kind USER, cause "locked". */
int fs_lock(const char *path, bool wait, int *ret_fd, struct err *err);
/* Total size in bytes of the regular files below path. */
int fs_tree_size(const char *path, unsigned long long *ret, struct err *err);
/* Names in a folder without "." and "..", sorted bytewise; NULL-terminated vector. */
int fs_list(const char *path, char ***ret, struct err *err);
/* Expands a leading "~/" and $NAME / ${NAME}; an unset name is an error of kind USER. */
int fs_expand(const char *path, struct str *ret, struct err *err);

#endif
