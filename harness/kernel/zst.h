/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files compressed by zstd: logs and .configs.
 */
#ifndef LKP_ZST_H
#define LKP_ZST_H

#include <stddef.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

/* Writes the bytes compressed, atomically. */
int zst_write(const char *path, const void *data, size_t n, struct err *err);
/* Appends the file's text; over cap bytes when unpacked, or no such file: an error. */
int zst_read(const char *path, size_t cap, struct str *ret, struct err *err);

#endif
