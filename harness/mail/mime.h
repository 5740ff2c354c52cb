/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mail as RFC 5322 and MIME text. Whatever comes in, no header can be injected and no line passes
 * 998 bytes: names and subjects are encoded by RFC 2047 unless plain ASCII, bodies are 7bit, 8bit
 * or quoted-printable.
 */
#ifndef LKP_MIME_H
#define LKP_MIME_H

#include <stddef.h>
#include <stdint.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

struct mime_address {
	const char *name;  /* display name, any bytes; "" or NULL: none */
	const char *email; /* local@domain, checked by mime_address_check() */
};

struct mime_part {
	const char *type; /* "text/plain; charset=UTF-8" */
	const char *name; /* file name of an attachment; NULL: the body */
	const void *data;
	size_t n;
};

struct mime_header {
	const char *name; /* "X-LKP-Commit": letters, digits, '-' */
	const char *value;
};

struct mime_mail {
	struct mime_address from;
	const struct mime_address *to, *cc;
	size_t n_to, n_cc;
	const char *subject;
	const char *message_id;	 /* "<...@...>" */
	const char *in_reply_to; /* or NULL */
	int64_t date;
	const struct mime_header *headers; /* more of them */
	size_t n_headers;
	const struct mime_part *parts; /* the first is the body */
	size_t n_parts;
};

/* Appends the message, lines ended by LF (a maildir's form; SMTP sends CRLF). Kind USER for an
 * address that is none, a header with CR, LF or NUL. The boundary follows from message_id, so the
 * text is deterministic. */
int mime_write(const struct mime_mail *mail, struct str *ret, struct err *err);

/* A plain dot-atom local part at a dotted host name, ASCII, at most 254 bytes (RFC 5321): else kind
 * USER. */
int mime_address_check(const char *email, struct err *err);
/* Splits "Name <a@b>" or "a@b"; the caller frees both. */
int mime_address_parse(const char *text, char **ret_name, char **ret_email, struct err *err);

#endif
