/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/mail/encode.h"

#include <ctype.h>
#include <openssl/evp.h>
#include <stdint.h>

#include "harness/util/mem.h"

#define LINE_MAX_CHARS 76
#define PHRASE_MAX     60 /* a plain name on one line */
#define WORD_FRAME     12 /* =?UTF-8?B? and ?= */
#define WORD_BYTES     42 /* payload of an encoded word: 56 characters of base64, 68 with its frame */

static void base64(struct str *s, const void *data, size_t n)
{
	_cleanup_free_ unsigned char *out = xmalloc(4 * ((n + 2) / 3) + 1);
	int len = EVP_EncodeBlock(out, data, (int)n);
	str_addn(s, out, (size_t)len);
}

void encode_base64_lines(struct str *s, const void *data, size_t n)
{
	const unsigned char *p = data;
	for (size_t i = 0; i < n; i += 57) {
		base64(s, p + i, n - i < 57 ? n - i : 57);
		str_addc(s, '\n');
	}
}

void encode_quoted_printable(struct str *s, const char *data, size_t n)
{
	size_t column = 0;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)data[i];
		bool at_end = i + 1 == n || data[i + 1] == '\n';
		bool blank = c == ' ' || c == '\t';
		bool plain = (c > 32 && c < 127 && c != '=') || (blank && !at_end);
		if (c == '\n') {
			str_addc(s, '\n');
			column = 0;
			continue;
		}
		if (column + (plain ? 1 : 3) > LINE_MAX_CHARS - 1) {
			str_add(s, "=\n");
			column = 0;
		}
		if (plain)
			str_addc(s, (char)c);
		else
			str_addf(s, "=%02X", c);
		column += plain ? 1 : 3;
	}
	if (column)
		str_add(s, "=\n");
}

size_t encode_utf8_length(const char *p, size_t n)
{
	const unsigned char *u = (const unsigned char *)p;
	uint32_t code, least;
	size_t len;
	if (n == 0)
		return 0;
	if (u[0] < 0x80)
		return 1;
	if (u[0] >= 0xc2 && u[0] < 0xe0)
		len = 2, code = u[0] & 0x1f, least = 0x80;
	else if (u[0] >= 0xe0 && u[0] < 0xf0)
		len = 3, code = u[0] & 0x0f, least = 0x800;
	else if (u[0] >= 0xf0 && u[0] < 0xf5)
		len = 4, code = u[0] & 0x07, least = 0x10000;
	else
		return 0;
	if (n < len)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (u[i] & 0x3f);
	}
	bool surrogate = code >= 0xd800 && code < 0xe000;
	return code >= least && code <= 0x10ffff && !surrogate ? len : 0;
}

/* Would a terminal obey the character: a control, or a mark that turns the text around? */
static bool harmful(const char *p, size_t len)
{
	_cleanup_str_ struct str safe = STR_INIT;
	str_add_safe(&safe, p, len);
	return safe.len != len;
}

/* The text as valid UTF-8 on one line, without what a reader's terminal would obey. */
static void clean(struct str *ret, const char *text)
{
	size_t n = strlen(text);
	for (size_t i = 0; i < n;) {
		size_t len = encode_utf8_length(text + i, n - i);
		if (len == 0)
			str_add(ret, "\xef\xbf\xbd");
		else if (harmful(text + i, len))
			str_addc(ret, ' ');
		else
			str_addn(ret, text + i, len);
		i += len ? len : 1;
	}
}

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text >= 127 || (unsigned char)*text < 32)
			return false;
	return true;
}

/* How much an encoded word that starts at column may carry. */
static size_t room_at(size_t column)
{
	size_t used = column + WORD_FRAME;
	size_t room = used < LINE_MAX_CHARS ? (LINE_MAX_CHARS - used) / 4 * 3 : 0;
	return room < WORD_BYTES ? room : WORD_BYTES;
}

/* The same for the first word, which goes to a line of its own where the rest of this one is short.
 */
static size_t first_room(size_t column)
{
	size_t room = room_at(column);
	return room < WORD_BYTES / 2 ? WORD_BYTES : room;
}

static void add_words(struct str *s, const struct str *text, size_t column)
{
	size_t i = 0;
	while (i < text->len) {
		size_t n = 0;
		size_t room = i == 0 ? first_room(column) : WORD_BYTES;
		/* An encoded word holds whole characters (RFC 2047 5). */
		while (i + n < text->len) {
			size_t len = encode_utf8_length(text->buf + i + n, text->len - i - n);
			if (n + len > room)
				break;
			n += len;
		}
		if (i > 0 || room_at(column) < room)
			str_add(s, "\n ");
		str_add(s, "=?UTF-8?B?");
		base64(s, text->buf + i, n);
		str_add(s, "?=");
		i += n;
	}
}

/* Plain text, folded before words that would pass the line's end. */
static void add_folded(struct str *s, const char *text, size_t column)
{
	while (*text) {
		size_t blanks = strspn(text, " ");
		size_t word = strcspn(text + blanks, " ");
		if (blanks && word && column + blanks + word > LINE_MAX_CHARS) {
			str_addc(s, '\n');
			column = 0;
		}
		str_addn(s, text, blanks + word);
		column += blanks + word;
		text += blanks + word;
	}
}

/* Would a reader of the header take the plain text for an encoded word, or is a word (with the
 * blanks before it: folding keeps them) too long for a line? */
static bool needs_words(const char *text)
{
	size_t longest = 0;
	for (const char *p = text; *p;) {
		size_t blanks = strspn(p, " ");
		size_t word = blanks + strcspn(p + blanks, " ");
		longest = word > longest ? word : longest;
		p += word;
	}
	return !is_ascii(text) || strstr(text, "=?") || longest > LINE_MAX_CHARS || *text == ' ' ||
	       (*text && text[strlen(text) - 1] == ' ');
}

void encode_header_text(struct str *s, const char *text, size_t column)
{
	_cleanup_str_ struct str line = STR_INIT;
	clean(&line, text);
	if (needs_words(line.buf))
		add_words(s, &line, column);
	else
		add_folded(s, line.buf, column);
}

void encode_phrase(struct str *s, const char *text, size_t column)
{
	_cleanup_str_ struct str line = STR_INIT;
	bool atoms = true;
	clean(&line, text);
	/* Atoms and quoted strings are not folded. */
	if (needs_words(line.buf) || line.len > PHRASE_MAX) {
		add_words(s, &line, column);
		return;
	}
	for (const char *p = line.buf; *p; p++)
		atoms &= isalnum((unsigned char)*p) || strchr(" -_", *p);
	if (atoms) {
		str_add(s, line.buf);
		return;
	}
	str_addc(s, '"');
	for (const char *p = line.buf; *p; p++) {
		if (*p == '"' || *p == '\\')
			str_addc(s, '\\');
		str_addc(s, *p);
	}
	str_addc(s, '"');
}
