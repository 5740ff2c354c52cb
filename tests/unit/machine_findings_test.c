/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is found in a console, beside the corpus of machine_console_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/machine/console.h"
#include "harness/machine/console_line.h"
#include "harness/util/fs.h"

#define START "lkp-agent: start\n"
#define DONE  "lkp-agent: done\n"

static const struct console_limits limits = {.deadline = 600, .silence = 600, .linger = 10};

/* Reads texts, `step` seconds apart. */
static void read_all(const struct machine_boot *boot, const char *const *texts, double step,
		     struct machine_end *end)
{
	_cleanup_free_ struct console *c = xcalloc(1, sizeof(*c));
	double now = 1;

	console_init(c, &limits, 0);
	console_rules(c, boot);
	for (; *texts; texts++, now += step)
		console_feed(c, *texts, strlen(*texts), now);
	console_end(c, end);
}

static void read_text(const struct machine_boot *boot, const char *text, struct machine_end *end)
{
	read_all(boot, (const char *const[]){text, NULL}, 0, end);
}

static const struct machine_boot plain;

/* ---- signatures --------------------------------------------------------------------------------
 */

/* Two boots with one bug: addresses, offsets, pids, CPUs, times, and the compiler's names differ.
 */
static const struct {
	const char *one, *other, *signature;
} same_bugs[] = {
	{"[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000010\n"
	 "[    1.000100] RIP: 0010:shmem_write_begin+0x42/0x120\n",
	 "[   99.000000][T1203] BUG: kernel NULL pointer dereference, address: 0000000000000018\n"
	 "[   99.000100][T1203] RIP: 0010:shmem_write_begin.isra.0+0x4a/0x130\n",
	 "oops in shmem_write_begin"},
	{"watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [a:77]\n"
	 "RIP: 0010:native_queued_spin_lock_slowpath+0x1/0x2\n ? noise+0x1/0x2\n _raw_spin_lock+0x1/0x2\n"
	 " own+0x1/0x2\n",
	 "watchdog: BUG: soft lockup - CPU#3 stuck for 48s! [b:9]\n"
	 "RIP: 0010:own.cold+0x9/0xa\n",
	 "soft-lockup in own"},
	{"WARNING: CPU: 0 PID: 77 at mm/shmem.c:2441 own+0x9a/0xc0\n",
	 "WARNING: mm/shmem.c:2450 at own+0x9b/0xc1, CPU#3: b/9\n", "warning in own"},
	{"Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b\n",
	 "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000009\n",
	 "panic: Kernel panic - not syncing: Attempted to kill init! exitcode=#"},
	{"BUG: KASAN: slab-use-after-free in own+0x2a1/0x340\nRead of size 4\n",
	 "BUG: KASAN: slab-out-of-bounds in own+0x2a4/0x340\n", "kasan in own"},
	{"BUG: KCSAN: data-race in own / other\n", "BUG: KCSAN: data-race in own.part.0 / x\n",
	 "kcsan in own"},
};

static void the_same_bug_has_the_same_signature(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(same_bugs); i++) {
		_cleanup_(machine_end_done) struct machine_end one = {0};
		_cleanup_(machine_end_done) struct machine_end other = {0};
		_cleanup_free_ char *text = xasprintf(START "%s" DONE, same_bugs[i].one);

		read_text(&plain, text, &one);
		read_text(&plain, same_bugs[i].other, &other);
		assert_string_equal(one.findings[0].signature, same_bugs[i].signature);
		assert_string_equal(other.findings[0].signature, same_bugs[i].signature);
	}
}

static void another_function_is_another_bug(void **state)
{
	_cleanup_(machine_end_done) struct machine_end end = {0};

	(void)state;
	read_text(&plain,
		  START "WARNING: CPU: 0 PID: 7 at a.c:1 one+0x1/0x2\n"
			"WARNING: CPU: 0 PID: 7 at a.c:2 two+0x1/0x2\n"
			"WARNING: CPU: 1 PID: 8 at a.c:1 one+0x1/0x2\n" DONE,
		  &end);
	assert_int_equal(end.status, MACHINE_OK);
	assert_int_equal(end.n_findings, 2);
	assert_string_equal(end.findings[0].signature, "warning in one");
	assert_int_equal(end.findings[0].count, 2);
	assert_int_equal(end.findings[0].offset, strlen(START));
	assert_string_equal(end.findings[1].signature, "warning in two");
}

