/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/journal_doc.h"

#include <string.h>
#include <zstd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define LEVEL 1 /* an import should not wait for it */

static char *path_of(const struct journal *j, const char *sha256)
{
	return xasprintf("%s/imports/%s.json.zst", journal_folder(j), sha256);
}

bool journal_doc_exists(const struct journal *j, const char *text, size_t n)
{
	char hex[HASH_HEX_LEN + 1];

	hash_bytes(text, n, hex);
	_cleanup_free_ char *path = path_of(j, hex);
	return fs_exists(path);
}

int journal_doc_put(const struct journal *j, const char *text, size_t n, char ret[HASH_HEX_LEN + 1],
		    struct err *err)
{
	_cleanup_free_ char *folder = xasprintf("%s/imports", journal_folder(j));
	_cleanup_free_ char *packed = NULL;
	char hex[HASH_HEX_LEN + 1];
	size_t size = ZSTD_compressBound(n);

	hash_bytes(text, n, hex);
	_cleanup_free_ char *path = path_of(j, hex);
	if (!fs_exists(path)) {
		packed = xmalloc(size);
		size = ZSTD_compress(packed, size, text, n, LEVEL);
		if (ZSTD_isError(size))
			return err_set(err, ERR_INFRA, "%s: %s", path, ZSTD_getErrorName(size));
		if (fs_mkdirs(folder, err) < 0 ||
		    fs_write_atomic(path, packed, size, 0644, err) < 0)
			return -1;
	}
	memcpy(ret, hex, sizeof(hex));
	return 0;
}

static int unpack(const char *path, const struct str *packed, size_t cap, struct str *ret,
		  struct err *err)
{
	unsigned long long size = ZSTD_getFrameContentSize(packed->buf, packed->len);

	if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > cap)
		return err_set(err, ERR_USER, "%s: is no import of ours", path);
	_cleanup_free_ char *text = xmalloc((size_t)size + 1);
	if (ZSTD_decompress(text, (size_t)size, packed->buf, packed->len) != size)
		return err_set(err, ERR_USER, "%s: is damaged", path);
	str_addn(ret, text, (size_t)size);
	return 0;
}

int journal_doc_get(const struct journal *j, const char *sha256, size_t cap, struct str *ret,
		    struct err *err)
{
	_cleanup_str_ struct str packed = STR_INIT, text = STR_INIT;
	char hex[HASH_HEX_LEN + 1];

	if (strlen(sha256) != HASH_HEX_LEN || strspn(sha256, "0123456789abcdef") != HASH_HEX_LEN)
		return err_set(err, ERR_USER, "an import's name is no SHA-256");
	_cleanup_free_ char *path = path_of(j, sha256);
	if (!fs_exists(path))
		return err_set(err, ERR_USER, "%s: is missing; restore it from a backup", path);
	if (fs_read(path, ZSTD_compressBound(cap), &packed, err) < 0 ||
	    unpack(path, &packed, cap, &text, err) < 0)
		return -1;
	hash_bytes(text.buf, text.len, hex);
	if (!streq(hex, sha256))
		return err_set(err, ERR_USER, "%s: is damaged; restore it from a backup", path);
	str_addn(ret, text.buf, text.len);
	return 0;
}
