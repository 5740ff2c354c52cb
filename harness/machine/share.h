/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder that a guest writes its answer into while it runs. What a guest may fill is our disk.
 */
#ifndef LKP_SHARE_H
#define LKP_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#define SHARE_BYTES_MAX (128u << 20) /* of all files together, as they lie on the disk */
#define SHARE_FILE_MAX	(16u << 20)  /* of one file, which QEMU's own limit keeps */
#define SHARE_FILES_MAX 4000

/* Does the folder hold more than an answer ever does? Looks at no more than it takes to know; a
 * folder that is not there holds nothing. */
bool share_over(const char *folder);

#endif
