/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/cgroup_find.h"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "harness/util/mem.h"
#include "harness/util/str.h"

static const struct controller {
	const char *name;
	unsigned bit;
} controllers[] = {{"memory", CGROUP_MEMORY}, {"pids", CGROUP_PIDS}};

/* The bits of the controllers in a comma-separated list. */
static unsigned controllers_in(const char *list, size_t n)
{
	unsigned bits = 0;

	while (n) {
		const char *comma = memchr(list, ',', n);
		size_t len = comma ? (size_t)(comma - list) : n;

		for (size_t i = 0; i < ARRAY_SIZE(controllers); i++)
			if (strlen(controllers[i].name) == len &&
			    memcmp(list, controllers[i].name, len) == 0)
				bits |= controllers[i].bit;
		list += len + (comma != NULL);
		n -= len + (comma != NULL);
	}
	return bits;
}

/* One line of mountinfo: "36 35 0:31 ROOT MOUNTPOINT opts [tags] - FSTYPE SOURCE SUPEROPTS". */
struct mount {
	char root[256], point[256], options[256];
	bool v2;
};

static bool parse_mount(const char *line, size_t n, struct mount *ret)
{
	_cleanup_free_ char *text = xstrndup(line, n);
	const char *tail = strstr(text, " - ");
	char type[32];

	if (!tail || sscanf(text, "%*s %*s %*s %255s %255s", ret->root, ret->point) != 2 ||
	    sscanf(tail, " - %31s %*s %255s", type, ret->options) != 2)
		return false;
	ret->v2 = streq(type, "cgroup2");
	/* An escaped character in these is somebody's experiment, no place for us. */
	return (ret->v2 || streq(type, "cgroup")) && !strchr(ret->root, '\\') &&
	       !strchr(ret->point, '\\');
}

/* Our group in the hierarchy: from the line "ID:LIST:PATH" of self. False: none. */
static bool own_group(const char *self, bool v2, unsigned bits, char ret[256])
{
	for (const char *line = self; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *list = strchr(line, ':');
		const char *path = list ? strchr(list + 1, ':') : NULL;
		size_t n = path ? strcspn(path + 1, "\n") : 0;

		if (!path || path > line + strcspn(line, "\n") || n == 0 || n > 255)
			continue;
		if (v2 ? path != list + 1
		       : !(controllers_in(list + 1, (size_t)(path - list - 1)) & bits))
			continue;
		snprintf(ret, 256, "%.*s", (int)n, path + 1);
		return true;
	}
	return false;
}

/* The folder of a group: its path behind the mount's root. In a container without a namespace of
 * its own the mount begins deeper down. */
static bool locate(const struct mount *m, const char *group, struct cgroup_place *ret)
{
	size_t skip = streq(m->root, "/") ? 0 : strlen(m->root);

	if (strncmp(group, m->root, skip) != 0 || (group[skip] && group[skip] != '/') ||
	    strstr(group, "/.."))
		return false;
	group += skip;
	ret->root = !*group || streq(group, "/");
	ret->path = xasprintf("%s%s", m->point, ret->root ? "" : group);
	return true;
}

size_t cgroup_find(const char *mountinfo, const char *self, struct cgroup_place ret[CGROUP_PLACES])
{
	unsigned seen = 0; /* version 1 */
	bool seen_v2 = false;
	size_t n = 0;

	for (const char *line = mountinfo; *line && n < CGROUP_PLACES;) {
		size_t len = strcspn(line, "\n");
		struct cgroup_place place = {0};
		char group[256];
		struct mount m;

		if (parse_mount(line, len, &m)) {
			place.v2 = m.v2;
			place.controllers =
				m.v2 ? 0 : controllers_in(m.options, strlen(m.options)) & ~seen;
			if ((m.v2 ? !seen_v2 : place.controllers != 0) &&
			    own_group(self, m.v2, place.controllers, group) &&
			    locate(&m, group, &place)) {
				seen |= place.controllers;
				seen_v2 |= place.v2;
				ret[n++] = place;
			}
		}
		line += len + (line[len] == '\n');
	}
	for (size_t i = 1; i < n; i++)
		if (ret[i].v2) {
			struct cgroup_place first = ret[i];

			memmove(ret + 1, ret, i * sizeof(*ret));
			ret[0] = first;
		}
	return n;
}

bool cgroup_is_delegated(const char *path)
{
	static const char *const marks[] = {"trusted.delegate", "user.delegate"};
	char value;

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (getxattr(path, marks[i], &value, 1) == 1 && value == '1')
			return true;
	return false;
}

bool cgroup_is_ours(const struct cgroup_place *place)
{
	struct stat st;

	if (access(place->path, W_OK | X_OK) < 0 || stat(place->path, &st) < 0)
		return false;
	return place->root || (geteuid() != 0 && st.st_uid == geteuid()) ||
	       cgroup_is_delegated(place->path);
}
