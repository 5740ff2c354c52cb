/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/mail/mime.h"

#include <ctype.h>

#include "harness/util/mem.h"

#define EMAIL_MAX 254 /* RFC 5321 4.5.3.1.3, without the angle brackets */
#define LOCAL_MAX 64  /* RFC 5321 4.5.3.1.1 */

static int refuse(const char *email, const char *why, struct err *err)
{
	_cleanup_str_ struct str safe = STR_INIT;
	str_add_safe(&safe, email, strnlen(email, 100));
	return err_set(err, ERR_USER, "\"%s\" is no mail address: %s", safe.buf, why);
}

static bool is_atext(unsigned char c) /* RFC 5322 3.2.3 */
{
	return c < 128 && (isalnum(c) || (c && strchr("!#$%&'*+-/=?^_`{|}~", c)));
}

static bool is_host(unsigned char c)
{
	return c < 128 && (isalnum(c) || c == '-');
}

/* Non-empty words of allowed characters with single dots between them. */
static bool dotted(const char *text, size_t n, bool (*allowed)(unsigned char))
{
	bool word = false;
	for (size_t i = 0; i < n; i++) {
		bool dot = text[i] == '.';
		if (dot ? !word : !allowed((unsigned char)text[i]))
			return false;
		word = !dot;
	}
	return word;
}

int mime_address_check(const char *email, struct err *err)
{
	const char *at = strrchr(email, '@');
	if (!at)
		return refuse(email, "it has no @", err);
	if (strlen(email) > EMAIL_MAX || at - email > LOCAL_MAX)
		return refuse(email, "it is too long", err);
	if (!dotted(email, (size_t)(at - email), is_atext))
		return refuse(email, "before the @ must stand letters, digits and dots", err);
	if (!dotted(at + 1, strlen(at + 1), is_host) ||
	    (!strchr(at, '.') && !streq(at, "@localhost")))
		return refuse(email, "behind the @ must stand a host name", err);
	return 0;
}

/* Takes the quotes off a quoted string, and the backslashes in it. */
static void unquote(struct str *name)
{
	_cleanup_str_ struct str plain = STR_INIT;
	if (name->len < 2 || name->buf[0] != '"' || name->buf[name->len - 1] != '"')
		return;
	for (size_t i = 1; i + 1 < name->len; i++) {
		if (name->buf[i] == '\\' && i + 2 < name->len)
			i++;
		str_addc(&plain, name->buf[i]);
	}
	str_reset(name);
	str_addn(name, plain.buf, plain.len);
}

int mime_address_parse(const char *text, char **ret_name, char **ret_email, struct err *err)
{
	_cleanup_str_ struct str name = STR_INIT;
	_cleanup_str_ struct str email = STR_INIT;
	const char *open = strrchr(text, '<');
	if (open) {
		const char *close = strchr(open, '>');
		if (!close || close[1])
			return refuse(text, "expected \"Name <local@host>\"", err);
		str_addn(&name, text, (size_t)(open - text));
		str_addn(&email, open + 1, (size_t)(close - open - 1));
	} else {
		str_add(&email, text);
	}
	str_trim(&name);
	str_trim(&email);
	unquote(&name);
	if (mime_address_check(email.buf, err) < 0)
		return -1;
	*ret_name = str_detach(&name);
	*ret_email = str_detach(&email);
	return 0;
}
