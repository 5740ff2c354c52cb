/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/json_at.h"

#include <ctype.h>

#include "harness/util/mem.h"

#define KEY_SHOWN 120

struct level {
	bool array, key_next;
	size_t index;	 /* array: of the element */
	const char *key; /* object: NULL before the first one */
	size_t key_len;
};

struct scan {
	struct level *levels;
	size_t n, cap;
};

static void push(struct scan *s, bool array)
{
	mem_grow(&s->levels, &s->cap, s->n + 1, sizeof(*s->levels));
	s->levels[s->n++] = (struct level){.array = array, .key_next = !array};
}

static void next_member(struct scan *s)
{
	struct level *top = s->n ? &s->levels[s->n - 1] : NULL;

	if (top && top->array)
		top->index++;
	else if (top)
		top->key_next = true;
}

/* The string whose first character is text[i]; returns the place of its closing quote. */
static size_t string_end(const char *text, size_t i, size_t end)
{
	for (; i < end && text[i] != '"'; i++)
		if (text[i] == '\\')
			i++;
	return i < end ? i : end;
}

static void take_key(struct scan *s, const char *key, size_t n)
{
	struct level *top = s->n ? &s->levels[s->n - 1] : NULL;

	if (!top || !top->key_next)
		return;
	top->key = key;
	top->key_len = n;
	top->key_next = false;
}

static void scan_to(struct scan *s, const char *text, size_t end)
{
	for (size_t i = 0; i < end; i++) {
		size_t start = i + 1;

		switch (text[i]) {
		case '"':
			i = string_end(text, start, end);
			take_key(s, text + start, i - start);
			break;
		case '{':
		case '[':
			push(s, text[i] == '[');
			break;
		case '}':
		case ']':
			s->n -= s->n > 0;
			break;
		case ',':
			next_member(s);
			break;
		default:
			break;
		}
	}
}

/* The key is a part of the text: no NUL ends it. */
static bool plain(const char *key, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)key[i]) && key[i] != '_')
			return false;
	return n > 0 && n <= KEY_SHOWN;
}

void json_add_path_key(struct str *ret, const char *key, size_t n)
{
	str_add(ret, "[\"");
	str_add_safe(ret, key, n < KEY_SHOWN ? n : KEY_SHOWN);
	str_add(ret, n > KEY_SHOWN ? "...\"]" : "\"]");
}

static bool is_data(const struct level *above, const char *data)
{
	return above->key && above->key_len == strlen(data) &&
	       memcmp(above->key, data, above->key_len) == 0;
}

void json_add_path_at(struct str *ret, const char *text, size_t n, size_t offset, const char *data)
{
	struct scan s = {.n = 0};

	scan_to(&s, text, offset < n ? offset : n);
	str_addc(ret, '$');
	for (size_t i = 0; i < s.n; i++) {
		const struct level *l = &s.levels[i];
		bool quote = i > 0 && is_data(l - 1, data);
		if (l->array)
			str_addf(ret, "[%zu]", l->index);
		else if (l->key && plain(l->key, l->key_len) && !quote)
			str_addf(ret, ".%.*s", (int)l->key_len, l->key);
		else if (l->key)
			json_add_path_key(ret, l->key, l->key_len);
	}
	free(s.levels);
}
