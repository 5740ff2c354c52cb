/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/mail/maildir.h"

#include "harness/util/fs.h"
#include "harness/util/hash.h"
#include "harness/util/mem.h"

/* A mail that a reader has moved to cur/ has ":2,FLAGS" behind its name. */
static bool is_read_form(const char *entry, const char *name)
{
	size_t n = strlen(name);
	return str_starts(entry, name) && (entry[n] == '\0' || entry[n] == ':');
}

static int find_read(const char *folder, const char *name, struct str *ret_place, struct err *err)
{
	_cleanup_free_ char *cur = xasprintf("%s/cur", folder);
	_cleanup_strv_ char **names = NULL;
	if (fs_list(cur, &names, err) < 0)
		return -1;
	for (size_t i = 0; names && names[i] && ret_place->len == 0; i++)
		if (is_read_form(names[i], name))
			str_addf(ret_place, "%s/%s", cur, names[i]);
	return 0;
}

int maildir_deliver(const char *folder, const char *message_id, const void *text, size_t n,
		    struct str *ret_place, struct err *err)
{
	static const char *const parts[] = {"tmp", "new", "cur"};
	_cleanup_str_ struct str place = STR_INIT;
	char hex[HASH_HEX_LEN + 1];

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", folder, parts[i]);
		if (fs_mkdirs(path, err) < 0)
			return -1;
	}
	hash_bytes(message_id, strlen(message_id), hex);
	_cleanup_free_ char *name = xasprintf("%.32s.lkpd", hex);
	_cleanup_free_ char *tmp = xasprintf("%s/tmp/%s", folder, name);
	_cleanup_free_ char *fresh = xasprintf("%s/new/%s", folder, name);
	/* new/ first: a reader who moves the mail meanwhile moves it to where we look next. */
	if (fs_exists(fresh))
		str_add(&place, fresh);
	else if (find_read(folder, name, &place, err) < 0)
		return -1;
	if (place.len == 0) {
		if (fs_write_atomic(tmp, text, n, 0640, err) < 0 || fs_rename(tmp, fresh, err) < 0)
			return -1;
		str_add(&place, fresh);
	}
	str_addn(ret_place, place.buf, place.len);
	return 0;
}

bool maildir_holds(const char *place)
{
	const char *name = strrchr(place, '/');
	_cleanup_str_ struct str folder = STR_INIT, read = STR_INIT;
	struct err ignored = ERR_INIT;

	if (fs_exists(place) || !name)
		return fs_exists(place);
	str_addn(&folder, place, (size_t)(name - place));
	const char *part = strrchr(folder.buf, '/'); /* new or cur */
	if (!part)
		return false;
	str_cut(&folder, (size_t)(part - folder.buf));
	_cleanup_free_ char *bare = xstrndup(name + 1, strcspn(name + 1, ":"));
	return find_read(folder.buf, bare, &read, &ignored) == 0 && read.len > 0;
}
