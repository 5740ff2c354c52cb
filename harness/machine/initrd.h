/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Archives that a kernel unpacks as its first file system (cpio, "newc"). A kernel takes several,
 * one behind the other: the toolbox is made once, the job's small one at each boot.
 */
#ifndef LKP_INITRD_H
#define LKP_INITRD_H

#include "harness/util/err.h"

/* Packs the names (relative to root, parents before children) into the file `to` by cpio, such that
 * equal trees give equal bytes: owner 0:0, all times 1970, inodes renumbered. */
int initrd_pack(const char *root, char *const *names, const char *to, struct err *err);

/* Writes toolbox_cpio, and behind it an archive with /lkp/job.json, to the new file `to`, readable
 * by all. Leaves no other file in its folder. */
int initrd_for_boot(const char *toolbox_cpio, const char *job, const char *to, struct err *err);

/* Appends the file `from` to the descriptor; plain bytes, no fsync. */
int initrd_append(int to, const char *from, struct err *err);

#endif
