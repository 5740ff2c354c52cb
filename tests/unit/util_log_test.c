/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/util/log.h"
#include "harness/util/mem.h"

/* Turns stderr into a file, runs the lines, and returns what was written. */
static char *logged(void (*lines)(void), bool journal)
{
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO);
	char text[1000];
	struct stat st;
	size_t n;

	assert_non_null(file);
	dup2(fileno(file), STDERR_FILENO);
	assert_int_equal(fstat(STDERR_FILENO, &st), 0);
	if (journal) {
		_cleanup_free_ char *stream =
			xasprintf("%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);

		setenv("JOURNAL_STREAM", stream, 1);
	} else {
		setenv("JOURNAL_STREAM", "1:1", 1);
	}
	lines();
	dup2(kept, STDERR_FILENO);
	close(kept);
	unsetenv("JOURNAL_STREAM");
	rewind(file);
	n = fread(text, 1, sizeof(text), file);
	fclose(file);
	return xstrndup(text, n);
}

static void all_levels(void)
{
	log_err("e n=%d", 1);
	log_warn("w");
	log_info("i");
	log_debug("d");
}

static void forged(void)
{
	log_err("subject=%s", "x\n<0>error: forged\x1b[2J");
}

static void levels_are_dropped(void **state)
{
	_cleanup_free_ char *usual = NULL, *all = NULL, *least = NULL, *journal = NULL;

	(void)state;
	usual = logged(all_levels, false);
	assert_string_equal(usual, "error: e n=1\nwarning: w\n");
	log_set_level(LOG_LEVEL_DEBUG);
	all = logged(all_levels, false);
	assert_string_equal(all, "error: e n=1\nwarning: w\ninfo: i\ndebug: d\n");
	journal = logged(all_levels, true);
	assert_string_equal(journal, "<3>e n=1\n<4>w\n<6>i\n<7>d\n");
	log_set_level(LOG_LEVEL_ERR);
	least = logged(all_levels, false);
	assert_string_equal(least, "error: e n=1\n");
}

static void lines_cannot_be_forged(void **state)
{
	_cleanup_free_ char *text = logged(forged, true);

	(void)state;
	assert_string_equal(text, "<3>subject=x\\x0a<0>error: forged\\x1b[2J\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_are_dropped),
		cmocka_unit_test(lines_cannot_be_forged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
