/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/mail/mime.h"
#include "harness/util/mem.h"

static void good_and_bad(void **state)
{
	static const struct {
		const char *email;
		bool good;
	} cases[] = {
		{"a@example.org", true},
		{"first.last+tag@sub.example.org", true},
		{"x`rm@example.org", true}, /* a backtick is an atom's character; nothing runs it */
		{"", false},
		{"a", false},
		{"a@localhost", true},
		{"a@host", false},
		{"@example.org", false},
		{"a@", false},
		{"a@example..org", false},
		{".a@example.org", false},
		{"a.@example.org", false},
		{"a b@example.org", false},
		{"x`rm -rf .`@example.org", false},
		{"a@b@example.org", false},
		{"a@exa mple.org", false},
		{"a,b@example.org", false},
		{"a\n@example.org", false},
		{"a@example.org\r\nBcc: b@example.org", false},
		{"\"quoted\"@example.org", false},
		{"\xc3\xa4@example.org", false},
		{"a@ex\xc3\xa4mple.org", false},
		{"0123456789012345678901234567890123456789012345678901234567890123456789@example.org",
		 false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = ERR_INIT;
		int rc = mime_address_check(cases[i].email, &err);
		if ((rc == 0) != cases[i].good)
			fail_msg("%zu: %s", i, cases[i].email);
		if (rc < 0)
			assert_int_equal(err.kind, ERR_USER);
	}
}

static void parsed(void **state)
{
	static const char *const cases[][3] = {
		{"a@example.org", "", "a@example.org"},
		{"lkpd <lkpd@example.org>", "lkpd", "lkpd@example.org"},
		{" \"The List\" <l@example.org>", "The List", "l@example.org"},
		{"<l@example.org>", "", "l@example.org"},
		{"\"Sam \\\"S\\\" \\\\\" <l@example.org>", "Sam \"S\" \\", "l@example.org"},
		{"\" <l@example.org>", "\"", "l@example.org"},
		{"\"\" <l@example.org>", "", "l@example.org"},
		{"a <b> <c@example.org>", "a <b>", "c@example.org"},
		{"no end <c@example.org", NULL, NULL},
		{"rest <c@example.org> x", NULL, NULL},
		{"none", NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *name = NULL, *email = NULL;
		struct err err = ERR_INIT;
		int rc = mime_address_parse(cases[i][0], &name, &email, &err);
		assert_int_equal(rc, cases[i][1] ? 0 : -1);
		if (rc < 0)
			continue;
		assert_string_equal(name, cases[i][1]);
		assert_string_equal(email, cases[i][2]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_and_bad),
		cmocka_unit_test(parsed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
