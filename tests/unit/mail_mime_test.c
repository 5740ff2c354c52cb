/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/mail/mime.h"
#include "harness/util/mem.h"

static const struct mime_address list = {"The List", "list@example.org"};

static struct mime_mail mail_of(const char *subject, const struct mime_part *parts, size_t n)
{
	return (struct mime_mail){
		.from = {"lkpd", "lkpd@example.org"},
		.to = &list,
		.n_to = 1,
		.subject = subject,
		.message_id = "<id@example.org>",
		.date = 0,
		.parts = parts,
		.n_parts = n,
	};
}

static void one_part(void **state)
{
	const struct mime_part body = {"text/plain; charset=UTF-8", NULL, "hello\n", 6};
	struct mime_mail mail = mail_of("a subject", &body, 1);
	_cleanup_str_ struct str s = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	mail.in_reply_to = "<first@example.org>";
	assert_int_equal(mime_write(&mail, &s, &err), 0);
	assert_string_equal(s.buf, "Date: Thu, 01 Jan 1970 00:00:00 +0000\n"
				   "From: lkpd <lkpd@example.org>\n"
				   "To: The List <list@example.org>\n"
				   "Subject: a subject\n"
				   "Message-ID: <id@example.org>\n"
				   "In-Reply-To: <first@example.org>\n"
				   "References: <first@example.org>\n"
				   "MIME-Version: 1.0\n"
				   "Content-Type: text/plain; charset=UTF-8\n"
				   "Content-Transfer-Encoding: 7bit\n\n"
				   "hello\n");
}

static void encodings(void **state)
{
	static const struct {
		const char *type, *data, *wanted;
	} cases[] = {
		{"text/plain", "x\n", "7bit"},
		{"text/plain", "\xc3\xa4\n", "8bit"},
		{"text/plain", "\xff\n", "quoted-printable"},
		{"text/plain", "\x1b[31m\n", "quoted-printable"},
		{"application/json", "{}\n", "7bit"},
		{"application/octet-stream", "\xff\n", "base64"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct mime_part part = {cases[i].type, NULL, cases[i].data,
					       strlen(cases[i].data)};
		struct mime_mail mail = mail_of("s", &part, 1);
		_cleanup_str_ struct str s = STR_INIT;
		_cleanup_free_ char *line =
			xasprintf("Content-Transfer-Encoding: %s\n", cases[i].wanted);
		struct err err = ERR_INIT;
		assert_int_equal(mime_write(&mail, &s, &err), 0);
		assert_non_null(strstr(s.buf, line));
	}
}

static void refused(void **state)
{
	const struct mime_part body = {"text/plain", NULL, "x", 1};
	const struct mime_part odd = {"text/plain", "../x\"y", "x", 1};
	const struct mime_part split = {"text/plain\r\nX: y", NULL, "x", 1};
	const struct mime_address wrong = {"x", "a b@example.org"};
	const struct mime_header injected = {"X-A", "b\nBcc: c@example.org"};
	const struct mime_header name = {"X A", "b"};
	const struct mime_header nameless = {"", "b"};
	struct mime_mail mails[9];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++)
		mails[i] = mail_of("s", &body, 1);
	mails[0].n_parts = 0;
	mails[1].parts = &odd;
	mails[2].parts = &split;
	mails[3].to = &wrong;
	mails[4].headers = &injected;
	mails[4].n_headers = 1;
	mails[5].headers = &name;
	mails[5].n_headers = 1;
	mails[6].message_id = "<a b@example.org>";
	mails[7].in_reply_to = "<a@b>\n";
	mails[8].headers = &nameless;
	mails[8].n_headers = 1;
	for (size_t i = 0; i < ARRAY_SIZE(mails); i++) {
		_cleanup_str_ struct str s = STR_INIT;
		struct err err = ERR_INIT;
		if (mime_write(&mails[i], &s, &err) == 0)
			fail_msg("%zu was taken", i);
		assert_int_equal(err.kind, ERR_USER);
		assert_int_equal(s.len, 0);
	}
}

static void several_parts_are_deterministic(void **state)
{
	const struct mime_part parts[] = {
		{"text/plain", NULL, "body\n", 5},
		{"application/json", "a.json", "{}", 2},
	};
	struct mime_mail mail = mail_of("s", parts, 2);
	_cleanup_str_ struct str a = STR_INIT, b = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(mime_write(&mail, &a, &err), 0);
	assert_int_equal(mime_write(&mail, &b, &err), 0);
	assert_string_equal(a.buf, b.buf);
	assert_non_null(strstr(a.buf, "Content-Disposition: attachment; filename=\"a.json\"\n"));
	assert_non_null(strstr(a.buf, "multipart/mixed; boundary=\"=_"));
}

static void the_whole_says_what_its_parts_need(void **state)
{
	static const char *const bodies[][2] = {{"x\n", "7bit"}, {"\xc3\xa4\n", "8bit"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		const struct mime_part parts[] = {
			{"text/plain; charset=UTF-8", NULL, bodies[i][0], strlen(bodies[i][0])},
			{"application/json", "a.json", "{}", 2},
		};
		struct mime_mail mail = mail_of("s", parts, 2);
		_cleanup_str_ struct str s = STR_INIT;
		_cleanup_free_ char *wanted =
			xasprintf("\nContent-Transfer-Encoding: %s\n\n--=_", bodies[i][1]);
		struct err err = ERR_INIT;
		assert_int_equal(mime_write(&mail, &s, &err), 0);
		assert_non_null(strstr(s.buf, wanted));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_part),
		cmocka_unit_test(encodings),
		cmocka_unit_test(refused),
		cmocka_unit_test(several_parts_are_deterministic),
		cmocka_unit_test(the_whole_says_what_its_parts_need),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
