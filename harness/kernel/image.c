/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/image.h"

#include <sys/stat.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

char *image_path(const char *cache, const char *id, const char *name)
{
	return xasprintf("%s/images/%s/%s", cache, id, name);
}

/* The build writes its next image into the same file, so a copy is kept, never a hard link. */
int image_store(const char *cache, const char *name, const struct str *bytes,
		char ret_id[HASH_HEX_LEN + 1], struct err *err)
{
	char id[HASH_HEX_LEN + 1];
	_cleanup_free_ char *folder = NULL;
	_cleanup_free_ char *path = NULL;

	hash_bytes(bytes->buf, bytes->len, id);
	path = image_path(cache, id, name);
	folder = xasprintf("%s/images/%s", cache, id);
	if (!fs_exists(path)) {
		if (fs_mkdirs(folder, err) < 0)
			return -1;
		if (chmod(folder, 0755) < 0)
			return err_errno(err, "cannot set the mode of %s", folder);
		if (fs_write_atomic(path, bytes->buf, bytes->len, 0644, err) < 0)
			return -1;
	}
	memcpy(ret_id, id, sizeof(id));
	return 0;
}