static const struct {
	const char *line, *frame; /* NULL: no frame; "": one to skip */
} frames[] = {
	{" shmem_write_begin+0x12/0x340", "shmem_write_begin"},
	{"RIP: 0010:shmem_write_begin+0x12/0x340 [tmpfs]", "shmem_write_begin"},
	{"RIP: 0010:[<ffffffff81234567>]  [<ffffffff81234567>] own+0x1/0x2", "own"},
	{"pc : own+0x1c/0x40", "own"},
	{"[<ffffffff80003e1c>] own+0x1/0x2", "own"},
	{" own.constprop.0.cold+0x1/0x2", "own"},
	{" ? own+0x1/0x2", ""},
	{" dump_stack_lvl+0x44/0x5c", ""},
	{" asm_exc_page_fault+0x26/0x30", ""},
	{" copy_page_range+0x26/0x30", "copy_page_range"},
	{"RIP: 0033:0x4021e7", NULL},
	{"RIP: 0010:0x0", NULL},
	{"Code: 08 89 3c 24", NULL},
	{"ffff888004b1d7a0 (&info->lock){+.+.}-{2:2}, at: own+0x2b/0x120", NULL},
	{"+0x1/0x2", NULL},
	{"own+0x1", NULL},
	{"", NULL},
};

static void frames_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++) {
		char frame[CONSOLE_FRAME_MAX] = "";
		enum console_frame is = console_frame_read(frames[i].line, frame);

		assert_int_equal(is, !frames[i].frame	? CONSOLE_NO_FRAME
				     : *frames[i].frame ? CONSOLE_FRAME_OWN
							: CONSOLE_FRAME_SKIPPED);
		assert_string_equal(frame, frames[i].frame ? frames[i].frame : "");
	}
}

