/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "tests/unit/letter_sample.h"

static void make(const char *job, const char *kconfig, struct str *script)
{
	struct sample s;
	struct err err = ERR_INIT;

	sample_fill(&s, 1, "x", "y");
	s.letter.job_text = (char *)job;
	s.report.kconfig = (char *)kconfig;
	assert_int_equal(letter_reproduce(&s.letter, script, &err), 0);
}

/* Runs text as a script by sh with these options; its standard output is appended to ret. */
static int shell(const char *option, const char *text, struct str *ret)
{
	const char *const argv[] = {"sh", option, NULL};
	const struct proc_spec spec = {
		.argv = argv, .input = text, .input_len = strlen(text), .out = ret};
	struct proc_result result;
	struct err err = ERR_INIT;
	assert_int_equal(proc_run(&spec, &result, &err), 0);
	return result.status == PROC_EXITED ? result.code : -1;
}

static void it_is_a_script(void **state)
{
	_cleanup_str_ struct str script = STR_INIT, out = STR_INIT;

	(void)state;
	make("suite: will-it-scale\n", "icount", &script);
	assert_int_equal(shell("-n", script.buf, &out), 0);
	assert_true(str_starts(script.buf, "#!/bin/sh\n"));
	assert_non_null(strstr(script.buf, "base='" SAMPLE_BASE "'\n"));
	assert_non_null(strstr(script.buf, "head='" SAMPLE_HEAD "'\n"));
}

/* The script up to where it leaves for the checkout, run for real: nothing of the texts is
 * executed. */
static void texts_are_never_run(void **state)
{
	_cleanup_str_ struct str script = STR_INIT, out = STR_INIT;

	(void)state;
	make("a: 1\nEND_OF_FILE\nEND_OF_FILE_\necho INJECTED\n$(echo INJECTED)\n`echo INJECTED`\nno line end",
	     "it's $(echo INJECTED)", &script);
	char *leave = strstr(script.buf, ": \"${KERNEL_GIT");
	assert_non_null(leave);
	str_cut(&script, (size_t)(leave - script.buf));
	str_add(&script, "cat \"$lab/job.yaml\"; echo \"<$kconfig>\"\n");
	assert_int_equal(shell("-s", script.buf, &out), 0);
	assert_string_equal(
		out.buf,
		"a: 1\nEND_OF_FILE\nEND_OF_FILE_\necho INJECTED\n$(echo INJECTED)\n`echo INJECTED`\n"
		"no line end\n<it's $(echo INJECTED)>\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_a_script),
		cmocka_unit_test(texts_are_never_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
