/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/cache.h"

#include <ctype.h>
#include "harness/kernel/image.h"
#include "harness/kernel/zst.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define RECORD_MAX 65536

static const char *const record_keys[] = {"version",   "commit",  "tree",   "kconfig",
					  "toolchain", "key",	  "ok",	    "image_id",
					  "error",     "seconds", "limits", NULL};

static char *place_folder(const struct cache_place *p)
{
	return xasprintf("%s/kernels/%s/%s", p->cache, p->tree, p->kconfig);
}

/* The path of the record without its ending. "gcc 12.2.0, ld 2.40" -> "gcc-12.2.0-ld-2.40". */
static char *place_stem(const struct cache_place *p)
{
	_cleanup_free_ char *folder = place_folder(p);
	struct str s = STR_INIT;

	str_addf(&s, "%s/%s-", folder, p->commit);
	for (const char *c = p->toolchain; *c; c++)
		if (isalnum((unsigned char)*c) || *c == '.')
			str_addc(&s, *c);
		else if (s.buf[s.len - 1] != '-')
			str_addc(&s, '-');
	return str_detach(&s);
}

static char *vmlinux_path(const struct cache_place *p)
{
	_cleanup_free_ char *stem = place_stem(p);

	return xasprintf("%s.vmlinux", stem);
}

static void fill(const struct cache_place *p, struct kernel *k)
{
	_cleanup_free_ char *stem = place_stem(p);

	snprintf(k->commit, sizeof(k->commit), "%s", p->commit);
	snprintf(k->toolchain, sizeof(k->toolchain), "%s", p->toolchain);
	k->tree = xstrdup(p->tree);
	k->kconfig = xstrdup(p->kconfig);
	k->record = xasprintf("%s.json", stem);
	k->log = xasprintf("%s.log.zst", stem);
	k->config = xasprintf("%s.config.zst", stem);
	k->image = k->ok ? image_path(p->cache, k->image_id, p->image) : NULL;
}

static bool is_image_id(const char *id)
{
	return strlen(id) == HASH_HEX_LEN && strspn(id, "0123456789abcdef") == HASH_HEX_LEN;
}

static int parse(const json_t *json, const struct cache_place *p, struct kernel *ret)
{
	const char *key, *id = "", *error = NULL;
	int64_t version;
	struct kernel k = {0};

	if (json_check_keys(json, "$", record_keys, NULL) < 0 ||
	    json_get_int(json, "$", "version", true, &version, NULL) < 0 || version != 1 ||
	    json_get_str(json, "$", "key", true, &key, NULL) < 0 || !streq(key, p->key) ||
	    json_get_bool(json, "$", "ok", true, &k.ok, NULL) < 0 ||
	    json_get_num(json, "$", "seconds", true, &k.seconds, NULL) < 0 ||
	    json_get_str(json, "$", "image_id", false, &id, NULL) < 0 ||
	    json_get_str(json, "$", "error", false, &error, NULL) < 0)
		return -1;
	if (k.ok ? !is_image_id(id) : !error)
		return -1;
	snprintf(k.image_id, sizeof(k.image_id), "%s", id);
	k.error = k.ok ? NULL : xstrdup(error);
	fill(p, &k);
	*ret = k;
	return 0;
}

int cache_find(const struct cache_place *place, struct kernel *ret, struct err *err)
{
	_cleanup_free_ char *stem = place_stem(place);
	_cleanup_free_ char *path = xasprintf("%s.json", stem);
	_cleanup_free_ char *vmlinux = vmlinux_path(place);
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_json_ json_t *json = NULL;
	struct kernel k;

	if (!fs_exists(path))
		return 0;
	if (fs_read(path, RECORD_MAX, &text, err) < 0)
		return -1;
	/* The cache may be damaged or half deleted at any time: then the kernel is built again. */
	if (json_load(path, text.buf, text.len, &json, NULL) < 0 || parse(json, place, &k) < 0)
		return 0;
	if (!fs_exists(k.log) || (k.ok && (!fs_exists(k.image) || !fs_exists(k.config)))) {
		kernel_done(&k);
		return 0;
	}
	if (k.ok && fs_exists(vmlinux))
		k.vmlinux = xstrdup(vmlinux);
	*ret = k;
	ret->cached = true;
	return 1;
}

static int write_record(const struct cache_place *p, const struct kernel *k,
			const char *const *limits, struct err *err)
{
	_cleanup_json_ json_t *json = json_object();
	_cleanup_str_ struct str text = STR_INIT;
	json_t *names = json_array();

	for (; *limits; limits++)
		json_array_append_new(names, json_string(*limits));
	json_object_set_new(json, "version", json_integer(1));
	json_object_set_new(json, "commit", json_string(k->commit));
	json_object_set_new(json, "tree", json_string(k->tree));
	json_object_set_new(json, "kconfig", json_string(k->kconfig));
	json_object_set_new(json, "toolchain", json_string(k->toolchain));
	json_object_set_new(json, "key", json_string(p->key));
	json_object_set_new(json, "ok", json_boolean(k->ok));
	if (k->ok)
		json_object_set_new(json, "image_id", json_string(k->image_id));
	else
		json_object_set_new(json, "error", json_string(k->error));
	json_object_set_new(json, "seconds", json_num(k->seconds));
	json_object_set_new(json, "limits", names);
	json_add(&text, json);
	return fs_write_atomic(k->record, text.buf, text.len, 0644, err);
}

/* Written as it is: what reads it maps it. */
static int write_vmlinux(const struct cache_place *p, const struct str *bytes, struct kernel *k,
			 struct err *err)
{
	_cleanup_free_ char *path = vmlinux_path(p);

	if (!bytes->len)
		return fs_remove_tree(path, err);
	if (fs_write_atomic(path, bytes->buf, bytes->len, 0644, err) < 0)
		return -1;
	free(k->vmlinux);
	k->vmlinux = xstrdup(path);
	return 0;
}

int cache_store(const struct cache_place *place, const struct kernel *built,
		const struct cache_texts *texts, struct kernel *ret, struct err *err)
{
	_cleanup_free_ char *folder = place_folder(place);
	struct kernel k = {.ok = built->ok, .seconds = built->seconds};

	memcpy(k.image_id, built->image_id, sizeof(k.image_id));
	k.error = built->ok ? NULL : xstrdup(built->error ? built->error : "");
	fill(place, &k);
	if (fs_mkdirs(folder, err) < 0 ||
	    zst_write(k.log, texts->log->buf, texts->log->len, err) < 0 ||
	    zst_write(k.config, texts->config->buf, texts->config->len, err) < 0 ||
	    write_vmlinux(place, texts->vmlinux, &k, err) < 0 ||
	    write_record(place, &k, texts->limits, err) < 0) {
		kernel_done(&k);
		return -1;
	}
	*ret = k;
	return 0;
}
