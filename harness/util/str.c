/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/str.h"

#include <ctype.h>
#include <stdint.h>

#include "harness/util/mem.h"

char str_empty[1];

void str_init(struct str *s)
{
	*s = (struct str)STR_INIT;
}

void str_done(struct str *s)
{
	if (s->cap)
		free(s->buf);
	str_init(s);
}

void str_reset(struct str *s)
{
	str_cut(s, 0);
}

char *str_detach(struct str *s)
{
	char *text = s->cap ? s->buf : xstrdup("");

	str_init(s);
	return text;
}

/* Makes room for n more bytes and the NUL. */
static void reserve(struct str *s, size_t n)
{
	size_t need;
	char *buf = s->cap ? s->buf : NULL;

	if (__builtin_add_overflow(s->len, n, &need) || __builtin_add_overflow(need, 1, &need))
		need = SIZE_MAX;
	if (need <= s->cap)
		return;
	mem_grow(&buf, &s->cap, need, 1);
	s->buf = buf;
}

void str_add(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text));
}

void str_addn(struct str *s, const void *data, size_t n)
{
	if (!n)
		return;
	reserve(s, n);
	memcpy(s->buf + s->len, data, n);
	s->len += n;
	s->buf[s->len] = '\0';
}

void str_addc(struct str *s, char c)
{
	str_addn(s, &c, 1);
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(s, fmt, ap);
	va_end(ap);
}

void str_vaddf(struct str *s, const char *fmt, va_list ap)
{
	char *text = NULL;
	int n = vasprintf(&text, fmt, ap);

	if (n < 0)
		abort();
	str_addn(s, text, (size_t)n);
	free(text);
}

void str_cut(struct str *s, size_t len)
{
	if (len >= s->len)
		return;
	s->len = len;
	s->buf[len] = '\0';
}

void str_rtrim(struct str *s)
{
	size_t n = s->len;

	while (n && isspace((unsigned char)s->buf[n - 1]))
		n--;
	str_cut(s, n);
}

void str_trim(struct str *s)
{
	size_t skip = 0;

	str_rtrim(s);
	while (skip < s->len && isspace((unsigned char)s->buf[skip]))
		skip++;
	if (!skip)
		return;
	memmove(s->buf, s->buf + skip, s->len - skip);
	str_cut(s, s->len - skip);
}

/* Decodes one character; its length in bytes, or 0 when these bytes are not valid UTF-8. */
static size_t utf8_decode(const unsigned char *p, size_t n, uint32_t *ret)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t len = p[0] < 0x80	     ? 1
		     : (p[0] & 0xe0) == 0xc0 ? 2
		     : (p[0] & 0xf0) == 0xe0 ? 3
		     : (p[0] & 0xf8) == 0xf0 ? 4
					     : 0;
	uint32_t c;

	if (!len || len > n)
		return 0;
	c = len == 1 ? p[0] : p[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*ret = c;
	return len;
}

static bool harmful(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x00, 0x1f},	    /* C0 controls */
		{0x7f, 0x9f},	    /* DEL, C1 controls */
		{0x061c, 0x061c},   /* Arabic letter mark */
		{0x200e, 0x200f},   /* left-to-right and right-to-left marks */
		{0x2028, 0x202e},   /* line and paragraph separators, embeddings, overrides */
		{0x2066, 0x2069},   /* isolates */
		{0xe0000, 0xe007f}, /* tags: invisible text */
	};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

void str_add_safe(struct str *s, const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;

	while (n) {
		uint32_t c = 0;
		size_t len = utf8_decode(p, n, &c);
		bool escape = !len || harmful(c);

		if (!len)
			len = 1;
		if (!escape)
			str_addn(s, p, len);
		for (size_t i = 0; escape && i < len; i++)
			str_addf(s, "\\x%02x", p[i]);
		p += len;
		n -= len;
	}
}

bool str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

bool streq(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

#define NEAREST_MAX 63 /* longer words are nobody's typing error */

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* Insertions, deletions, substitutions and swaps of neighbours, each 1. Three rows of the matrix.
 */
static unsigned edit_distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned rows[3][NEAREST_MAX + 1];

	for (size_t j = 0; j <= m; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *row = rows[i % 3];
		const unsigned *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			row[j] = min3(above[j] + 1, row[j - 1] + 1,
				      above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    second[j - 2] + 1 < row[j])
				row[j] = second[j - 2] + 1;
		}
	}
	return rows[n % 3][m];
}

const char *str_nearest(const char *word, const char *const *names)
{
	size_t n = strlen(word);
	unsigned best = n / 3 > 1 ? (unsigned)(n / 3) : 1;
	const char *nearest = NULL;

	if (!n || n > NEAREST_MAX)
		return NULL;
	for (; *names; names++) {
		size_t m = strlen(*names);
		unsigned d;

		if (m > NEAREST_MAX)
			continue;
		d = edit_distance(word, n, *names, m);
		/* A word of which no letter is kept is not near, however short. */
		if (d < n && (d < best || (d == best && !nearest))) {
			best = d;
			nearest = *names;
		}
	}
	return nearest;
}
