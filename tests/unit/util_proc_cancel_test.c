/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/util/mem.h"
#include "harness/util/proc.h"

/* Each case runs in a child of its own, for a cancel cannot be taken back. */
typedef int case_fn(void);

static int status_of(case_fn *f)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		alarm(60);
		_exit(f());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static const char *const sleeper[] = {"sh", "-c", "echo ready; exec sleep 300", NULL};

static bool raise_term(const char *data, size_t n, void *arg)
{
	(void)n;
	if (data)
		raise(*(int *)arg);
	return false;
}

static int cancel_ends_it(void)
{
	int sig = SIGTERM;
	struct proc_spec spec = {.argv = sleeper, .on_output = raise_term, .arg = &sig};
	struct proc_result r = {0};
	struct err err = ERR_INIT;

	proc_cancel_install();
	if (proc_cancelled() || proc_check_cancel(&err) != 0)
		return 1;
	if (proc_run(&spec, &r, &err) != 0 || r.status != PROC_CANCELLED)
		return 2;
	if (!proc_cancelled() || proc_cancel_signal() != SIGTERM)
		return 3;
	if (proc_check_cancel(&err) != -1 || !streq(err.cause, "cancelled"))
		return 4;
	/* Nothing new is started, unless it is for cleaning up. */
	if (proc_run(&spec, &r, &err) != 0 || r.status != PROC_CANCELLED || r.seconds > 0)
		return 5;
	if (proc_check(sleeper, NULL, &err) != -1 || !streq(err.cause, "cancelled"))
		return 6;
	spec = (struct proc_spec){.argv = (const char *const[]){"true", NULL}, .no_cancel = true};
	if (proc_run(&spec, &r, &err) != 0 || r.status != PROC_EXITED || r.code != 0)
		return 7;
	return 0;
}

/* From outside, while it waits. */
static int cancel_from_another_process(void)
{
	struct proc_spec spec = {.argv = sleeper};
	struct proc_result r = {0};
	pid_t self = getpid();
	int fds[2];

	proc_cancel_install();
	if (pipe(fds) < 0)
		return 1;
	spec.out_fd = fds[1];
	if (fork() == 0) {
		char c;

		if (read(fds[0], &c, 1) == 1)
			kill(self, SIGHUP);
		_exit(0);
	}
	if (proc_run(&spec, &r, NULL) != 0 || r.status != PROC_CANCELLED)
		return 2;
	return proc_cancel_signal() == SIGHUP ? 0 : 3;
}

static int second_interrupt(void)
{
	proc_cancel_install();
	raise(SIGINT);
	if (!proc_cancelled())
		return 1;
	raise(SIGINT);
	return 2;
}

static int closed_streams(void)
{
	static const char *const argv[] = {"sh", "-c", "cat; echo err >&2; exit 6", NULL};
	struct str out = STR_INIT, errout = STR_INIT;
	struct proc_spec spec = {
		.argv = argv, .out = &out, .errout = &errout, .input = "in", .input_len = 2};
	struct proc_result r = {0};

	for (int keep = 0; keep < 8; keep++) {
		str_reset(&out);
		str_reset(&errout);
		for (int fd = 0; fd < 3; fd++) {
			close(fd);
			if (keep >> fd & 1 && open("/dev/null", O_RDWR) < 0)
				return 100;
		}
		if (proc_run(&spec, &r, NULL) != 0 || r.code != 6 || !streq(out.buf, "in") ||
		    !streq(errout.buf, "err\n"))
			return 10 + keep;
	}
	str_done(&out);
	str_done(&errout);
	return 0;
}

static void cases(void **state)
{
	static const struct {
		case_fn *f;
		int want;
	} rows[] = {
		{cancel_ends_it, 0},
		{cancel_from_another_process, 0},
		{second_interrupt, 1000 + SIGINT},
		{closed_streams, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int status = status_of(rows[i].f);

		if (status != rows[i].want)
			fail_msg("row %zu: %d, not %d", i, status, rows[i].want);
	}
}

/* We are killed while the command and its daemon hold a fifo open for writing: its end says that
 * both are gone. */
static void our_death_leaves_nothing(void **state)
{
	char folder[] = "/tmp/util_proc_test-XXXXXX";
	_cleanup_free_ char *fifo = NULL, *script = NULL;
	struct pollfd end = {.events = POLLIN};
	char text[100];
	int status;
	pid_t pid;

	(void)state;
	assert_non_null(mkdtemp(folder));
	fifo = xasprintf("%s/fifo", folder);
	script =
		xasprintf("exec >%s; trap '' TERM; setsid sleep 300 & echo ready; sleep 300", fifo);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	pid = fork();
	if (pid == 0) {
		const char *const argv[] = {"sh", "-c", script, NULL};
		struct proc_spec spec = {.argv = argv};
		struct proc_result r;

		_exit(proc_run(&spec, &r, NULL) ? 1 : 0);
	}
	end.fd = open(fifo, O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(end.fd, text, sizeof(text)), 6);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(poll(&end, 1, 10000), 1);
	assert_int_equal(read(end.fd, text, sizeof(text)), 0);
	close(end.fd);
	unlink(fifo);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases),
		cmocka_unit_test(our_death_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
