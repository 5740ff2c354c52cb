/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/machine/console.h"
#include "harness/util/fs.h"

#define FOLDER "tests/fixtures/console/"

static const struct console_limits limits = {.deadline = 60, .silence = 20, .linger = 10};

/* One row of the table "expected": what the machine ended with, by itself, after this text. */
struct expected {
	const char *file, *status, *kind, *frame, *title;
};

static void read_text(const char *file, struct str *text)
{
	_cleanup_free_ char *path = xasprintf(FOLDER "%s", file);
	struct err err = ERR_INIT;

	if (fs_read(path, 1 << 20, text, &err) < 0)
		fail_msg("%s", err.msg);
}

/* Cuts "file | status | kind | frame | title"; false: a comment. */
static bool read_row(char *line, struct expected *ret)
{
	const char **fields[] = {&ret->file, &ret->status, &ret->kind, &ret->frame, &ret->title};

	if (!*line || *line == '#')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		char *end = strstr(line, " |");

		*fields[i] = line;
		if (end)
			*end = '\0';
		line = end ? end + 2 + (end[2] == ' ') : line + strlen(line);
	}
	if (streq(ret->frame, "-"))
		ret->frame = "";
	return true;
}

/* How long the next piece of the text is: fixed, or, for 0, by chance. */
static size_t next_piece(size_t piece, size_t rest, unsigned *seed)
{
	size_t n = piece ? piece : 1 + (size_t)rand_r(seed) % 97;

	return n < rest ? n : rest;
}

static void feed(struct console *c, const struct str *text, size_t piece)
{
	unsigned seed = 1;
	size_t n;

	console_init(c, &limits, 100);
	for (size_t at = 0; at < text->len; at += n) {
		n = next_piece(piece, text->len - at, &seed);
		console_feed(c, text->buf + at, n, 101);
	}
}

/* All that is found, as text. */
static void add_findings(struct str *s, const struct machine_end *end)
{
	for (size_t i = 0; i < end->n_findings; i++) {
		const struct console_finding *f = &end->findings[i];

		str_addf(s, "%s %s %s at %zu %s, %u times\n", f->kind->name, f->title, f->signature,
			 f->offset, f->fatal ? "fatal" : "recorded", f->count);
	}
}

static void check(const struct expected *row, const struct str *text, size_t piece,
		  struct str *ret_findings)
{
	_cleanup_(machine_end_done) struct machine_end end = {0};
	_cleanup_free_ struct console *c = xcalloc(1, sizeof(*c));

	feed(c, text, piece);
	console_end(c, &end);
	if (!streq(machine_status_name(end.status), row->status) || !streq(end.kind, row->kind) ||
	    !streq(end.frame, row->frame) ||
	    (!streq(row->title, "-") && !streq(end.detail, row->title)))
		fail_msg("%s in pieces of %zu: %s, %s in \"%s\": %s", row->file, piece,
			 machine_status_name(end.status), end.kind, end.frame, end.detail);
	add_findings(ret_findings, &end);
}

static void check_row(const struct expected *row)
{
	static const size_t pieces[] = {1, 7, 4096, 0};
	_cleanup_free_ char *file = xasprintf("%s.log", row->file);
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_str_ struct str whole = STR_INIT;

	read_text(file, &text);
	check(row, &text, 1 << 20, &whole);
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		_cleanup_str_ struct str again = STR_INIT;

		check(row, &text, pieces[i], &again);
		assert_string_equal(again.buf, whole.buf);
	}
}

static void the_corpus_reads_as_expected(void **state)
{
	_cleanup_str_ struct str table = STR_INIT;
	_cleanup_strv_ char **names = NULL;
	struct expected row;
	size_t rows = 0;
	char *rest, *line;

	(void)state;
	read_text("expected", &table);
	rest = table.buf;
	while ((line = strsep(&rest, "\n")))
		if (read_row(line, &row)) {
			check_row(&row);
			rows++;
		}
	assert_int_equal(fs_list(FOLDER, &names, NULL), 0);
	assert_int_equal(strv_len(names), rows + 1);
}

static void no_word_is_longer_than_the_overlap(void **state)
{
	(void)state;
	for (const struct console_kind *k = console_kinds; k->name; k++)
		for (const char *const *w = k->words; *w; w++)
			assert_true(strlen(*w) < CONSOLE_WORD_MAX);
}

static void assert_end(struct console *c, enum machine_status status, const char *kind,
		       const char *detail)
{
	_cleanup_(machine_end_done) struct machine_end end = {0};

	console_end(c, &end);
	assert_int_equal(end.status, status);
	assert_string_equal(end.kind, kind);
	if (detail)
		assert_string_equal(end.detail, detail);
}

/* A megabyte without an end of line, and a report within it. */
static void an_endless_line_is_read(void **state)
{
	static struct console c;
	static char line[1 << 20];
	const char *word = "Kernel panic - not syncing: far out";

	(void)state;
	memset(line, '.', sizeof(line));
	memcpy(line + sizeof(line) / 2, word, strlen(word));
	console_init(&c, &limits, 0);
	console_feed(&c, line, sizeof(line), 1);
	assert_end(&c, MACHINE_PANIC, "panic", NULL);
	assert_int_equal(c.findings.n, 1);
	assert_true(c.findings.v[0].offset <= sizeof(line) / 2);
	assert_true(c.findings.v[0].offset + CONSOLE_LINE_MAX > sizeof(line) / 2);
}

