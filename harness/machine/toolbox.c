/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/toolbox.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/machine/initrd.h"
#include "harness/machine/toolbox_parts.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/str.h"

#define PART_CAP (256u << 20)
#define MODE	 0755

static const char *const folders[] = {"lkp", "lkp/bin", "lkp/lib"};

void toolbox_done(struct toolbox *toolbox)
{
	free(toolbox->folder);
	free(toolbox->cpio);
	*toolbox = (struct toolbox){0};
}

/* A hash of where the parts lie and of what stat() says about them. */
static int parts_key(const struct toolbox_parts *parts, char key[HASH_HEX_LEN + 1], struct err *err)
{
	_cleanup_str_ struct str s = STR_INIT;
	struct stat st;

	for (size_t i = 0; i < parts->n; i++) {
		if (stat(parts->part[i].from, &st) < 0)
			return err_errno(err, "cannot read %s", parts->part[i].from);
		str_addf(&s, "%s\n%s\n%ju %ju %jd.%09ld\n", parts->part[i].from, parts->part[i].to,
			 (uintmax_t)st.st_ino, (uintmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
			 st.st_mtim.tv_nsec);
	}
	hash_bytes(s.buf, s.len, key);
	return 0;
}

static int write_part(const char *path, const struct str *bytes, struct err *err)
{
	_cleanup_fclose_ FILE *f = fopen(path, "we");

	if (!f || fwrite(bytes->buf, 1, bytes->len, f) != bytes->len || fflush(f) == EOF ||
	    fchmod(fileno(f), MODE) < 0)
		return err_errno(err, "cannot write %s", path);
	return 0;
}

static int copy_part(const struct toolbox_part *part, const char *tree, struct hash *hash,
		     struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", tree, part->to);
	_cleanup_free_ char *head = NULL;
	_cleanup_str_ struct str bytes = STR_INIT;

	if (fs_read(part->from, PART_CAP, &bytes, err) < 0)
		return -1;
	head = xasprintf("%s\n%o %zu\n", part->to, MODE, bytes.len);
	hash_add(hash, head, strlen(head));
	hash_add(hash, bytes.buf, bytes.len);
	return write_part(path, &bytes, err);
}

static int fill_tree(const char *tree, const struct toolbox_parts *parts, struct hash *hash,
		     char ***names, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", tree, folders[i]);

		if (fs_mkdirs(path, err) < 0)
			return -1;
		if (chmod(path, MODE) < 0)
			return err_errno(err, "cannot chmod %s", path);
		strv_add(names, folders[i]);
	}
	for (size_t i = 0; i < parts->n; i++) {
		if (proc_check_cancel(err) < 0 || copy_part(&parts->part[i], tree, hash, err) < 0)
			return -1;
		strv_add(names, parts->part[i].to);
	}
	return 0;
}

/* Everything below `folder`, and the id that it gets. */
static int build(const char *folder, const struct toolbox_parts *parts, char *ret_id,
		 struct err *err)
{
	_cleanup_free_ char *tree = xasprintf("%s/" TOOLBOX_TREE, folder);
	_cleanup_free_ char *cpio = xasprintf("%s/" TOOLBOX_CPIO, folder);
	_cleanup_strv_ char **names = NULL;
	struct hash *hash = hash_new();
	int status = fill_tree(tree, parts, hash, &names, err);

	hash_finish(hash, ret_id);
	if (status == 0)
		status = initrd_pack(tree, names, cpio, err);
	return status;
}

static void name_it(struct toolbox *t, const char *base)
{
	t->folder = xasprintf("%s/%s", base, t->id);
	t->cpio = xasprintf("%s/" TOOLBOX_CPIO, t->folder);
}

static int make(const char *base, const struct toolbox_parts *parts, const char *key_file,
		struct toolbox *ret, struct err *err)
{
	_cleanup_free_ char *part = xasprintf("%s/.part", base);
	struct toolbox t = {0};
	int status;

	/* Under the lock: what is there is a dead process's. */
	if (fs_remove_tree(part, err) < 0)
		return -1;
	status = build(part, parts, t.id, err);
	if (status == 0) {
		name_it(&t, base);
		if (!fs_exists(t.cpio))
			status = fs_rename(part, t.folder, err);
	}
	if (fs_remove_tree(part, status < 0 ? NULL : err) < 0)
		status = -1;
	if (status == 0)
		status = fs_write_atomic(key_file, t.id, HASH_HEX_LEN, 0644, err);
	if (status < 0)
		toolbox_done(&t);
	else
		*ret = t;
	return status;
}

/* True when the same sources made a toolbox that is still there. */
static bool find_made(const char *base, const char *key_file, struct toolbox *ret)
{
	_cleanup_str_ struct str id = STR_INIT;
	struct toolbox t = {0};

	if (fs_read(key_file, HASH_HEX_LEN, &id, NULL) < 0 || id.len != HASH_HEX_LEN ||
	    strspn(id.buf, "0123456789abcdef") != HASH_HEX_LEN)
		return false;
	snprintf(t.id, sizeof(t.id), "%s", id.buf);
	name_it(&t, base);
	if (fs_exists(t.cpio)) {
		*ret = t;
		return true;
	}
	toolbox_done(&t);
	return false;
}

static int find_or_make(const struct toolbox_parts *parts, const char *base, struct toolbox *ret,
			struct err *err)
{
	char key[HASH_HEX_LEN + 1];
	_cleanup_free_ char *keys = xasprintf("%s/by-key", base);
	_cleanup_free_ char *lock = xasprintf("%s/.lock", base);
	_cleanup_free_ char *key_file = NULL;
	_cleanup_close_ int fd = -1;

	if (parts_key(parts, key, err) < 0)
		return -1;
	key_file = xasprintf("%s/%s", keys, key);
	if (find_made(base, key_file, ret))
		return 0;
	if (fs_mkdirs(keys, err) < 0 || fs_lock(lock, true, &fd, err) < 0)
		return -1;
	if (find_made(base, key_file, ret))
		return 0;
	return make(base, parts, key_file, ret, err);
}

int toolbox_make_from(const char *programs, const char *perf, const char *cache,
		      struct toolbox *ret, struct err *err)
{
	_cleanup_free_ char *base = xasprintf("%s/toolbox", cache);
	struct toolbox_parts parts;
	int status;

	if (toolbox_parts_find(programs, perf, &parts, err) < 0)
		return err_wrap(err, "cannot make the toolbox");
	status = find_or_make(&parts, base, ret, err);
	toolbox_parts_done(&parts);
	return status < 0 ? err_wrap(err, "cannot make the toolbox") : 0;
}

int toolbox_make(const char *cache, struct toolbox *ret, struct err *err)
{
	_cleanup_free_ char *perf = proc_which("perf"), *programs = NULL;

	if (!perf)
		return err_set(err, ERR_USER,
			       "perf is not installed; install the package linux-perf");
	if (toolbox_programs(&programs, err) < 0)
		return -1;
	return toolbox_make_from(programs, perf, cache, ret, err);
}
