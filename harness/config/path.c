/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/path.h"

#include <limits.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

static const char *placeholder(const struct path_base *base, const char *name, size_t n)
{
	if (n == strlen("state") && !strncmp(name, "state", n))
		return base->state;
	if (n == strlen("cache") && !strncmp(name, "cache", n))
		return base->cache;
	return NULL;
}

/* Replaces {state} and {cache}. */
static int fill(const struct path_base *base, const char *text, struct str *ret, struct err *err)
{
	for (const char *p = text; *p; p++) {
		const char *end = *p == '{' ? strchr(p, '}') : NULL;
		const char *value;

		if (!end) {
			str_addc(ret, *p);
			continue;
		}
		value = placeholder(base, p + 1, (size_t)(end - p - 1));
		if (!value)
			return err_set(err, ERR_USER, "%.*s cannot be used here%s",
				       (int)(end - p + 1 < 40 ? end - p + 1 : 40), p,
				       base->cache ? ": only {cache} and {state}" : "");
		str_add(ret, value);
		p = end;
	}
	return 0;
}

int path_expand(const struct path_base *base, const char *text, struct str *ret, struct err *err)
{
	_cleanup_str_ struct str named = STR_INIT, path = STR_INIT;

	if (!*text)
		return err_set(err, ERR_USER, "an empty path");
	if (fs_expand(text, &named, err) < 0 || fill(base, named.buf, &path, err) < 0)
		return -1;
	if (path.buf[0] != '/')
		str_addf(ret, "%s/", streq(base->dir, "/") ? "" : base->dir);
	str_add(ret, path.buf);
	return 0;
}

int path_expand_url(const struct path_base *base, const char *text, struct str *ret,
		    struct err *err)
{
	static const char file[] = "file://";
	_cleanup_str_ struct str path = STR_INIT;

	if (!str_starts(text, file) && strstr(text, "://")) {
		str_add(ret, text);
		return 0;
	}
	if (path_expand(base, text + (str_starts(text, file) ? strlen(file) : 0), &path, err) < 0)
		return -1;
	str_addf(ret, "%s%s", str_starts(text, file) ? file : "", path.buf);
	return 0;
}

char *path_folder(const char *file)
{
	const char *slash = strrchr(file, '/');
	_cleanup_free_ char *folder =
		slash ? xstrndup(file, (size_t)(slash - file + 1)) : xstrdup(".");
	char *absolute = realpath(folder, NULL);

	return absolute ? absolute : xstrdup(folder);
}

static int default_folder(const char *as_root, const char *variable, const char *below_home,
			  struct str *ret, struct err *err)
{
	const char *xdg = getenv(variable), *home = getenv("HOME");

	if (geteuid() == 0)
		str_add(ret, as_root);
	else if (xdg && xdg[0] == '/')
		str_addf(ret, "%s/lkp", xdg);
	else if (home && home[0] == '/')
		str_addf(ret, "%s/%s/lkp", home, below_home);
	else
		return err_set(err, ERR_USER, "neither HOME nor %s is set", variable);
	return 0;
}

int path_default_state(struct str *ret, struct err *err)
{
	return default_folder("/var/lib/lkp", "XDG_STATE_HOME", ".local/state", ret, err);
}

int path_default_cache(struct str *ret, struct err *err)
{
	return default_folder("/var/cache/lkp", "XDG_CACHE_HOME", ".cache", ret, err);
}
