/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/kconfig.h"

#include <ctype.h>

#include "harness/kernel/kconfig_reason.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define FRAGMENT_MAX ((size_t)4 << 20)
#define NAMED_MAX    6 /* lost symbols that one message names */

static const char unset_head[] = "# CONFIG_", unset_tail[] = " is not set";

/* "/a/b/kconfig/icount.config" -> "kconfig/icount.config": enough to find it, short in messages. */
static const char *short_path(const char *path)
{
	const char *slash = strrchr(path, '/');

	while (slash && slash > path && slash[-1] != '/')
		slash--;
	return slash ? slash : path;
}

static void request_add(struct kconfig_requests *r, char *symbol, char *value, const char *file,
			int line)
{
	struct kconfig_request *at = NULL;

	for (size_t i = 0; i < r->n && !at; i++)
		if (streq(r->list[i].symbol, symbol))
			at = &r->list[i];
	if (!at) {
		mem_grow(&r->list, &r->cap, r->n + 1, sizeof(*r->list));
		at = &r->list[r->n++];
		*at = (struct kconfig_request){0};
	}
	free(at->symbol);
	free(at->value);
	free(at->file);
	*at = (struct kconfig_request){symbol, value, xstrdup(short_path(file)), line};
}

static size_t symbol_len(const char *text)
{
	size_t n = str_starts(text, "CONFIG_") ? strlen("CONFIG_") : 0;

	while (n > 0 && (isalnum((unsigned char)text[n]) || text[n] == '_'))
		n++;
	return n > strlen("CONFIG_") ? n : 0;
}

/* One line: a request, a comment, or nothing. */
static int read_line(struct kconfig_requests *r, const char *file, int number, const char *line,
		     struct err *err)
{
	const char *start = line + (str_starts(line, unset_head) ? 2 : 0);
	size_t n = symbol_len(start);

	if (start != line && n > 0 && streq(start + n, unset_tail)) {
		request_add(r, xstrndup(start, n), xstrdup("n"), file, number);
		return 0;
	}
	if (*line == '\0' || *line == '#')
		return 0;
	if (n == 0 || start[n] != '=' || start[n + 1] == '\0')
		return err_set(err, ERR_USER,
			       "%s:%d: expected CONFIG_NAME=value, \"# CONFIG_NAME is not set\" or "
			       "a comment, found \"%.60s\"",
			       short_path(file), number, line);
	request_add(r, xstrndup(start, n), xstrdup(start + n + 1), file, number);
	return 0;
}

static int read_fragment(struct kconfig_requests *r, const char *file, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	int number = 0;

	if (fs_read(file, FRAGMENT_MAX, &text, err) < 0) {
		if (err)
			err->kind = ERR_USER;
		return err_wrap(err, "kconfig fragment");
	}
	for (const char *p = text.buf; *p;) {
		size_t len = strcspn(p, "\n");
		struct str line = STR_INIT;
		int rc;

		str_addn(&line, p, len);
		str_trim(&line);
		rc = read_line(r, file, ++number, line.buf, err);
		str_done(&line);
		if (rc < 0)
			return -1;
		p += len + (p[len] == '\n');
	}
	return 0;
}

static bool is_target(const char *base)
{
	for (const char *p = base; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '-')
			return false;
	return isalnum((unsigned char)*base) && str_ends(base, "config");
}

static int read_base(struct kconfig_requests *r, const struct config_kconfig *kconfig,
		     struct err *err)
{
	if (is_target(kconfig->base)) {
		r->base = xstrdup(kconfig->base);
		return 0;
	}
	if (fs_read(kconfig->base, FRAGMENT_MAX, &r->base_text, NULL) == 0)
		return 0;
	return err_set(err, ERR_USER,
		       "kconfig \"%s\": base \"%s\" is neither a make target (allnoconfig, "
		       "defconfig, tinyconfig) nor a file that can be read",
		       kconfig->name, kconfig->base);
}

static void make_key(struct kconfig_requests *r, const struct config_kconfig *kconfig)
{
	const char *const parts[] = {r->base ? r->base : "", r->base_text.buf, r->text.buf,
				     kconfig->arch, kconfig->image};
	struct hash *h = hash_new();

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		hash_add(h, parts[i], strlen(parts[i]) + 1);
	hash_finish(h, r->key);
}

