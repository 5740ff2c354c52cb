/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "harness/util/mem.h"
#include "harness/util/progress.h"
#include "harness/util/str.h"

/* Runs f with `fd` as stderr. */
static void with_stderr(int fd, void (*f)(bool quiet), bool quiet)
{
	int kept = dup(STDERR_FILENO);

	dup2(fd, STDERR_FILENO);
	f(quiet);
	dup2(kept, STDERR_FILENO);
	close(kept);
}

static void work(bool quiet)
{
	struct progress *p = progress_new("demo", 700, quiet);

	progress_step(p, 100, "build %s", "base\x1b");
	for (int i = 0; i <= 1000; i++)
		progress_update(p, i, 1000);
	progress_say(p, "kernel %s", "built");
	progress_step(p, 600, "boot");
	progress_free(p);
}

static void without_pointer(bool quiet)
{
	(void)quiet;
	progress_step(NULL, 1, "x");
	progress_update(NULL, 1, 2);
	progress_say(NULL, "x");
	progress_free(NULL);
}

static char *in_a_file(void (*f)(bool quiet), bool quiet)
{
	FILE *file = tmpfile();
	char text[1000];
	size_t n;

	assert_non_null(file);
	with_stderr(fileno(file), f, quiet);
	rewind(file);
	n = fread(text, 1, sizeof(text), file);
	fclose(file);
	return xstrndup(text, n);
}

static void lines_in_a_file(void **state)
{
	_cleanup_free_ char *text = in_a_file(work, false), *quiet = in_a_file(work, true);
	_cleanup_free_ char *none = in_a_file(without_pointer, false);

	(void)state;
	assert_string_equal(text, "demo: build base\\x1b, 11 min 40 s left\n"
				  "kernel built\n"
				  "demo: boot, 10 min 00 s left\n");
	assert_string_equal(quiet, "");
	assert_string_equal(none, "");
}

static int count(const char *text, char c)
{
	int n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

static void one_line_on_a_terminal(void **state)
{
	struct winsize ws = {.ws_row = 24, .ws_col = 20};
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	char text[4000];
	size_t n = 0;
	ssize_t got;

	(void)state;
	assert_true(master >= 0);
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0);
	assert_int_equal(ioctl(slave, TIOCSWINSZ, &ws), 0);
	setenv("TERM", "xterm", 1);
	with_stderr(slave, work, false);
	/* What was written comes in pieces; with no writer left the end is an error (EIO). */
	close(slave);
	while ((got = read(master, text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)got;
	assert_true(n > 0);
	text[n] = '\0';
	close(master);
	/* 19 columns, and no line end but that of what was said. */
	assert_true(str_starts(text, "\rdemo: build base\\x1\x1b[K"));
	assert_int_equal(count(text, '\n'), 1);
	assert_non_null(strstr(text, "\r\x1b[Kkernel built\r\n"));
	assert_true(str_ends(text, "\r\x1b[K"));
	assert_true(count(text, '\r') < 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_in_a_file),
		cmocka_unit_test(one_line_on_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
