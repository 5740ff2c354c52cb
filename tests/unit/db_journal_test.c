/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "db/journal.h"
#include "db/journal_doc.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

static char *folder;
static struct journal *journal;
static struct err err;

static int setup(void **state)
{
	char template[] = "/tmp/lkp-journal-test-XXXXXX";

	(void)state;
	err = (struct err)ERR_INIT;
	folder = xstrdup(mkdtemp(template));
	journal = journal_new(folder);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	journal_free(journal);
	fs_remove_tree(folder, &err);
	free(folder);
	return 0;
}

static void add(struct str *text, const char *key, const char *value)
{
	_cleanup_json_ json_t *json = json_pack("{s:s}", key, value);

	journal_add_line(text, json);
}

static void append(const char *value)
{
	_cleanup_str_ struct str text = STR_INIT;
	struct journal_pos end;

	add(&text, "v", value);
	assert_int_equal(journal_lock(journal, &err), 0);
	if (journal_append(journal, &text, &end, &err) < 0)
		fail_msg("%s", err.msg);
	journal_unlock(journal);
}

/* What a reading met: the values of good lines, "?" for a damaged one, "~" for a torn one. */
static int note(const struct journal_line *line, void *arg, struct err *e)
{
	(void)e;
	if (line->json)
		str_addf(arg, "%s ", json_string_value(json_object_get(line->json, "v")));
	else
		str_add(arg, line->torn ? "~ " : "? ");
	return 0;
}

static void expect_lines(const struct journal_pos *from, const char *want)
{
	const struct journal_pos begin = {.file = ""};
	_cleanup_str_ struct str seen = STR_INIT;

	if (journal_read(journal, from ? from : &begin, note, &seen, &err) < 0)
		fail_msg("%s", err.msg);
	assert_string_equal(seen.buf, want);
}

static char *newest(void)
{
	struct journal_pos end;

	assert_int_equal(journal_end(journal, &end, &err), 0);
	return xasprintf("%s/%s", folder, end.file);
}

static void lines_come_back_in_order(void **state)
{
	struct journal_pos middle;
	bool holds;

	(void)state;
	expect_lines(NULL, "");
	append("one");
	assert_int_equal(journal_end(journal, &middle, &err), 0);
	append("two");
	append("t\xc3\xa4t\n\"");
	expect_lines(NULL, "one two t\xc3\xa4t\n\" ");
	expect_lines(&middle, "two t\xc3\xa4t\n\" ");
	assert_int_equal(journal_holds(journal, &middle, &holds, &err), 0);
	assert_true(holds);
	middle.offset += 10000;
	assert_int_equal(journal_holds(journal, &middle, &holds, &err), 0);
	assert_false(holds);
}

static void each_line_is_json_of_its_own(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_json_ json_t *json = NULL;

	(void)state;
	add(&text, "v", "one");
	assert_int_equal(json_load("l", text.buf, text.len - 1, &json, &err), 0);
	assert_int_equal(strlen(json_string_value(json_object_get(json, "sum"))), 16);
	assert_string_equal(json_string_value(json_object_get(json, "v")), "one");
}

static void every_changed_byte_is_seen(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;

	(void)state;
	add(&text, "v", "one");
	for (size_t i = 0; i + 1 < text.len; i++) {
		_cleanup_str_ struct str seen = STR_INIT;
		text.buf[i] ^= 1;
		FILE *f = fmemopen(text.buf, text.len, "r");
		assert_int_equal(journal_read_file(f, "f", note, &seen, &err), 0);
		fclose(f);
		text.buf[i] ^= 1;
		/* A byte that became a newline makes two of one. */
		if (!streq(seen.buf, "? ") && !streq(seen.buf, "? ? "))
			fail_msg("byte %zu: %s", i, seen.buf);
	}
}

