/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>

#include "harness/git/repo.h"
#include "harness/util/mem.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Lengths of UTF-8 sequences by their first byte, with the range the second byte must lie in: this
 * excludes overlong forms, surrogates and what is beyond U+10FFFF (RFC 3629, section 4). */
static const struct utf8_row {
	unsigned char first_lo, first_hi, len, second_lo, second_hi;
} utf8_rows[] = {
	{0x00, 0x7f, 1, 0x00, 0x00}, {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
	{0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
	{0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

/* Bytes of the valid sequence at s, or 0. s is NUL-terminated, which ends every sequence. */
static size_t utf8_len(const unsigned char *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(utf8_rows); i++) {
		const struct utf8_row *row = &utf8_rows[i];

		if (*s < row->first_lo || *s > row->first_hi)
			continue;
		if (row->len > 1 && (s[1] < row->second_lo || s[1] > row->second_hi))
			return 0;
		for (size_t k = 2; k < row->len; k++)
			if (s[k] < 0x80 || s[k] > 0xbf)
				return 0;
		return row->len;
	}
	return 0;
}

char *git_text(const char *text, size_t cap)
{
	const unsigned char *p = (const unsigned char *)(text ? text : "");
	struct str s = STR_INIT;

	while (*p) {
		size_t n = utf8_len(p);

		if (s.len + (n ? n : strlen(REPLACEMENT)) > cap)
			break;
		str_addn(&s, n ? (const void *)p : REPLACEMENT, n ? n : strlen(REPLACEMENT));
		p += n ? n : 1;
	}
	return str_detach(&s);
}
