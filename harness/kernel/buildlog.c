/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/buildlog.h"

#include <ctype.h>

#include "harness/util/mem.h"

#define ERROR_MAX 400

struct line {
	const char *text;
	size_t len;
};

static bool next_line(const char **at, const char *end, struct line *ret)
{
	const char *stop;

	if (*at >= end)
		return false;
	stop = memchr(*at, '\n', (size_t)(end - *at));
	ret->text = *at;
	ret->len = (size_t)((stop ? stop : end) - *at);
	*at = stop ? stop + 1 : end;
	return true;
}

static const char *find(const struct line *line, const char *what)
{
	return memmem(line->text, line->len, what, strlen(what));
}

static bool starts(const struct line *line, const char *what)
{
	return line->len >= strlen(what) && memcmp(line->text, what, strlen(what)) == 0;
}

/* "path:12:5: error: " or "path:12: Error: ": a number stands between colons before the word. */
static bool placed(const struct line *line, const char *word)
{
	const char *at = find(line, word);

	return at && at > line->text && isdigit((unsigned char)at[-1]);
}

static bool is_compiler_error(const struct line *line)
{
	return placed(line, ": error: ") || placed(line, ": fatal error: ");
}

static bool is_assembler_error(const struct line *line)
{
	return placed(line, ": Error: ");
}

static bool is_compiler_death(const struct line *line)
{
	return find(line, "internal compiler error") || starts(line, "cc1: ");
}

static bool is_linker_error(const struct line *line)
{
	return find(line, "undefined reference to") || find(line, "multiple definition of") ||
	       (find(line, "ld: ") && !find(line, "warning: ") && !find(line, ": in function "));
}

static bool is_tool_error(const struct line *line)
{
	return find(line, "error: objtool: ") || starts(line, "ERROR: modpost: ") ||
	       starts(line, "FAILED") || find(line, ": error: ");
}

static bool is_kconfig_error(const struct line *line)
{
	return find(line, "Kconfig") &&
	       (placed(line, ": syntax error") || placed(line, ": invalid ") ||
		placed(line, ": can't open file") || placed(line, ": unknown statement") ||
		placed(line, ": unexpected "));
}

static bool is_make_error(const struct line *line)
{
	return starts(line, "make") && find(line, ": *** ");
}

/* In this order: what a compiler says explains more than what make says of it. */
static bool (*const kinds[])(const struct line *) = {
	is_compiler_error, is_assembler_error, is_compiler_death, is_kconfig_error,
	is_tool_error,	   is_linker_error,    is_make_error,
};

/* Places are written relative to the sources, wherever the build saw them. */
static void add_line(struct str *ret, const struct line *line, const char *src)
{
	_cleanup_free_ char *prefix = xasprintf("%s/", src);
	_cleanup_str_ struct str plain = STR_INIT;
	_cleanup_str_ struct str safe = STR_INIT;
	struct line rest = *line;
	const char *at;

	while ((at = find(&rest, prefix))) {
		str_addn(&plain, rest.text, (size_t)(at - rest.text));
		rest.len -= (size_t)(at - rest.text) + strlen(prefix);
		rest.text = at + strlen(prefix);
	}
	str_addn(&plain, rest.text, rest.len);
	str_trim(&plain);
	str_cut(&plain, ERROR_MAX);
	str_add_safe(&safe, plain.buf, plain.len);
	str_cut(&safe, ERROR_MAX);
	str_add(ret, safe.buf);
}

void buildlog_first_error(const char *log, size_t n, const char *src, struct str *ret)
{
	struct line line, last = {"make printed nothing", strlen("make printed nothing")};

	for (size_t kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		const char *at = log;

		while (next_line(&at, log + n, &line)) {
			if (kinds[kind](&line)) {
				add_line(ret, &line, src);
				return;
			}
			if (line.len > 0)
				last = line;
		}
	}
	add_line(ret, &last, src);
}

static const struct host_fault {
	const char *sign, *text;
} host_faults[] = {
	{"No space left on device", "the disk of the cache is full; make room"},
	{"Disk quota exceeded", "the quota of the cache's disk is used up; make room"},
	{"Input/output error", "the cache's disk fails: see the host's kernel log"},
	{"File size limit exceeded", "a file of the build passed \"build: disk:\"; raise it"},
	{"File too large", "a file of the build passed \"build: disk:\"; raise it"},
	{"virtual memory exhausted",
	 "a compiler ran out of memory; raise \"build: memory:\" or lower "
	 "\"build: jobs:\""},
	{"out of memory allocating", "a compiler ran out of memory; raise \"build: memory:\" or "
				     "lower \"build: jobs:\""},
	{"Cannot allocate memory", "the host is out of memory; lower \"build: jobs:\""},
	{"Killed signal terminated program", "a compiler was killed, as the host was short of "
					     "memory; lower \"build: jobs:\""},
	{"Resource temporarily unavailable", "no more processes were allowed; raise \"build: "
					     "processes:\" or lower \"build: jobs:\""},
	{"Cannot fork", "no more processes were allowed; raise \"build: processes:\" or lower "
			"\"build: jobs:\""},
};

const char *buildlog_host_fault(const char *log, size_t n)
{
	const char *at = log;
	struct line line;

	while (next_line(&at, log + n, &line)) {
		/* Source text that a compiler quotes may hold such words; its own troubles are
		 * fatal. */
		if (line.len == 0 || line.text[0] == ' ' || placed(&line, ": error: "))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(host_faults); i++)
			if (find(&line, host_faults[i].sign))
				return host_faults[i].text;
	}
	return NULL;
}

bool buildlog_count(struct buildlog_counter *counter, const char *data, size_t n)
{
	size_t before = counter->objects;

	for (size_t i = 0; i < n; i++) {
		if (data[i] != '\n') {
			if (counter->len < sizeof(counter->line))
				counter->line[counter->len++] = data[i];
			continue;
		}
		if (counter->len > 6 && (memcmp(counter->line, "  CC  ", 6) == 0 ||
					 memcmp(counter->line, "  AS  ", 6) == 0))
			counter->objects++;
		counter->len = 0;
	}
	return counter->objects != before;
}