static void prefixes_are_cut(void **state)
{
	static const struct {
		const char *line, *text;
		uint32_t caller;
	} lines[] = {
		{"<4>[    1.234567][    T1] a b", "a b", 1u << 30 | 1},
		{"[    1.234567] [T123] a", "a", 1u << 30 | 123},
		{"[    1.234567][    C7] a", "a", 1u << 31 | 7},
		{"Dec  1 03:53:29 box kernel: [    1.234567] a", "a", 0},
		{"2026-12-01T03:53:29.123+00:00 box kernel: a", "a", 0},
		{"[<ffffffff80003e1c>] a", "[<ffffffff80003e1c>] a", 0},
		{"no kernel: a", "no kernel: a", 0},
		{"<b>", "<b>", 0},
		{"[", "[", 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		uint32_t caller = 77;

		assert_string_equal(console_line_text(lines[i].line, &caller), lines[i].text);
		assert_int_equal(caller, lines[i].caller);
	}
}

/* ---- which one decides -------------------------------------------------------------------------
 */

#define LOCKUP "watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [a:77]\nRIP: 0010:spin+0x1/0x2\n"
#define OOPS   "BUG: kernel NULL pointer dereference, address: 0\nRIP: 0010:own+0x1/0x2\n"
#define VAGUE  "BUG: kernel NULL pointer dereference, address: 0\n"

static void a_better_report_within_ten_seconds_decides(void **state)
{
	static const struct {
		const char *first, *second;
		double after;
		const char *kind;
	} rows[] = {
		{LOCKUP, OOPS, 9, "oops"},
		{LOCKUP, OOPS, 11, "soft-lockup"},
		{LOCKUP, VAGUE, 9, "soft-lockup"},
		{OOPS, LOCKUP, 9, "oops"},
		{LOCKUP, "Kernel panic - not syncing: softlockup: hung tasks\n own+0x1/0x2\n", 0,
		 "soft-lockup"},
		{LOCKUP, "Kernel panic - not syncing: by itself\n own+0x1/0x2\n", 1, "panic"},
		{OOPS, "BUG: KASAN: use-after-free in own+0x1/0x2\n", 1, "kasan"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(machine_end_done) struct machine_end end = {0};

		read_all(&plain, (const char *const[]){rows[i].first, rows[i].second, NULL},
			 rows[i].after, &end);
		assert_string_equal(end.kind, rows[i].kind);
		assert_int_equal(end.n_findings, 2);
	}
}

static void a_panic_on_a_warning_blames_the_warning(void **state)
{
	_cleanup_(machine_end_done) struct machine_end end = {0};

	(void)state;
	read_text(&plain,
		  START "WARNING: CPU: 0 PID: 7 at a.c:1 one+0x1/0x2\n"
			"Kernel panic - not syncing: kernel: panic_on_warn set ...\n",
		  &end);
	assert_int_equal(end.status, MACHINE_OOPS);
	assert_string_equal(end.kind, "warning");
	assert_string_equal(end.frame, "one");
}

/* Each CPU's lines go to its own report. */
static void callers_are_told_apart(void **state)
{
	_cleanup_(machine_end_done) struct machine_end end = {0};

	(void)state;
	read_text(&plain,
		  "[    1.0][    C1] watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [a:77]\n"
		  "[    1.0][    T9] BUG: kernel NULL pointer dereference, address: 0\n"
		  "[    1.0][    T9] RIP: 0010:two+0x1/0x2\n"
		  "[    1.0][    C1] RIP: 0010:one+0x1/0x2\n",
		  &end);
	assert_int_equal(end.n_findings, 2);
	assert_string_equal(end.findings[0].signature, "soft-lockup in one");
	assert_string_equal(end.findings[1].signature, "oops in two");
}

/* ---- rules -------------------------------------------------------------------------------------
 */

static void what_the_kconfig_ignores_is_none(void **state)
{
	static char text[] = "NULL pointer", empty[] = "";
	static char *ignore[] = {empty, text, NULL};
	const struct machine_boot boot = {.ignore = ignore};
	_cleanup_(machine_end_done) struct machine_end end = {0};
	_cleanup_(machine_end_done) struct machine_end dead = {0};

	(void)state;
	/* The "Oops: " below belongs to it. */
	read_text(&boot, START VAGUE "#PF: x\nOops: 0000 [#1]\nRIP: 0010:own+0x1/0x2\n" DONE, &end);
	assert_int_equal(end.status, MACHINE_OK);
	assert_int_equal(end.n_findings, 0);
	read_text(&boot, START OOPS "Kernel panic - not syncing: Fatal exception\n", &dead);
	assert_string_equal(dead.kind, "panic");
}

static void warnings_are_fatal_when_asked(void **state)
{
	const struct machine_boot boot = {.fatal_warnings = true};
	_cleanup_(machine_end_done) struct machine_end end = {0};

	(void)state;
	read_text(&boot, START "WARNING: CPU: 0 PID: 7 at a.c:1 one+0x1/0x2\n" DONE, &end);
	assert_int_equal(end.status, MACHINE_OOPS);
	assert_string_equal(end.kind, "warning");
	assert_true(end.findings[0].fatal);
}

/* A flood of warnings leaves room for what ends the boot. */
static void a_flood_is_capped_and_hides_no_panic(void **state)
{
	_cleanup_(machine_end_done) struct machine_end end = {0};
	_cleanup_str_ struct str text = STR_INIT;

	(void)state;
	str_add(&text, START);
	for (char a = 'a'; a <= 'z'; a++)
		for (char b = 'a'; b <= 'z'; b++)
			str_addf(&text, "WARNING: CPU: 0 PID: 7 at a.c:1 %c%c+0x1/0x2\n", a, b);
	str_add(&text, "Kernel panic - not syncing: at last\n");
	read_text(&plain, text.buf, &end);
	assert_int_equal(end.n_findings, FINDINGS_MAX);
	assert_string_equal(end.kind, "panic");
	assert_string_equal(end.findings[FINDINGS_MAX - 1].kind->name, "panic");
}

static void who_knows_better_overrules(void **state)
{
	_cleanup_(machine_end_done) struct machine_end end = {0};

	(void)state;
	read_text(&plain, START "WARNING: CPU: 0 PID: 7 at a.c:1 one+0x1/0x2\n", &end);
	assert_string_equal(end.kind, "unexpected-reboot");
	assert_int_equal(end.n_findings, 2);
	console_overrule(&end, MACHINE_INFRA_FAILED, "lost-connection", "QEMU\033 died");
	assert_string_equal(end.kind, "lost-connection");
	assert_int_equal(end.n_findings, 2);
	assert_string_equal(end.findings[0].kind->name, "warning");
	assert_string_equal(end.findings[1].signature, "lost-connection");
	console_overrule(&end, MACHINE_CANCELLED, "cancelled", "cancelled");
	assert_int_equal(end.n_findings, 1);
}

static void kinds_have_names_and_fit(void **state)
{
	(void)state;
	for (const struct console_kind *k = console_kinds; k->name; k++) {
		assert_true(strlen(k->name) < sizeof(((struct machine_end *)NULL)->kind));
		assert_ptr_equal(console_kind_find(k->name), k);
		assert_int_not_equal(k->status, MACHINE_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_bug_has_the_same_signature),
		cmocka_unit_test(another_function_is_another_bug),
		cmocka_unit_test(frames_are_read),
		cmocka_unit_test(prefixes_are_cut),
		cmocka_unit_test(a_better_report_within_ten_seconds_decides),
		cmocka_unit_test(a_panic_on_a_warning_blames_the_warning),
		cmocka_unit_test(callers_are_told_apart),
		cmocka_unit_test(what_the_kconfig_ignores_is_none),
		cmocka_unit_test(warnings_are_fatal_when_asked),
		cmocka_unit_test(a_flood_is_capped_and_hides_no_panic),
		cmocka_unit_test(who_knows_better_overrules),
		cmocka_unit_test(kinds_have_names_and_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
