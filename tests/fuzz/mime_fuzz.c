/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as name, subject and body of a mail: it is written with no line over 998 bytes and no
 * header that we did not write, or refused.
 */
#include <stddef.h>
#include <stdint.h>

#include "harness/mail/mime.h"
#include "harness/util/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The headers end where the first empty line is; each line is one of ours or a continuation. */
static void check(const char *text)
{
	static const char *const ours[] = {"Date: ",
					   "From: ",
					   "To: ",
					   "Subject: ",
					   "Message-ID: ",
					   "MIME-Version: ",
					   "Content-Type",
					   "Content-Transfer-Encoding: ",
					   " "};
	bool head = true;

	for (const char *line = text; *line;) {
		size_t n = strcspn(line, "\n");
		bool known = n == 0;
		for (size_t i = 0; i < ARRAY_SIZE(ours); i++)
			known |= str_starts(line, ours[i]);
		if (n > 998 || (head && !known))
			abort();
		head = head && n > 0;
		line += n + (line[n] != '\0');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = xstrndup((const char *)data, size);
	const struct mime_address to = {text, "a@example.org"};
	const struct mime_part body = {"text/plain; charset=UTF-8", NULL, data, size};
	const struct mime_mail mail = {
		.from = {text, "b@example.org"},
		.to = &to,
		.n_to = 1,
		.subject = text,
		.message_id = "<c@example.org>",
		.parts = &body,
		.n_parts = 1,
	};
	_cleanup_str_ struct str s = STR_INIT;
	struct err err = ERR_INIT;

	if (mime_write(&mail, &s, &err) == 0)
		check(s.buf);
	else if (err.kind != ERR_USER || s.len)
		abort();
	return 0;
}
