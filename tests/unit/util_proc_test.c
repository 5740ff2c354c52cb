/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"

#define SH(script) ((const char *const[]){"sh", "-c", script, NULL})

/* A process that is left over is found by a word in its environment, whatever it did to itself. */
static int processes_marked(const char *mark)
{
	_cleanup_strv_ char **pids = NULL;
	int n = 0;

	assert_int_equal(fs_list("/proc", &pids, NULL), 0);
	for (char **pid = pids; *pid; pid++) {
		_cleanup_free_ char *path = xasprintf("/proc/%s/environ", *pid);
		_cleanup_str_ struct str text = STR_INIT;

		if (**pid >= '1' && **pid <= '9' && fs_read(path, 1 << 20, &text, NULL) == 0 &&
		    memmem(text.buf, text.len, mark, strlen(mark)))
			n++;
	}
	return n;
}

static const char mark[] = "LKP_PROC_TEST=left-over";

/* Runs a script with the mark in its environment. */
static struct proc_result run(struct proc_spec spec, const char *script)
{
	const char *const env[] = {mark, "PATH=/usr/bin:/bin", NULL};
	struct proc_result result = {0};
	struct err err = ERR_INIT;

	spec.argv = SH(script);
	spec.env = env;
	if (proc_run(&spec, &result, &err) < 0)
		fail_msg("%s", err.msg);
	return result;
}

static void captures_and_reports(void **state)
{
	_cleanup_str_ struct str out = STR_INIT, errout = STR_INIT;
	struct proc_result r;

	(void)state;
	r = run((struct proc_spec){.out = &out, .errout = &errout, .input = "in\n", .input_len = 3},
		"cat; echo e >&2; exit 7");
	assert_int_equal(r.status, PROC_EXITED);
	assert_int_equal(r.code, 7);
	assert_string_equal(out.buf, "in\n");
	assert_string_equal(errout.buf, "e\n");
	str_reset(&out);
	r = run((struct proc_spec){.out = &out, .cwd = "/"},
		"echo a; echo b >&2; pwd; cat; kill -9 $$");
	assert_int_equal(r.status, PROC_SIGNALED);
	assert_int_equal(r.code, SIGKILL);
	assert_string_equal(out.buf, "a\nb\n/\n");
	assert_int_equal(r.survivors, 0);
}

