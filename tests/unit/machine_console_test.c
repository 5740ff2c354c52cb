/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/machine/console.h"
#include "harness/util/fs.h"

#define FOLDER "tests/fixtures/console/"

static const struct console_limits limits = {.deadline = 60, .silence = 20, .linger = 10};

/* What the machine ended with, by itself, after this text. */
static const struct {
	const char *file, *status, *detail;
} texts[] = {
	{"done", "ok", ""},
	{"gave-up", "bench-failed", "fail $.runs[0].argv: must be an array"},
	{"init-missing", "no-init",
	 "Kernel panic - not syncing: Requested init /nonexistent failed (error -2)."},
	{"no-working-init", "no-init",
	 "Kernel panic - not syncing: No working init found.  Try passing init= option to kernel."},
	{"no-root", "no-init",
	 "Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)"},
	{"panic-init-died", "panic",
	 "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b"},
	{"panic-no-newline", "panic",
	 "Kernel panic - not syncing: stack-protector: Kernel stack is corrupted in: "
	 "shmem_write_end+0x1a/0x20"},
	{"oops-null", "oops", "BUG: kernel NULL pointer dereference, address: 0000000000000010"},
	{"oops-bug-on", "oops", "kernel BUG at mm/shmem.c:2560!"},
	{"oops-gpf", "oops",
	 "general protection fault, probably for non-canonical address 0xdead000000000100: "
	 "0000 [#1] SMP"},
	{"oops-kasan-done", "oops", "BUG: KASAN: use-after-free in shmem_write_end+0x20/0x90"},
	{"hang-soft", "hang",
	 "watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [pwrite2_threads:77]"},
	{"hang-hard", "hang", "NMI watchdog: Watchdog detected hard LOCKUP on cpu 1"},
	{"hang-rcu", "hang", "rcu: INFO: rcu_sched self-detected stall on CPU"},
	{"hang-rcu-other", "hang", "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:"},
	{"hang-task", "hang", "INFO: task hackbench:88 blocked for more than 120 seconds."},
	{"user-faults-done", "ok", ""},
	{"early", "no-init",
	 "the machine restarted before the agent started; the last line was: "
	 "Probing EDD (edd=off to disable)... ok"},
	{"agent-vanished", "panic",
	 "the machine restarted by itself; the agent was at: iteration 2 4"},
	{"empty", "no-init", "the machine restarted without any console output"},
	{"dirty-done", "ok", ""},
	{"long-line", "panic", NULL},
};

static void read_text(const char *file, struct str *text)
{
	_cleanup_free_ char *path = xasprintf(FOLDER "%s.txt", file);
	struct err err = ERR_INIT;

	if (fs_read(path, 1 << 20, text, &err) < 0)
		fail_msg("%s", err.msg);
}

static void check(size_t i, size_t piece)
{
	_cleanup_str_ struct str text = STR_INIT;
	struct console c;
	char detail[400];

	read_text(texts[i].file, &text);
	console_init(&c, &limits, 100);
	for (size_t at = 0; at < text.len; at += piece)
		console_feed(&c, text.buf + at, at + piece < text.len ? piece : text.len - at, 101);
	assert_string_equal(machine_status_name(console_verdict(&c, detail)), texts[i].status);
	if (texts[i].detail)
		assert_string_equal(detail, texts[i].detail);
}

static void texts_have_their_status(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		check(i, 1 << 20);
		check(i, 1);
		check(i, 7);
	}
}

static void every_text_is_in_the_table(void **state)
{
	_cleanup_strv_ char **names = NULL;

	(void)state;
	assert_int_equal(fs_list(FOLDER, &names, NULL), 0);
	assert_int_equal(strv_len(names), ARRAY_SIZE(texts));
}

static void no_mark_is_longer_than_the_overlap(void **state)
{
	(void)state;
	for (const struct console_mark *m = console_marks; m->text; m++)
		assert_true(strlen(m->text) < 64);
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
			console_feed(&c, "x", 1, 1);
		console_feed(&c, mark, strlen(mark), 1);
		for (size_t i = 0; i < 2 * CONSOLE_LINE_MAX; i++)
			console_feed(&c, "y", 1, 1);
		assert_non_null(c.failure);
		assert_int_equal(c.failure->status, MACHINE_OOPS);
	}
}

/* A guest that prints nothing, for ever. */
static void a_dumb_guest_ends_as_silence(void **state)
{
	struct console c;
	char detail[400];

	(void)state;
	console_init(&c, &limits, 100);
	assert_false(console_expired(&c, 119.9));
	assert_true(console_expired(&c, 120));
	assert_int_equal(console_verdict(&c, detail), MACHINE_SILENCE);
	assert_string_equal(detail, "no console output at all");
}

static void a_guest_that_falls_silent_ends_as_silence(void **state)
{
	static const char text[] = "lkp-agent: start\nlkp-agent: iteration 0 1\n";
	struct console c;
	char detail[400];

	(void)state;
	console_init(&c, &limits, 100);
	console_feed(&c, text, strlen(text), 110);
	assert_false(console_expired(&c, 129));
	assert_true(console_expired(&c, 130));
	assert_int_equal(console_verdict(&c, detail), MACHINE_SILENCE);
	assert_string_equal(detail, "no console output for 20 s; the last line was: "
				    "lkp-agent: iteration 0 1");
}

static void a_guest_that_chatters_ends_at_the_deadline(void **state)
{
	struct console c;
	char detail[400];

	(void)state;
	console_init(&c, &limits, 100);
	for (int t = 101; t < 160; t++) {
		console_feed(&c, "tick\n", 5, t);
		assert_false(console_expired(&c, t));
	}
	assert_true(console_expired(&c, 160));
	assert_int_equal(console_verdict(&c, detail), MACHINE_DEADLINE);
	assert_string_equal(detail,
			    "the agent had not started after 60 s; the last line was: tick");
}

/* The time from power-on to the agent is bounded by itself; the work after it is not. */
static void a_kernel_that_never_gets_to_the_agent_ends_early(void **state)
{
	const struct console_limits two = {
		.boot = 30, .deadline = 500, .silence = 40, .linger = 10};
	struct console c;
	char detail[400];

	(void)state;
	console_init(&c, &two, 100);
	console_feed(&c, "probing\n", 8, 125);
	assert_false(console_expired(&c, 129));
	assert_true(console_expired(&c, 130));
	assert_int_equal(console_verdict(&c, detail), MACHINE_DEADLINE);
	assert_string_equal(detail,
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
	char detail[400];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct console c;

		console_init(&c, &limits, 100);
		console_feed(&c, lines[i], strlen(lines[i]), 102);
		console_feed(&c, "more\n", 5, 111);
		assert_false(console_expired(&c, 111.9));
		assert_true(console_expired(&c, 112));
		assert_int_equal(console_verdict(&c, detail), want[i]);
	}
}

static void details_are_printable(void **state)
{
	static const char text[] = "BUG: \033[2J\x80 \x01\n";
	struct console c;
	char detail[400];

	(void)state;
	console_init(&c, &limits, 0);
	console_feed(&c, text, strlen(text), 1);
	assert_int_equal(console_verdict(&c, detail), MACHINE_OOPS);
	assert_string_equal(detail, "BUG: \\x1b[2J\\x80 \\x01");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_have_their_status),
		cmocka_unit_test(every_text_is_in_the_table),
		cmocka_unit_test(no_mark_is_longer_than_the_overlap),
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
