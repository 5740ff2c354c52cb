/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "benchmarks/will-it-scale/driver_task.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "benchmarks/will-it-scale/driver_affinity.h"
#include "benchmarks/will-it-scale/driver_tasks.h"
#include "benchmarks/will-it-scale/testcase.h"

struct task_shared *task_shared;

static _Thread_local bool in_task; /* false: this is the driver */

unsigned long long task_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_sec * 1000000000ULL + (unsigned long long)t.tv_nsec;
}

/* The program's name without "_processes" or "_threads". */
static size_t case_name_length(const char *program)
{
	static const char *const suffixes[] = {"_processes", "_threads"};
	size_t n = strlen(program);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t k = strlen(suffixes[i]);

		if (n > k && !strcmp(program + n - k, suffixes[i]))
			return n - k;
	}
	return n;
}

/* Only writev(2): it is also called in a signal handler, and lines of many tasks must not mix. */
void task_complain(const char *what, const char *why)
{
	const char *program = program_invocation_short_name;
	struct iovec line[] = {
		{(void *)program, case_name_length(program)},
		{(void *)": ", 2},
		{(void *)what, strlen(what)},
		{(void *)": ", 2},
		{(void *)why, strlen(why)},
		{(void *)"\n", 1},
	};

	if (atomic_exchange(&task_shared->failed, true))
		return;
	if (writev(STDERR_FILENO, line, sizeof(line) / sizeof(*line)) < 0)
		return; /* the status still tells */
}

static void report(char what)
{
	ssize_t n;

	do
		n = write(task_shared->report_fd[1], &what, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(1);
}

static void sleep_until_killed(void) __attribute__((noreturn));
static void sleep_until_killed(void)
{
	for (;;)
		pause();
}

void testcase_fail(const char *what)
{
	task_complain(what, errno ? strerror(errno) : "came back short");
	if (!in_task) {
		tasks_stop();
		exit(1);
	}
	report(TASK_FAILED);
	sleep_until_killed();
}

int testcase_tmpfile(char path[static PATH_MAX])
{
	int n = snprintf(path, PATH_MAX, "%s/will-it-scale.XXXXXX", task_shared->options->dir);
	int fd = -1;

	errno = ENAMETOOLONG;
	if (n < PATH_MAX)
		fd = mkstemp(path);
	if (fd < 0) {
		*path = '\0';
		testcase_fail("temporary file (-d names its folder)");
	}
	errno = 0; /* so that a short write is not blamed on an error before it */
	return fd;
}

static void wait_for_go(enum task_stage stage)
{
	struct pollfd p = {.fd = task_shared->go_fd[stage][0], .events = POLLIN};

	while (poll(&p, 1, -1) < 0)
		if (errno != EINTR)
			testcase_fail("poll");
}

bool testcase_next_stage(unsigned long long *iterations)
{
	struct task_slot *slot = (struct task_slot *)iterations;

	/* A stage may have no work (the warm-up of fewer than ten iterations). */
	do {
		slot->end_ns = task_now_ns();
		report(TASK_REACHED);
		if (++slot->stage == TASK_DONE)
			return false;
		wait_for_go(slot->stage);
		slot->start_count = slot->count;
		slot->target = task_shared->work == ULLONG_MAX ? ULLONG_MAX
							       : slot->count + task_shared->work;
		slot->start_ns = task_now_ns();
	} while (slot->count == slot->target);
	return true;
}

static void run(unsigned long nr) __attribute__((noreturn));
static void run(unsigned long nr)
{
	struct task_slot *slot = &task_shared->slots[nr];

	in_task = true;
	if (!task_shared->options->no_affinity && affinity_bind(nr))
		testcase_fail("sched_setaffinity (-n runs without)");
	testcase(&slot->count, nr);
	if (slot->stage != TASK_DONE) {
		errno = EPROTO;
		testcase_fail("testcase() returned before testcase_more() did");
	}
	sleep_until_killed();
}

#ifdef THREADS

static int start_thread(void *(*func)(void *), void *arg)
{
	pthread_t thread;

	errno = pthread_create(&thread, NULL, func, arg);
	return errno ? -1 : 0;
}

static void *task_main(void *slot)
{
	run((unsigned long)((struct task_slot *)slot - task_shared->slots));
}

int task_start(unsigned long nr)
{
	return start_thread(task_main, &task_shared->slots[nr]);
}

struct partner {
	void (*func)(void *);
	void *arg;
};

static void *partner_main(void *arg)
{
	struct partner p = *(struct partner *)arg;

	free(arg);
	in_task = true;
	p.func(p.arg);
	return NULL;
}

void testcase_new_task(void (*func)(void *), void *arg)
{
	struct partner *p = malloc(sizeof(*p));

	if (!p)
		testcase_fail("malloc");
	*p = (struct partner){func, arg};
	if (start_thread(partner_main, p))
		testcase_fail("pthread_create");
}

#else

/* A fork that does not outlive its parent. */
static pid_t fork_bound(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(1);
	return 0;
}

int task_start(unsigned long nr)
{
	pid_t pid = fork_bound();

	if (pid > 0)
		task_shared->slots[nr].pid = pid;
	if (pid)
		return pid < 0 ? -1 : 0;
	sigprocmask(SIG_SETMASK, &task_shared->mask, NULL);
	run(nr);
}

/* Without its partner a task would sleep for ever and the run with it. */
static void partner_died(int sig)
{
	int saved = errno, status;

	(void)sig;
	while (waitpid(-1, &status, WNOHANG) > 0) {
		if (!status)
			continue;
		task_complain("a partner of a task", "died");
		report(TASK_FAILED);
		_exit(1);
	}
	errno = saved;
}

void testcase_new_task(void (*func)(void *), void *arg)
{
	struct sigaction action = {.sa_handler = partner_died, .sa_flags = SA_RESTART};
	pid_t pid;

	sigaction(SIGCHLD, &action, NULL);
	pid = fork_bound();
	if (pid < 0)
		testcase_fail("fork");
	if (pid)
		return;
	func(arg);
	_exit(0);
}

#endif