int kconfig_read(const struct config_kconfig *kconfig, struct kconfig_requests *ret,
		 struct err *err)
{
	struct kconfig_requests r = {.base_text = STR_INIT, .text = STR_INIT};
	int rc = read_base(&r, kconfig, err);

	for (size_t i = 0; rc == 0 && kconfig->fragments && kconfig->fragments[i]; i++)
		rc = read_fragment(&r, kconfig->fragments[i], err);
	if (rc < 0) {
		kconfig_done(&r);
		return -1;
	}
	for (size_t i = 0; i < r.n; i++)
		if (streq(r.list[i].value, "n"))
			str_addf(&r.text, "# %s%s\n", r.list[i].symbol, unset_tail);
		else
			str_addf(&r.text, "%s=%s\n", r.list[i].symbol, r.list[i].value);
	make_key(&r, kconfig);
	*ret = r;
	return 0;
}

void kconfig_done(struct kconfig_requests *requests)
{
	for (size_t i = 0; i < requests->n; i++) {
		free(requests->list[i].symbol);
		free(requests->list[i].value);
		free(requests->list[i].file);
	}
	free(requests->list);
	free(requests->base);
	str_done(&requests->base_text);
	str_done(&requests->text);
	*requests = (struct kconfig_requests){.base_text = STR_INIT, .text = STR_INIT};
}

bool kconfig_takes_allconfig(const char *target)
{
	static const char *const targets[] = {"allnoconfig", "allyesconfig", "allmodconfig",
					      "alldefconfig"};

	for (size_t i = 0; i < ARRAY_SIZE(targets); i++)
		if (streq(target, targets[i]))
			return true;
	return false;
}

/* The value of a symbol in .config, or NULL; the caller frees it. */
static char *value_in(const char *config, const char *symbol)
{
	_cleanup_free_ char *head = xasprintf("\n%s=", symbol);
	const char *at = strstr(config, head);

	if (str_starts(config, head + 1))
		at = config + strlen(head + 1);
	else if (at)
		at += strlen(head);
	else
		return NULL;
	return xstrndup(at, strcspn(at, "\n"));
}

static bool survived(const struct kconfig_request *request, const char *value)
{
	return value ? streq(value, request->value) : streq(request->value, "n");
}

static void add_lost(struct str *s, const struct kconfig_request *request, const char *value,
		     const struct kconfig_reason *reason)
{
	str_addf(s, "\n%s:%d: %s=%.60s did not survive: it is ", request->file, request->line,
		 request->symbol, request->value);
	if (value)
		str_add_safe(s, value, strnlen(value, 60));
	else
		str_add(s, "absent");
	if (reason && !reason->found) {
		str_add(s, "; this kernel has no such symbol");
	} else if (reason && reason->depends.len) {
		str_add(s, "; it depends on ");
		str_add_safe(s, reason->depends.buf, strnlen(reason->depends.buf, 160));
	}
	if (reason && reason->found && !reason->prompt)
		str_add(s, "; it has no prompt, other symbols decide it");
}

int kconfig_verify(const struct kconfig_requests *requests, const char *config, const char *src,
		   struct err *err)
{
	const struct kconfig_request *lost[NAMED_MAX];
	struct kconfig_reason reasons[NAMED_MAX] = {0};
	_cleanup_str_ struct str text = STR_INIT;
	size_t n = 0;

	for (size_t i = 0; i < requests->n; i++) {
		_cleanup_free_ char *value = value_in(config, requests->list[i].symbol);

		if (!survived(&requests->list[i], value) && n++ < NAMED_MAX) {
			lost[n - 1] = &requests->list[i];
			reasons[n - 1].name = lost[n - 1]->symbol + strlen("CONFIG_");
			str_init(&reasons[n - 1].depends);
		}
	}
	if (n == 0)
		return 0;
	if (src)
		kconfig_reasons_find(src, reasons, n < NAMED_MAX ? n : NAMED_MAX);
	str_addf(&text, "%zu requested kernel configuration symbol%s not survive:", n,
		 n == 1 ? " did" : "s did");
	for (size_t i = 0; i < n && i < NAMED_MAX; i++) {
		_cleanup_free_ char *value = value_in(config, lost[i]->symbol);

		add_lost(&text, lost[i], value, src ? &reasons[i] : NULL);
		str_done(&reasons[i].depends);
	}
	if (n > NAMED_MAX)
		str_addf(&text, "\nand %zu more", n - NAMED_MAX);
	return err_set_cause(err, ERR_USER, "config", "%s", text.buf);
}
