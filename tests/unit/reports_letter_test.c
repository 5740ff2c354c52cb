/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "tests/unit/letter_sample.h"

/* UPDATE=1 rewrites the expected texts: read the difference before committing it. */
static void check_golden(const struct letter *l, const char *name)
{
	_cleanup_free_ char *path = xasprintf("tests/fixtures/letters/%s.expected", name);
	_cleanup_str_ struct str body = STR_INIT, wanted = STR_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(letter_body(l, &body, &err), 0);
	if (getenv("UPDATE"))
		assert_int_equal(fs_write_atomic(path, body.buf, body.len, 0644, &err), 0);
	assert_int_equal(fs_read(path, 1 << 20, &wanted, &err), 0);
	assert_string_equal(body.buf, wanted.buf);
}

static void goldens(void **state)
{
	struct sample s;

	(void)state;
	sample_fill(&s, 1, "tmpfs: keep a digest of the last written page", "Sam Slow");
	check_golden(&s.letter, "single");
	sample_fill(&s, 2, "tmpfs: keep a digest of the last written page", "Sam Slow");
	s.letter.range_more = true;
	s.rows[1].verdict = "inconclusive";
	s.rows[1].reason =
		(char *)"too few blocks: 3, where 2 KPIs judged together need at least 5";
	check_golden(&s.letter, "range");
}

static void subject_line(void **state)
{
	struct sample s;
	_cleanup_str_ struct str line = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	sample_fill(&s, 1, "x", "y");
	assert_int_equal(letter_subject(&s.letter, &line, &err), 0);
	assert_string_equal(line.buf, "[mm] abcdef012345: -5.5% will-it-scale.per_thread_ops");
	sample_fill(&s, 2, "x", "y");
	str_reset(&line);
	assert_int_equal(letter_subject(&s.letter, &line, &err), 0);
	assert_string_equal(line.buf,
			    "[mm] 0123456789ab..abcdef012345: -5.5% will-it-scale.per_thread_ops");
}

static void a_range_blames_nobody(void **state)
{
	struct sample s;
	_cleanup_str_ struct str body = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	sample_fill(&s, 2, "subject", "Sam Slow");
	assert_int_equal(letter_body(&s.letter, &body, &err), 0);
	assert_null(strstr(body.buf, "Hello Sam"));
	assert_non_null(strstr(body.buf, "none is blamed"));
}

static void hostile_text_stays_on_its_line(void **state)
{
	static const char *const texts[] = {
		"\x1b[31mred",
		"a\r\nSubject: b",
		"\xe2\x80\xae"
		"txet",
		"\xff\xfe",
		"<script>alert(1)</script>",
	};
	_cleanup_str_ struct str longest = STR_INIT;

	(void)state;
	for (int i = 0; i < 2000; i++)
		str_addc(&longest, 'x');
	for (size_t i = 0; i <= ARRAY_SIZE(texts); i++) {
		const char *text = i < ARRAY_SIZE(texts) ? texts[i] : longest.buf;
		struct sample s;
		_cleanup_str_ struct str body = STR_INIT;
		struct err err = ERR_INIT;
		sample_fill(&s, 2, text, text);
		assert_int_equal(letter_body(&s.letter, &body, &err), 0);
		assert_null(strchr(body.buf, '\x1b'));
		assert_null(strchr(body.buf, '\r'));
		assert_null(strchr(body.buf, '\xff'));
		assert_null(strstr(body.buf, "\xe2\x80\xae"));
		assert_null(strstr(body.buf, "\nSubject:"));
		for (const char *line = body.buf; *line; line += strcspn(line, "\n") + 1)
			assert_true(strcspn(line, "\n") <= 160);
	}
}

/* What we say ourselves; not the commits, the table and commands that are copied. */
static bool is_prose(const char *line)
{
	static const char *const kinds[] = {"tree:", "base:",	 "head:",      "branch:",
					    "  abc", "  lkpctl", "test case:", "  regression"};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (str_starts(line, kinds[i]))
			return false;
	return !strstr(line, " ~ ");
}

static void prose_fits_a_terminal(void **state)
{
	struct sample s;
	_cleanup_str_ struct str body = STR_INIT, facts = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < 100; i++)
		str_add(&facts, "console=ttyS0 ");
	sample_fill(&s, 1, "subject",
		    "A name of many words that goes on and on until it is cut off");
	s.letter.boot_cmdline = facts.buf;
	s.letter.config_facts = facts.buf;
	s.rows[1].reason = facts.buf;
	assert_int_equal(letter_body(&s.letter, &body, &err), 0);
	for (const char *line = body.buf; *line; line += strcspn(line, "\n") + 1)
		if (is_prose(line) && strcspn(line, "\n") > 76)
			fail_msg("%.*s", (int)strcspn(line, "\n"), line);
}

static void facts_that_are_not_known_leave_no_mark(void **state)
{
	struct sample s;
	_cleanup_str_ struct str body = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	sample_fill(&s, 1, "subject", "");
	s.letter.emulator = s.letter.accel = s.letter.tree_url = NULL;
	s.letter.cpu_model = TEXT("  ");
	s.cases[0].describe = s.cases[0].source = NULL;
	assert_int_equal(letter_body(&s.letter, &body, &err), 0);
	assert_true(str_starts(body.buf, "Hello,\n\n"));
	assert_null(strstr(body.buf, "(null)"));
	assert_null(strstr(body.buf, "Source:"));
	assert_non_null(strstr(body.buf, "\n  clocksource  tsc\n"));
}

/* However many KPIs there are, what is reported is the first row; the table is cut behind it. */
static void the_reported_row_leads(void **state)
{
	struct sample s;
	struct report_row rows[20];
	_cleanup_str_ struct str body = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	sample_fill(&s, 1, "subject", "Sam Slow");
	for (size_t i = 0; i < ARRAY_SIZE(rows) - 1; i++)
		rows[i] = s.rows[1];
	rows[ARRAY_SIZE(rows) - 1] = s.rows[0];
	s.report.rows = rows;
	s.report.n_rows = ARRAY_SIZE(rows);
	s.letter.row = &rows[ARRAY_SIZE(rows) - 1];
	assert_int_equal(letter_body(&s.letter, &body, &err), 0);
	const char *reported = strstr(body.buf, "TOTAL will-it-scale.per_thread_ops");
	const char *other = strstr(body.buf, "TOTAL pipe-test.usecs_per_op");
	assert_non_null(reported);
	assert_non_null(other);
	assert_true(reported < other);
	assert_non_null(strstr(body.buf, "5 more rows: see the attached samples.json."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goldens),
		cmocka_unit_test(subject_line),
		cmocka_unit_test(a_range_blames_nobody),
		cmocka_unit_test(hostile_text_stays_on_its_line),
		cmocka_unit_test(prose_fits_a_terminal),
		cmocka_unit_test(facts_that_are_not_known_leave_no_mark),
		cmocka_unit_test(the_reported_row_leads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
