/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/kconfig_reason.h"

#include <ctype.h>
#include <fts.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define FILE_MAX_BYTES ((size_t)1 << 20)
#define DEPENDS_MAX    160

static bool is_word(const char *line, const char *word, const char **ret_rest)
{
	size_t n = strlen(word);

	if (strncmp(line, word, n) != 0 || !isspace((unsigned char)line[n]))
		return false;
	*ret_rest = line + n + strspn(line + n, " \t");
	return true;
}

static struct kconfig_reason *entry_of(const char *line, struct kconfig_reason *list, size_t n)
{
	const char *name;
	size_t len;

	if (!is_word(line, "config", &name) && !is_word(line, "menuconfig", &name))
		return NULL;
	len = strcspn(name, " \t\r");
	for (size_t i = 0; i < n; i++)
		if (strlen(list[i].name) == len && memcmp(list[i].name, name, len) == 0)
			return &list[i];
	return NULL;
}

static void read_attribute(struct kconfig_reason *reason, const char *line)
{
	static const char *const types[] = {"bool",   "tristate", "int",     "hex",
					    "string", "prompt",	  "def_bool"};
	const char *rest;

	if (is_word(line, "depends", &rest) && is_word(rest, "on", &rest)) {
		if (reason->depends.len < DEPENDS_MAX)
			str_addf(&reason->depends, "%s%s", reason->depends.len ? " && " : "", rest);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (is_word(line, types[i], &rest) && (*rest == '"' || *rest == '\''))
			reason->prompt = true;
}

void kconfig_reasons_scan(const char *text, struct kconfig_reason *list, size_t n)
{
	struct kconfig_reason *current = NULL;

	while (*text) {
		size_t len = strcspn(text, "\n");
		_cleanup_free_ char *line = xstrndup(text, len);

		text += len + (text[len] == '\n');
		if (*line && !isspace((unsigned char)*line) && *line != '#') {
			current = entry_of(line, list, n);
			if (current)
				current->found = true;
		} else if (current) {
			read_attribute(current, line + strspn(line, " \t"));
		}
	}
}

void kconfig_reasons_find(const char *src, struct kconfig_reason *list, size_t n)
{
	char *const roots[] = {(char *)src, NULL};
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;

	while (fts && (entry = fts_read(fts))) {
		_cleanup_str_ struct str text = STR_INIT;

		if (entry->fts_info == FTS_F && str_starts(entry->fts_name, "Kconfig") &&
		    fs_read(entry->fts_path, FILE_MAX_BYTES, &text, NULL) == 0)
			kconfig_reasons_scan(text.buf, list, n);
	}
	if (fts)
		fts_close(fts);
}
