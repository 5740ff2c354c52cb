/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file systems that PID 1 of an initramfs mounts for itself.
 */
#ifndef LKP_AGENT_MOUNTS_H
#define LKP_AGENT_MOUNTS_H

#include "harness/util/err.h"

/* /proc, /sys, /dev and tmpfs on /tmp and /result. Those that the kernel already mounted stay. */
int mounts_base(struct err *err);

/* Mounts the 9p share `tag` on `folder` (made when missing). */
int mounts_share(const char *tag, const char *folder, struct err *err);

#endif
