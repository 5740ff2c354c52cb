/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/zst.h"

#include <zstd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define LEVEL 3

int zst_write(const char *path, const void *data, size_t n, struct err *err)
{
	size_t cap = ZSTD_compressBound(n);
	_cleanup_free_ char *packed = xmalloc(cap);
	size_t len = ZSTD_compress(packed, cap, data, n, LEVEL);
	if (ZSTD_isError(len))
		return err_set(err, ERR_INFRA, "%s: zstd: %s", path, ZSTD_getErrorName(len));
	return fs_write_atomic(path, packed, len, 0644, err);
}

int zst_read(const char *path, size_t cap, struct str *ret, struct err *err)
{
	_cleanup_str_ struct str packed = STR_INIT;
	if (fs_read(path, cap, &packed, err) < 0)
		return -1;
	/* Written in one piece, so the frame names its size. */
	unsigned long long size = ZSTD_getFrameContentSize(packed.buf, packed.len);
	if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > cap)
		return err_set(err, ERR_INFRA, "%s: no zstd file of at most %zu bytes", path, cap);
	_cleanup_free_ char *text = xmalloc(size + 1);
	size_t n = ZSTD_decompress(text, size, packed.buf, packed.len);
	if (ZSTD_isError(n))
		return err_set(err, ERR_INFRA, "%s: zstd: %s", path, ZSTD_getErrorName(n));
	str_addn(ret, text, n);
	return 0;
}
