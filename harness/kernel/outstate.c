/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/outstate.h"

#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/fs_walk.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define STATE_MAX 4096
/* Between a file's first byte and the last step on it (objtool) lie seconds, never a minute. */
#define SUSPECT_S 60

static void copy(char *to, size_t size, const char *from)
{
	if (from && strlen(from) == size - 1)
		snprintf(to, size, "%s", from);
}

void outstate_read(const char *out, struct outstate *ret)
{
	_cleanup_free_ char *path = xasprintf("%s.json", out);
	_cleanup_json_ json_t *json = NULL;
	const char *key = NULL, *commit = NULL, *hash = NULL;
	struct outstate s = {0};

	*ret = s;
	if (json_load_path(path, STATE_MAX, &json, NULL) < 0 || !json_is_object(json))
		return;
	if (json_get_int(json, "$", "objects", true, &s.objects, NULL) < 0 ||
	    json_get_num(json, "$", "part_seconds", true, &s.part_seconds, NULL) < 0 ||
	    json_get_int(json, "$", "since", true, &s.since, NULL) < 0 ||
	    json_get_str(json, "$", "config_key", true, &key, NULL) < 0 ||
	    json_get_str(json, "$", "config_commit", true, &commit, NULL) < 0 ||
	    json_get_str(json, "$", "config_hash", true, &hash, NULL) < 0)
		return;
	copy(s.config_key, sizeof(s.config_key), key);
	copy(s.config_commit, sizeof(s.config_commit), commit);
	copy(s.config_hash, sizeof(s.config_hash), hash);
	*ret = s;
}

int outstate_write(const char *out, const struct outstate *state, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s.json", out);
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_json_ json_t *json = json_object();

	json_object_set_new(json, "objects", json_integer(state->objects));
	json_object_set_new(json, "part_seconds", json_num(state->part_seconds));
	json_object_set_new(json, "since", json_integer(state->since));
	json_object_set_new(json, "config_key", json_string(state->config_key));
	json_object_set_new(json, "config_commit", json_string(state->config_commit));
	json_object_set_new(json, "config_hash", json_string(state->config_hash));
	json_add(&text, json);
	return fs_write_atomic(path, text.buf, text.len, 0644, err);
}

/* Times are ctimes: unlike mtimes, no program of the build could set them back. */
static int find_newest(int dirfd, const char *name, const struct stat *st, void *arg)
{
	int64_t *newest = arg;

	(void)dirfd;
	(void)name;
	if (!S_ISDIR(st->st_mode) && st->st_ctime > *newest)
		*newest = st->st_ctime;
	return 0;
}

static int remove_since(int dirfd, const char *name, const struct stat *st, void *arg)
{
	const int64_t *since = arg;

	if (S_ISDIR(st->st_mode) || st->st_ctime < *since)
		return 0;
	return unlinkat(dirfd, name, 0);
}

int outstate_repair(const char *out, const struct outstate *state, struct err *err)
{
	int64_t newest = 0, since;

	if (state->since == 0)
		return 0;
	if (fs_walk(out, "repair", find_newest, &newest, err) < 0)
		return -1;
	since = state->since - 1 > newest - SUSPECT_S ? state->since - 1 : newest - SUSPECT_S;
	return fs_walk(out, "repair", remove_since, &since, err);
}
