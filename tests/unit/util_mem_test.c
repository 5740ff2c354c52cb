/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/util/mem.h"

/* Else the address sanitizer ends the process before our check of the result. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void grows_by_doubling(void **state)
{
	int *v = NULL;
	size_t cap = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		mem_grow(&v, &cap, (size_t)i + 1, sizeof(*v));
		v[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(v[i], i);
	assert_int_equal(cap, 1024);
	mem_grow(&v, &cap, 5000, sizeof(*v));
	assert_int_equal(cap, 5000);
	free(v);
}

static void vectors_of_strings(void **state)
{
	_cleanup_strv_ char **v = NULL;

	(void)state;
	assert_int_equal(strv_len(NULL), 0);
	strv_free(NULL);
	strv_add(&v, "a");
	strv_add(&v, "");
	strv_add(&v, "c");
	assert_int_equal(strv_len(v), 3);
	assert_string_equal(v[2], "c");
	assert_null(v[3]);
}

static void nothing_is_still_a_block(void **state)
{
	_cleanup_free_ void *a = xmalloc(0), *b = xcalloc(0, 8), *c = xreallocarray(NULL, 0, 8);
	_cleanup_free_ char *text = xasprintf("%d-%s", 4, "x");
	_cleanup_free_ char *part = xstrndup("abcdef", 3);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_non_null(c);
	assert_string_equal(text, "4-x");
	assert_string_equal(part, "abc");
}

static void overflow(void)
{
	free(xreallocarray(NULL, SIZE_MAX / 2, 4));
}

static void overflow_of_growth(void)
{
	char(*v)[64] = NULL;
	size_t cap = 0;

	mem_grow(&v, &cap, SIZE_MAX / 8, sizeof(*v));
}

/* Runs f in a child and returns the signal that ended it. */
static int signal_of(void (*f)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct rlimit none = {0, 0};

		setrlimit(RLIMIT_CORE, &none);
		signal(SIGABRT, SIG_DFL);
		close(STDERR_FILENO);
		f();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) == 134 ? SIGABRT : 0;
}

static void failure_aborts(void **state)
{
	(void)state;
	assert_int_equal(signal_of(overflow), SIGABRT);
	assert_int_equal(signal_of(overflow_of_growth), SIGABRT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_by_doubling),
		cmocka_unit_test(vectors_of_strings),
		cmocka_unit_test(nothing_is_still_a_block),
		cmocka_unit_test(failure_aborts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