static void every_cut_is_seen(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;

	(void)state;
	add(&text, "v", "one");
	add(&text, "v", "two");
	size_t first = text.len / 2;
	for (size_t n = first; n <= text.len; n++) {
		_cleanup_str_ struct str seen = STR_INIT;
		FILE *f = fmemopen(text.buf, n, "r");
		assert_int_equal(journal_read_file(f, "f", note, &seen, &err), 0);
		fclose(f);
		assert_string_equal(seen.buf, n == first      ? "one "
					      : n == text.len ? "one two "
							      : "one ~ ");
	}
}

static void a_torn_end_is_set_aside_by_the_next_writer(void **state)
{
	_cleanup_free_ char *file = NULL, *aside = NULL;
	_cleanup_str_ struct str torn = STR_INIT;
	struct journal_pos end;
	FILE *f;

	(void)state;
	append("one");
	assert_int_equal(journal_end(journal, &end, &err), 0);
	file = newest();
	f = fopen(file, "a");
	fputs("{\"sum\":\"", f);
	fclose(f);
	expect_lines(NULL, "one ~ ");
	append("two");
	expect_lines(NULL, "one two ");
	aside = xasprintf("%s.torn-%lld", file, (long long)end.offset);
	assert_int_equal(fs_read(aside, 100, &torn, &err), 0);
	assert_string_equal(torn.buf, "{\"sum\":\"");
}

static void a_file_that_is_all_torn(void **state)
{
	_cleanup_free_ char *file = xasprintf("%s/2001-02.jsonl", folder);
	_cleanup_free_ char *text = xcalloc(1, 200000);

	(void)state;
	memset(text, 'x', 200000);
	assert_int_equal(fs_write_atomic(file, text, 200000, 0644, &err), 0);
	expect_lines(NULL, "~ ");
	append("one");
	expect_lines(NULL, "one ");
}

static void a_clock_that_was_set_back_keeps_the_order(void **state)
{
	_cleanup_free_ char *file = xasprintf("%s/2999-01.jsonl", folder), *at = NULL;

	(void)state;
	append("one");
	assert_int_equal(fs_write_atomic(file, "", 0, 0644, &err), 0);
	append("two");
	expect_lines(NULL, "one two ");
	at = newest();
	assert_string_equal(at, file);
	/* What is no journal is not read. */
	free(at);
	at = xasprintf("%s/2999-1.jsonl", folder);
	assert_int_equal(fs_write_atomic(at, "x\n", 2, 0644, &err), 0);
	expect_lines(NULL, "one two ");
}

static void a_line_is_taken_back(void **state)
{
	struct journal_pos end;

	(void)state;
	append("one");
	assert_int_equal(journal_end(journal, &end, &err), 0);
	append("two");
	assert_int_equal(journal_cut(journal, &end, &err), 0);
	expect_lines(NULL, "one ");
}

static void documents(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;
	char hex[HASH_HEX_LEN + 1];

	(void)state;
	assert_false(journal_doc_exists(journal, "abc", 3));
	assert_int_equal(journal_doc_put(journal, "abc", 3, hex, &err), 0);
	assert_true(journal_doc_exists(journal, "abc", 3));
	assert_int_equal(journal_doc_put(journal, "abc", 3, hex, &err), 0);
	assert_int_equal(journal_doc_get(journal, hex, 3, &text, &err), 0);
	assert_string_equal(text.buf, "abc");
	assert_int_equal(journal_doc_get(journal, hex, 2, &text, &err), -1);
	assert_int_equal(journal_doc_get(journal, "../../etc/passwd", 9, &text, &err), -1);
	_cleanup_free_ char *file = xasprintf("%s/imports/%s.json.zst", folder, hex);
	assert_int_equal(truncate(file, 5), 0);
	assert_int_equal(journal_doc_get(journal, hex, 3, &text, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(journal_doc_get(journal, hex, 3, &text, &err), -1);
	assert_non_null(strstr(err.msg, "is missing"));
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(lines_come_back_in_order),
		T(each_line_is_json_of_its_own),
		T(every_changed_byte_is_seen),
		T(every_cut_is_seen),
		T(a_torn_end_is_set_aside_by_the_next_writer),
		T(a_file_that_is_all_torn),
		T(a_clock_that_was_set_back_keeps_the_order),
		T(a_line_is_taken_back),
		T(documents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
