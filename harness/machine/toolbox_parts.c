/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/toolbox_parts.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/str.h"

#define AGENT  "lkp-agent"
#define LOADER "/lib64/ld-linux-x86-64.so.2"

static void add(struct toolbox_parts *parts, char *from, char *to)
{
	mem_grow(&parts->part, &parts->cap, parts->n + 1, sizeof(*parts->part));
	parts->part[parts->n++] = (struct toolbox_part){.from = from, .to = to};
}

void toolbox_parts_done(struct toolbox_parts *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		free(parts->part[i].from);
		free(parts->part[i].to);
	}
	free(parts->part);
	*parts = (struct toolbox_parts){0};
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 0111);
}

static int add_benchmarks(struct toolbox_parts *parts, const char *programs, struct err *err)
{
	_cleanup_free_ char *folder = xasprintf("%s/bench", programs);
	_cleanup_strv_ char **names = NULL;
	size_t before = parts->n;

	if (fs_list(folder, &names, err) < 0)
		return err_wrap(err, "the benchmark programs (build them by: make)");
	for (char **name = names; *name; name++) {
		char *path = xasprintf("%s/%s", folder, *name);

		if (**name != '.' && is_program(path))
			add(parts, path, xasprintf("lkp/bin/%s", *name));
		else
			free(path);
	}
	if (parts->n == before)
		return err_set(err, ERR_USER, "no benchmark programs in %s; build them by: make",
			       folder);
	return 0;
}

/* One line of the loader's list: "name => path (address)", "path (address)" for the loader itself,
 * or "name (address)" for what the kernel provides. */
static int add_library(struct toolbox_parts *parts, char *line, struct err *err)
{
	char *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : line, *end;
	const char *base;

	line += strspn(line, "\t ");
	if (!arrow)
		path = line;
	end = strstr(path, " (");
	if (!end || *path != '/')
		return arrow ? err_set(err, ERR_USER, "perf needs a library that is not here: %s",
				       line)
			     : 0;
	*end = '\0';
	if (!arrow) {
		add(parts, xstrdup(path), xstrdup("lkp/lib/ld.so"));
		return 0;
	}
	*arrow = '\0';
	base = strrchr(line, '/');
	add(parts, xstrdup(path), xasprintf("lkp/lib/%s", base ? base + 1 : line));
	return 0;
}

static int add_perf(struct toolbox_parts *parts, const char *perf, struct err *err)
{
	const char *const argv[] = {LOADER, "--list", perf, NULL};
	_cleanup_str_ struct str list = STR_INIT;
	char *line, *rest;

	add(parts, xstrdup(perf), xstrdup("lkp/bin/perf"));
	if (proc_check(argv, &list, err) < 0)
		return err_wrap(
			err, "cannot list the libraries of %s (is it a program, no script?)", perf);
	for (line = strtok_r(list.buf, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (add_library(parts, line, err) < 0)
			return -1;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct toolbox_part *)a)->to, ((const struct toolbox_part *)b)->to);
}

static int find(const char *programs, const char *perf, struct toolbox_parts *parts,
		struct err *err)
{
	_cleanup_free_ char *agent = xasprintf("%s/" AGENT, programs);

	if (!is_program(agent))
		return err_set(err, ERR_USER, "%s is not there; build it by: make", agent);
	add(parts, xstrdup(agent), xstrdup("init"));
	if (add_benchmarks(parts, programs, err) < 0 || add_perf(parts, perf, err) < 0)
		return -1;
	qsort(parts->part, parts->n, sizeof(*parts->part), by_name);
	return 0;
}

int toolbox_parts_find(const char *programs, const char *perf, struct toolbox_parts *ret,
		       struct err *err)
{
	struct toolbox_parts parts = {0};

	if (find(programs, perf, &parts, err) < 0) {
		toolbox_parts_done(&parts);
		return -1;
	}
	*ret = parts;
	return 0;
}

/* Relative to the running program: a build folder, one of its flavours, its tests, an installation.
 */
static const char *const places[] = {".", "..", "../..", "../lib/lkp"};

int toolbox_programs(char **ret, struct err *err)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		return err_errno(err, "cannot read /proc/self/exe");
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_free_ char *agent = xasprintf("%s/%s/" AGENT, self, places[i]);

		if (!is_program(agent))
			continue;
		*ret = xasprintf("%s/%s", self, places[i]);
		return 0;
	}
	return err_set(err, ERR_USER, "lkp-agent is nowhere near %s; build it by: make", self);
}