/* Wherever the end of the line buffer cuts it. */
static void a_mark_is_found_anywhere_in_an_endless_line(void **state)
{
	static const char mark[] = "BUG: bad";

	(void)state;
	for (size_t before = CONSOLE_LINE_MAX - 80; before < CONSOLE_LINE_MAX + 80; before++) {
		struct console c;

		console_init(&c, &limits, 0);
		for (size_t i = 0; i < before; i++)
			console_feed(&c, ".", 1, 1);
		console_feed(&c, mark, strlen(mark), 1);
		for (size_t i = 0; i < 2 * CONSOLE_LINE_MAX; i++)
			console_feed(&c, "y", 1, 1);
		assert_end(&c, MACHINE_OOPS, "bug", NULL);
		assert_int_equal(c.findings.v[0].count, 1);
	}
}

/* A guest that prints nothing, for ever. */
static void a_dumb_guest_ends_as_silence(void **state)
{
	struct console c;

	(void)state;
	console_init(&c, &limits, 100);
	assert_false(console_expired(&c, 119.9));
	assert_true(console_expired(&c, 120));
	assert_end(&c, MACHINE_SILENCE, "early-silence", "no console output at all");
}

static void a_guest_that_falls_silent_ends_as_silence(void **state)
{
	static const char text[] = "lkp-agent: start\nlkp-agent: iteration 0 1\n";
	struct console c;

	(void)state;
	console_init(&c, &limits, 100);
	console_feed(&c, text, strlen(text), 110);
	assert_false(console_expired(&c, 129));
	assert_true(console_expired(&c, 130));
	assert_end(&c, MACHINE_SILENCE, "silence",
		   "no console output for 20 s; the last line was: "
		   "lkp-agent: iteration 0 1");
}

static void a_guest_that_chatters_ends_at_the_deadline(void **state)
{
	struct console c;

	(void)state;
	console_init(&c, &limits, 100);
	for (int t = 101; t < 160; t++) {
		console_feed(&c, "tick\n", 5, t);
		assert_false(console_expired(&c, t));
	}
	assert_true(console_expired(&c, 160));
	assert_end(&c, MACHINE_DEADLINE, "deadline",
		   "the agent had not started after 60 s; the last line was: tick");
}

/* The time from power-on to the agent is bounded by itself; the work after it is not. */
static void a_kernel_that_never_gets_to_the_agent_ends_early(void **state)
{
	const struct console_limits two = {
		.boot = 30, .deadline = 500, .silence = 40, .linger = 10};
	struct console c;

	(void)state;
	console_init(&c, &two, 100);
	console_feed(&c, "probing\n", 8, 125);
	assert_false(console_expired(&c, 129));
	assert_true(console_expired(&c, 130));
	assert_end(&c, MACHINE_DEADLINE, "deadline",
		   "the agent had not started after 30 s; the last line was: probing");
	console_init(&c, &two, 100);
	console_feed(&c, "lkp-agent: start\n", 17, 125);
	assert_false(console_expired(&c, 150));
}

/* A guest that goes on after an oops, and one that does not end after its agent did. */
static void a_decided_boot_lingers_ten_seconds(void **state)
{
	static const char *const lines[] = {"BUG: bad thing\n", "lkp-agent: done\n"};
	static const enum machine_status want[] = {MACHINE_OOPS, MACHINE_OK};
	static const char *const kinds[] = {"bug", "ok"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct console c;

		console_init(&c, &limits, 100);
		console_feed(&c, lines[i], strlen(lines[i]), 102);
		console_feed(&c, "more\n", 5, 111);
		assert_false(console_expired(&c, 111.9));
		assert_true(console_expired(&c, 112));
		assert_end(&c, want[i], kinds[i], NULL);
	}
}

static void details_are_printable(void **state)
{
	static const char text[] = "BUG: \033[2J\x80 \x01\n";
	struct console c;

	(void)state;
	console_init(&c, &limits, 0);
	console_feed(&c, text, strlen(text), 1);
	assert_end(&c, MACHINE_OOPS, "bug", "BUG: \\x1b[2J\\x80 \\x01");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_corpus_reads_as_expected),
		cmocka_unit_test(no_word_is_longer_than_the_overlap),
		cmocka_unit_test(an_endless_line_is_read),
		cmocka_unit_test(a_mark_is_found_anywhere_in_an_endless_line),
		cmocka_unit_test(a_dumb_guest_ends_as_silence),
		cmocka_unit_test(a_guest_that_falls_silent_ends_as_silence),
		cmocka_unit_test(a_guest_that_chatters_ends_at_the_deadline),
		cmocka_unit_test(a_kernel_that_never_gets_to_the_agent_ends_early),
		cmocka_unit_test(a_decided_boot_lingers_ten_seconds),
		cmocka_unit_test(details_are_printable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
