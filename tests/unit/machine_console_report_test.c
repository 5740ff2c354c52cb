/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/machine/console.h"
#include "harness/machine/console_log.h"
#include "harness/machine/console_report.h"
#include "harness/util/fs.h"

static char folder[] = "/tmp/lkp-report-XXXXXX";

static int setup(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return fs_remove_tree(folder, NULL);
}

/* The console.log of a boot with this text, and its report.txt; "": there is none. */
static void report_of(const struct str *text, struct str *ret)
{
	static const struct console_limits limits = {.deadline = 60, .silence = 20, .linger = 10};
	_cleanup_(machine_end_done) struct machine_end end = {0};
	_cleanup_free_ char *path = xasprintf("%s/" CONSOLE_REPORT_NAME, folder);
	_cleanup_free_ struct console *c = xcalloc(1, sizeof(*c));
	struct console_log log;
	struct err err = ERR_INIT;

	assert_int_equal(console_log_open(&log, folder, &err), 0);
	console_log_add(&log, text->buf, text->len);
	assert_int_equal(console_log_close(&log, &err), 0);
	console_init(c, &limits, 0);
	console_feed(c, text->buf, text->len, 1);
	console_end(c, &end);
	fs_remove_tree(path, NULL);
	if (console_report(folder, &end, &err) < 0)
		fail_msg("%s", err.msg);
	if (fs_exists(path))
		assert_int_equal(fs_read(path, 4 * CONSOLE_REPORT_SPAN, ret, &err), 0);
}

static void fill(struct str *text, const char *word, size_t bytes)
{
	for (size_t i = 0; bytes >= 32; i++, bytes -= 32)
		str_addf(text, "%-8s line %-17zu\n", word, i);
}

static void the_report_is_around_the_fault(void **state)
{
	static const struct {
		size_t before, after;
		bool starts, ends; /* it holds the log's begin, end */
	} rows[] = {
		{0, 0, true, true},
		{1000, 1000, true, true},
		{300000, 300000, false, false},
		{1000, 300000, true, false},
		{300000, 1000, false, true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_str_ struct str text = STR_INIT;
		_cleanup_str_ struct str report = STR_INIT;

		str_add(&text, "first line\n");
		fill(&text, "before", rows[i].before);
		str_add(&text, "[    1.0] kernel BUG at mm/shmem.c:1!\n");
		fill(&text, "after", rows[i].after);
		str_add(&text, "last line\n");
		report_of(&text, &report);
		assert_non_null(strstr(report.buf, "\n[    1.0] kernel BUG at mm/shmem.c:1!\n"));
		assert_int_equal(str_starts(report.buf, "first line\n"), rows[i].starts);
		assert_int_equal(str_ends(report.buf, "\nlast line\n"), rows[i].ends);
		assert_true(report.len <= CONSOLE_REPORT_SPAN);
		if (text.len > CONSOLE_REPORT_SPAN)
			assert_true(report.len > CONSOLE_REPORT_SPAN - 100);
		if (!rows[i].starts)
			assert_true(str_starts(report.buf, "before   line "));
	}
}

/* Not the warning that came first. */
static void the_report_is_around_what_decided(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_str_ struct str report = STR_INIT;

	(void)state;
	str_add(&text, "WARNING: CPU: 0 PID: 1 at a.c:1 one+0x1/0x2\n");
	fill(&text, "between", 300000);
	str_add(&text, "Kernel panic - not syncing: planted\n");
	report_of(&text, &report);
	assert_true(str_ends(report.buf, "planted\n"));
	assert_null(strstr(report.buf, "WARNING"));
}

static void a_clean_boot_has_none(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_str_ struct str report = STR_INIT;

	(void)state;
	str_add(&text, "lkp-agent: start\nlkp-agent: done\n");
	report_of(&text, &report);
	assert_int_equal(report.len, 0);
}

/* Escape sequences, NUL bytes, no end of line at all, and a log that was cut at 16 MiB. */
static void the_report_is_printable(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_str_ struct str report = STR_INIT;

	(void)state;
	str_add(&text, "\033[2J\r\nBUG: \x80\n");
	str_addc(&text, '\0');
	report_of(&text, &report);
	assert_string_equal(report.buf, "\\x1b[2J\nBUG: \\x80\n\\x00\n");
	str_reset(&text);
	str_reset(&report);
	for (size_t i = 0; i < CONSOLE_LOG_CAP + 100; i++)
		str_addc(&text, '.');
	str_add(&text, "\nKernel panic - not syncing: beyond\n");
	report_of(&text, &report);
	assert_true(str_ends(report.buf, "was dropped: more than 16 MiB]\n"));
	assert_true(report.len <= CONSOLE_REPORT_SPAN + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_report_is_around_the_fault),
		cmocka_unit_test(the_report_is_around_what_decided),
		cmocka_unit_test(a_clean_boot_has_none),
		cmocka_unit_test(the_report_is_printable),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
