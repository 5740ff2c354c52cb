/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing string. buf is never NULL and always NUL-terminated; len excludes the NUL. Start with
 * STR_INIT (or str_init()), end with str_done() or str_detach(). May hold NUL bytes.
 */
#ifndef LKP_STR_H
#define LKP_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct str {
	char *buf;
	size_t len;
	size_t cap; /* 0 while buf is the shared empty string */
};

extern char str_empty[1];
#define STR_INIT                 \
	{                        \
		.buf = str_empty \
	}
#define _cleanup_str_ __attribute__((cleanup(str_done)))

void str_init(struct str *s);
void str_done(struct str *s);	 /* releases; s is empty and usable afterwards */
void str_reset(struct str *s);	 /* to length 0, keeping the memory */
char *str_detach(struct str *s); /* the caller frees the result; s is empty afterwards */
void str_add(struct str *s, const char *text);
void str_addn(struct str *s, const void *data, size_t n);
void str_addc(struct str *s, char c);
void str_addf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *s, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void str_cut(struct str *s, size_t len); /* shortens to len when longer */
void str_trim(struct str *s);		 /* white space off both ends */
void str_rtrim(struct str *s);		 /* white space off the right end */

/* Appends text with everything unprintable (control characters, invalid UTF-8, and the Unicode
 * direction marks that reorder text) written as \xNN; for hostile text in logs and on terminals. */
void str_add_safe(struct str *s, const char *text, size_t n);

bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
bool streq(const char *a, const char *b); /* NULL equals only NULL */

/* The name of a NULL-terminated list that is nearest to word by edit distance (at most a third of
 * its length, at least 1 edit); NULL when none is near. For "did you mean". */
const char *str_nearest(const char *word, const char *const *names);

#endif