static void what_cannot_start(void **state)
{
	static const struct {
		const char *program, *cwd;
		enum err_kind kind;
		const char *says;
	} cases[] = {
		{"no-such-program-here", NULL, ERR_USER, "no such program"},
		{"/no/such/program", NULL, ERR_USER, "no such program"},
		{"true", "/no/such/folder", ERR_INFRA, "/no/such/folder"},
		{"/etc/passwd", NULL, ERR_INFRA, "Permission denied"},
		{"", NULL, ERR_USER, "no such program"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *const argv[] = {cases[i].program, NULL};
		struct proc_spec spec = {.argv = argv, .cwd = cases[i].cwd};
		struct proc_result result = {.code = 99};
		struct err err = ERR_INIT;

		assert_int_equal(proc_run(&spec, &result, &err), -1);
		assert_int_equal(err.kind, cases[i].kind);
		assert_non_null(strstr(err.msg, cases[i].says));
		assert_int_equal(result.code, 99);
	}
}

static void nothing_is_left(void **state)
{
	static const struct {
		const char *name, *script;
		int deadline_ms;
		enum proc_status want;
	} cases[] = {
		{"background child", "sleep 300 & exit 0", 0, PROC_EXITED},
		{"daemon", "setsid sh -c 'setsid sleep 300 & sleep 300' & exit 0", 0, PROC_EXITED},
		{"deadline", "sleep 300; sleep 300", 100, PROC_DEADLINE},
		{"grandchild that ignores SIGTERM",
		 "sh -c 'trap \"\" TERM; sleep 300; sleep 300' & wait", 100, PROC_DEADLINE},
		{"all ignore SIGTERM",
		 "trap '' TERM HUP INT; (sleep 300; :) & sleep 300; sleep 300", 100, PROC_DEADLINE},
		{"daemon at the deadline",
		 "setsid sh -c 'trap \"\" TERM; setsid sleep 300 & sleep 300' & sleep 300", 100,
		 PROC_DEADLINE},
		{"stopped", "kill -STOP $$", 100, PROC_DEADLINE},
		{"many generations",
		 "f() { [ $1 = 0 ] && exec sleep 300; setsid sh -c 'sleep 300' & (f $(($1 - 1))) & wait; }; f 8",
		 300, PROC_DEADLINE},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct proc_spec spec = {.deadline_ms = cases[i].deadline_ms, .grace_ms = 100};
		struct proc_result r = run(spec, cases[i].script);

		if (r.status != cases[i].want || processes_marked(mark) || r.survivors)
			fail_msg("%s: status %d, %d left", cases[i].name, r.status,
				 processes_marked(mark));
		assert_true(r.seconds < 9);
	}
}

static void sigterm_comes_first(void **state)
{
	_cleanup_str_ struct str out = STR_INIT;
	struct proc_spec spec = {.deadline_ms = 300, .grace_ms = 20000, .out = &out};
	struct proc_result r;

	(void)state;
	r = run(spec, "trap 'echo bye; exit 5' TERM; sleep 300 & wait");
	assert_int_equal(r.status, PROC_DEADLINE);
	assert_int_equal(r.code, 5);
	assert_string_equal(out.buf, "bye\n");
	assert_true(r.seconds < 9);
}

static void output_is_capped(void **state)
{
	_cleanup_str_ struct str out = STR_INIT;
	struct proc_result r;

	(void)state;
	str_add(&out, "kept:");
	r = run((struct proc_spec){.out = &out, .out_cap = 1000},
		"head -c 3000000 /dev/zero | tr '\\0' x; echo end");
	assert_int_equal(r.code, 0);
	assert_true(r.out_cut);
	assert_int_equal(out.len, 1000);
	assert_memory_equal(out.buf, "kept:xxx", 8);
	str_reset(&out);
	r = run((struct proc_spec){.out = &out, .out_cap = 4}, "printf 1234");
	assert_false(r.out_cut);
	assert_string_equal(out.buf, "1234");
}

/* More input than a pipe holds, and a command that reads none of it. */
static void input(void **state)
{
	size_t n = 1 << 20;
	_cleanup_free_ char *data = xcalloc(n, 1);
	_cleanup_str_ struct str out = STR_INIT;
	struct proc_spec spec = {.input = data, .input_len = n, .out = &out};

	(void)state;
	assert_int_equal(run(spec, "wc -c").code, 0);
	assert_int_equal(strtol(out.buf, NULL, 10), (long)n);
	assert_int_equal(run(spec, "exec <&-; exit 3").code, 3);
	spec.input_len = 0;
	assert_int_equal(run(spec, "! read x").code, 0);
}

struct seen {
	_Bool stop_on_data;
	size_t bytes;
	int ticks;
};

static bool see(const char *data, size_t n, void *arg)
{
	struct seen *seen = arg;

	seen->bytes += n;
	seen->ticks += !data;
	return data ? seen->stop_on_data : seen->ticks == 3;
}

static void callbacks_can_stop_it(void **state)
{
	struct seen stop = {.stop_on_data = true}, ticks = {0};
	struct proc_spec spec = {.on_output = see, .arg = &stop, .grace_ms = 100};
	struct proc_result r;

	(void)state;
	r = run(spec, "echo hello; sleep 300");
	assert_int_equal(r.status, PROC_STOPPED);
	assert_int_equal(stop.bytes, 6);
	spec.arg = &ticks;
	spec.tick_ms = 30;
	r = run(spec, "echo hello; sleep 300");
	assert_int_equal(r.status, PROC_STOPPED);
	assert_int_equal(ticks.ticks, 3);
	assert_int_equal(ticks.bytes, 6);
	assert_int_equal(processes_marked(mark), 0);
}

static void log_gets_both_streams(void **state)
{
	_cleanup_str_ struct str errout = STR_INIT;
	char text[100];
	int fds[2];
	struct proc_result r;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	r = run((struct proc_spec){.out_fd = fds[1], .errout = &errout}, "echo out; echo err >&2");
	assert_int_equal(r.log_error, 0);
	assert_int_equal(read(fds[0], text, sizeof(text)), 8);
	close(fds[0]);
	r = run((struct proc_spec){.out_fd = fds[1]}, "echo out; exit 4");
	assert_int_equal(r.log_error, EPIPE);
	assert_int_equal(r.code, 4);
	close(fds[1]);
}

static void descriptors_do_not_leak(void **state)
{
	_cleanup_str_ struct str out = STR_INIT;
	size_t before, after;
	char **names = NULL;
	int fd = open("/dev/null", O_RDONLY); /* without O_CLOEXEC */

	(void)state;
	fs_list("/proc/self/fd", &names, NULL);
	before = strv_len(names);
	strv_free(names);
	run((struct proc_spec){.out = &out}, "ls /proc/self/fd | wc -l");
	fs_list("/proc/self/fd", &names, NULL);
	after = strv_len(names);
	strv_free(names);
	close(fd);
	assert_int_equal(after, before);
	assert_string_equal(out.buf, "4\n"); /* 0, 1, 2 and the folder that ls reads */
}

static void checks(void **state)
{
	_cleanup_str_ struct str out = STR_INIT;
	_cleanup_free_ char *sh = proc_which("sh");
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(proc_check(SH("echo x"), &out, &err), 0);
	assert_string_equal(out.buf, "x\n");
	assert_int_equal(proc_check(SH("echo a; printf 'b\\033[1m\\n\\n'; exit 9"), NULL, &err),
			 -1);
	assert_string_equal(err.msg, "sh failed with exit status 9: b\\x1b[1m");
	assert_int_equal(err.kind, ERR_INFRA);
	assert_int_equal(proc_check(SH("kill -SEGV $$"), NULL, &err), -1);
	assert_string_equal(err.msg, "sh was ended by SIGSEGV");
	assert_true(sh && sh[0] == '/');
	assert_null(proc_which("no-such-program-here"));
	assert_null(proc_which("../bin/sh"));
	assert_null(proc_which(""));
}

static void processor_time(void **state)
{
	struct proc_result r =
		run((struct proc_spec){0}, "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");

	(void)state;
	assert_true(r.user_seconds > 0.01 && r.user_seconds < 60);
	assert_true(r.seconds > 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captures_and_reports),	   cmocka_unit_test(what_cannot_start),
		cmocka_unit_test(nothing_is_left),	   cmocka_unit_test(sigterm_comes_first),
		cmocka_unit_test(output_is_capped),	   cmocka_unit_test(input),
		cmocka_unit_test(callbacks_can_stop_it),   cmocka_unit_test(log_gets_both_streams),
		cmocka_unit_test(descriptors_do_not_leak), cmocka_unit_test(checks),
		cmocka_unit_test(processor_time),
	};

	alarm(120);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
