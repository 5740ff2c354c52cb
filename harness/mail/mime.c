/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/mail/mime.h"

#include <ctype.h>

#include "harness/mail/encode.h"
#include "harness/util/hash.h"
#include "harness/util/mem.h"
#include "harness/util/time.h"

#define BODY_LINE_MAX 998 /* RFC 5322 2.1.1 */
#define ADDRESS_LINE  60  /* name and address together on a header's line */

static int check_one_line(const char *name, const char *value, struct err *err)
{
	if (value[strcspn(value, "\r\n")])
		return err_set(err, ERR_USER, "mail header %s: a line end in its value is refused",
			       name);
	return 0;
}

static int check_name(const char *name, struct err *err)
{
	bool good = *name != '\0';
	for (const char *p = name; *p; p++)
		good &= isalnum((unsigned char)*p) || *p == '-';
	if (!good)
		return err_set(err, ERR_USER, "mail header with an odd name is refused");
	return 0;
}

static int add_header(struct str *s, const char *name, const char *value, struct err *err)
{
	if (check_name(name, err) < 0 || check_one_line(name, value, err) < 0)
		return -1;
	str_addf(s, "%s: ", name);
	encode_header_text(s, value, strlen(name) + 2);
	str_addc(s, '\n');
	return 0;
}

/* Message-IDs are never folded or encoded. */
static int add_id(struct str *s, const char *name, const char *id, struct err *err)
{
	size_t n = strlen(id);
	bool good = n > 4 && n < 250 && id[0] == '<' && id[n - 1] == '>' && strchr(id, '@');
	for (const char *p = id; *p; p++)
		good &= *p > 32 && *p < 127;
	if (!good)
		return err_set(err, ERR_USER, "mail header %s: this is no Message-ID", name);
	str_addf(s, "%s: %s\n", name, id);
	return 0;
}

static int add_addresses(struct str *s, const char *name, const struct mime_address *list, size_t n,
			 struct err *err)
{
	if (n == 0)
		return 0;
	str_addf(s, "%s: ", name);
	for (size_t i = 0; i < n; i++) {
		if (mime_address_check(list[i].email, err) < 0)
			return -1;
		if (i)
			str_add(s, ",\n ");
		if (list[i].name && *list[i].name) {
			size_t start = s->len;
			encode_phrase(s, list[i].name, i ? 1 : strlen(name) + 2);
			bool fits = s->len - start + strlen(list[i].email) < ADDRESS_LINE &&
				    !memchr(s->buf + start, '\n', s->len - start);
			str_addf(s, "%s<%s>", fits ? " " : "\n ", list[i].email);
		} else {
			str_add(s, list[i].email);
		}
	}
	str_addc(s, '\n');
	return 0;
}

struct text_form {
	bool ascii, utf8, short_lines;
};

static struct text_form form_of(const char *data, size_t n)
{
	struct text_form form = {true, true, true};
	size_t line = 0;
	for (size_t i = 0; i < n;) {
		size_t len = encode_utf8_length(data + i, n - i);
		unsigned char c = (unsigned char)data[i];
		line = c == '\n' ? 0 : line + (len ? len : 1);
		form.ascii &= len == 1 && c != '\r' && c != 0 && c < 127;
		form.utf8 &= len > 0 && c != 0 && c != '\r';
		form.short_lines &= line <= BODY_LINE_MAX;
		i += len ? len : 1;
	}
	return form;
}

/* Whether a terminal may get the text as it is: no escape sequence, nothing that turns it around.
 */
static bool is_harmless(const char *data, size_t n)
{
	_cleanup_str_ struct str safe = STR_INIT;
	for (size_t i = 0, end; i < n; i = end + 1) {
		for (end = i; end < n && data[end] != '\n' && data[end] != '\t';)
			end++;
		str_reset(&safe);
		str_add_safe(&safe, data + i, end - i);
		if (safe.len != end - i)
			return false;
	}
	return true;
}

/* How the part travels. */
static const char *encoding_of(const struct mime_part *part)
{
	struct text_form form = form_of(part->data, part->n);
	if (form.utf8 && form.short_lines && is_harmless(part->data, part->n))
		return form.ascii ? "7bit" : "8bit";
	return str_starts(part->type, "text/") ? "quoted-printable" : "base64";
}

