/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodings of mail: base64 (RFC 4648), quoted-printable and encoded words (RFC 2045, 2047).
 */
#ifndef LKP_MAIL_ENCODE_H
#define LKP_MAIL_ENCODE_H

#include <stddef.h>

#include "harness/util/str.h"

/* Lines of 76 characters, each ended by LF. */
void encode_base64_lines(struct str *s, const void *data, size_t n);
/* Lines of at most 76 characters; LF in data is a line end, CR is encoded. */
void encode_quoted_printable(struct str *s, const char *data, size_t n);
/* Header text that starts at `column`: as it is when printable ASCII (folded at blanks), otherwise
 * as UTF-8 encoded words, folded so that no line passes 76 characters. Invalid UTF-8 becomes
 * U+FFFD; control characters and direction marks (str_add_safe()) become a blank. */
void encode_header_text(struct str *s, const char *text, size_t column);
/* A display name: an atom list, a quoted string, or encoded words. */
void encode_phrase(struct str *s, const char *text, size_t column);
/* Length in bytes of the valid UTF-8 character at p (n bytes left), 0 when it is invalid. */
size_t encode_utf8_length(const char *p, size_t n);

#endif
