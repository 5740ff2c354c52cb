/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/console_line.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SYSLOG_MAX 100 /* time and host, before "kernel: " */

/* "[   T77]" and "[    C0]" name a caller, other brackets a time. */
static const char *cut_bracket(const char *p, uint32_t *caller)
{
	const char *in = p + 1 + strspn(p + 1, " ");
	const char *end = in + strspn(in, " .0123456789TC");

	if (*end != ']')
		return NULL;
	if (*in == 'T' || *in == 'C')
		*caller = (*in == 'T' ? 1u << 30 : 1u << 31) |
			  ((uint32_t)strtoul(in + 1, NULL, 10) & ((1u << 30) - 1));
	return end + 1;
}

/* "Dec  1 03:53:29 " or "2026-12-01T03:53:29" */
static bool is_dated(const char *p)
{
	size_t n = strnlen(p, 20);

	if (n < 20)
		return false;
	if (isupper((unsigned char)p[0]))
		return p[3] == ' ' && p[9] == ':' && p[12] == ':';
	return isdigit((unsigned char)p[0]) && p[4] == '-' && p[10] == 'T' && p[13] == ':';
}

static const char *cut_syslog(const char *p)
{
	const char *end = is_dated(p) ? strstr(p, " kernel: ") : NULL;

	return end && end - p < SYSLOG_MAX ? end + strlen(" kernel: ") : NULL;
}

static const char *cut_one(const char *p, uint32_t *caller)
{
	const char *end;

	if (*p == '[')
		return cut_bracket(p, caller);
	if (*p == '<' && isdigit((unsigned char)p[1]) && (end = strchr(p, '>')) && end - p <= 4)
		return end + 1;
	return cut_syslog(p);
}

const char *console_line_text(const char *line, uint32_t *ret_caller)
{
	uint32_t caller = 0;
	const char *p = line, *next;

	for (;; p = next) {
		p += strspn(p, " ");
		next = cut_one(p, &caller);
		if (!next)
			break;
	}
	*ret_caller = caller;
	return p;
}

/* The length of a number at p, decimal, or hexadecimal as addresses are. */
static size_t number_length(const char *p)
{
	size_t hex, dec;

	if (p[0] == '0' && p[1] == 'x')
		return 2 + strspn(p + 2, "0123456789abcdef");
	hex = strspn(p, "0123456789abcdef");
	dec = strspn(p, "0123456789");
	return hex >= 8 ? hex : dec;
}

/* The length of what stands in brackets at p, which names a task or a file system: "(ld.so)". */
static size_t bracket_length(const char *p)
{
	static const char closing[] = {['('] = ')', ['['] = ']'};
	const char *end;

	if (*p != '(' && *p != '[')
		return 0;
	end = strchr(p, closing[(unsigned char)*p]);
	return end ? (size_t)(end - p) + 1 : 0;
}

void console_line_plain(const char *text, char *to, unsigned int size)
{
	unsigned int n = 0;

	while (*text && n + 1 < size) {
		size_t gone = bracket_length(text), number = number_length(text);

		if (!gone)
			to[n++] = number ? '#' : *text;
		text += gone ? gone : number ? number : 1;
	}
	to[n] = '\0';
}