static void add_part(struct str *s, const struct mime_part *part)
{
	const char *encoding = encoding_of(part);
	str_addf(s, "Content-Type: %s\n", part->type);
	if (part->name)
		str_addf(s, "Content-Disposition: attachment; filename=\"%s\"\n", part->name);
	str_addf(s, "Content-Transfer-Encoding: %s\n\n", encoding);
	if (streq(encoding, "quoted-printable"))
		encode_quoted_printable(s, part->data, part->n);
	else if (streq(encoding, "base64"))
		encode_base64_lines(s, part->data, part->n);
	else
		str_addn(s, part->data, part->n);
}

static int check_parts(const struct mime_mail *mail, struct err *err)
{
	for (size_t i = 0; i < mail->n_parts; i++) {
		const struct mime_part *part = &mail->parts[i];
		for (const char *p = part->name ? part->name : ""; *p; p++)
			if (!isalnum((unsigned char)*p) && !strchr("._-", *p))
				return err_set(err, ERR_USER,
					       "attachment with an odd name is refused");
		if (check_one_line("Content-Type", part->type, err) < 0)
			return -1;
	}
	return 0;
}

static void add_parts(struct str *s, const struct mime_mail *mail)
{
	char hex[HASH_HEX_LEN + 1];
	if (mail->n_parts == 1) {
		add_part(s, &mail->parts[0]);
		if (s->buf[s->len - 1] != '\n')
			str_addc(s, '\n');
		return;
	}
	/* "=_" occurs neither in quoted-printable nor base64; the hash keeps it out of plain text.
	 */
	hash_bytes(mail->message_id, strlen(mail->message_id), hex);
	/* The whole says what its parts need (RFC 2045, 6.4). */
	bool eight = false;
	for (size_t i = 0; i < mail->n_parts; i++)
		eight |= streq(encoding_of(&mail->parts[i]), "8bit");
	str_addf(s, "Content-Type: multipart/mixed; boundary=\"=_%.32s\"\n", hex);
	str_addf(s, "Content-Transfer-Encoding: %s\n\n", eight ? "8bit" : "7bit");
	for (size_t i = 0; i < mail->n_parts; i++) {
		str_addf(s, "--=_%.32s\n", hex);
		add_part(s, &mail->parts[i]);
		str_addc(s, '\n'); /* belongs to the boundary (RFC 2046, 5.1.1), not to the part */
	}
	str_addf(s, "--=_%.32s--\n", hex);
}

static int add_headers(struct str *s, const struct mime_mail *mail, struct err *err)
{
	str_add(s, "Date: ");
	time_add_rfc5322(s, mail->date);
	str_addc(s, '\n');
	if (add_addresses(s, "From", &mail->from, 1, err) < 0 ||
	    add_addresses(s, "To", mail->to, mail->n_to, err) < 0 ||
	    add_addresses(s, "Cc", mail->cc, mail->n_cc, err) < 0 ||
	    add_header(s, "Subject", mail->subject, err) < 0 ||
	    add_id(s, "Message-ID", mail->message_id, err) < 0)
		return -1;
	if (mail->in_reply_to && (add_id(s, "In-Reply-To", mail->in_reply_to, err) < 0 ||
				  add_id(s, "References", mail->in_reply_to, err) < 0))
		return -1;
	for (size_t i = 0; i < mail->n_headers; i++)
		if (add_header(s, mail->headers[i].name, mail->headers[i].value, err) < 0)
			return -1;
	str_add(s, "MIME-Version: 1.0\n");
	return 0;
}

int mime_write(const struct mime_mail *mail, struct str *ret, struct err *err)
{
	_cleanup_str_ struct str s = STR_INIT;
	if (mail->n_parts == 0)
		return err_set(err, ERR_USER, "a mail without a body is refused");
	if (check_parts(mail, err) < 0 || add_headers(&s, mail, err) < 0)
		return -1;
	add_parts(&s, mail);
	str_addn(ret, s.buf, s.len);
	return 0;
}
