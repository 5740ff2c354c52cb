/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "benchmarks/will-it-scale/driver_tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "benchmarks/will-it-scale/driver_affinity.h"
#include "benchmarks/will-it-scale/driver_task.h"
#include "benchmarks/will-it-scale/testcase.h"

static unsigned long nr_tasks;
static unsigned long nr_reached; /* tasks at the end of the present stage */
static enum task_stage stage;
static int signal_fd = -1;
static bool prepared;

__attribute__((weak)) void testcase_prepare(unsigned long nr)
{
	(void)nr;
}

__attribute__((weak)) void testcase_cleanup(void)
{
}

unsigned long long tasks_now_ns(void)
{
	return task_now_ns();
}

/* Threads end with the program; until then they only touch memory and files that stay. Partners of
 * processes die with their task and become children of this process, a subreaper. */
static void end_tasks(void)
{
	for (unsigned long i = 0; i < nr_tasks; i++)
		if (task_shared->slots[i].pid)
			kill(task_shared->slots[i].pid, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		continue;
}

void tasks_stop(void)
{
	end_tasks();
	if (prepared)
		testcase_cleanup();
	prepared = false;
}

static void give_up(void) __attribute__((noreturn));
static void give_up(void)
{
	tasks_stop();
	exit(1);
}

static void fail(const char *what) __attribute__((noreturn));
static void fail(const char *what)
{
	task_complain(what, strerror(errno));
	give_up();
}

/* Ends as a program does that does not catch the signal. */
static void die_by_signal(int number) __attribute__((noreturn));
static void die_by_signal(int number)
{
	sigset_t set;

	tasks_stop();
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(128 + number);
}

/* No task ends before tasks_stop(), so any that did has failed. */
static void reap(void)
{
	char why[64];
	int status;
	pid_t pid = waitpid(-1, &status, WNOHANG);

	if (pid <= 0)
		return;
	for (unsigned long i = 0; i < nr_tasks; i++)
		if (task_shared->slots[i].pid == pid)
			task_shared->slots[i].pid = 0;
	if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "pid %d was killed by signal %d", (int)pid,
			 WTERMSIG(status));
	else
		snprintf(why, sizeof(why), "pid %d exited with status %d", (int)pid,
			 WEXITSTATUS(status));
	task_complain("a task ended too early", why);
	give_up();
}

static void handle_signal(void)
{
	struct signalfd_siginfo info;

	if (read(signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGCHLD)
		reap();
	else
		die_by_signal((int)info.ssi_signo);
}

static void handle_reports(void)
{
	char what[256];
	ssize_t n = read(task_shared->report_fd[0], what, sizeof(what));

	for (ssize_t i = 0; i < n; i++) {
		if (what[i] == TASK_FAILED)
			give_up();
		nr_reached++;
	}
}

/* Waits for one event, or until the deadline; 0: none. */
static void handle_event(unsigned long long deadline_ns)
{
	struct pollfd fds[] = {
		{.fd = signal_fd, .events = POLLIN},
		{.fd = task_shared->report_fd[0], .events = POLLIN},
	};
	unsigned long long now = task_now_ns();
	unsigned long long left = deadline_ns > now ? deadline_ns - now : 0;
	struct timespec timeout = {.tv_sec = (time_t)(left / 1000000000),
				   .tv_nsec = (long)(left % 1000000000)};

	if (ppoll(fds, 2, deadline_ns ? &timeout : NULL, NULL) < 0 && errno != EINTR)
		fail("ppoll");
	if (fds[0].revents)
		handle_signal();
	if (fds[1].revents)
		handle_reports();
}

static void share_memory(const struct options *o)
{
	size_t size = sizeof(*task_shared) + o->tasks * sizeof(struct task_slot);

	task_shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (task_shared == MAP_FAILED) {
		fprintf(stderr, "%s: mmap: %s\n", program_invocation_short_name, strerror(errno));
		exit(1);
	}
	task_shared->options = o;
	nr_tasks = o->tasks;
}

/* Signals come through signal_fd only, so that none is missed between a check and a wait. */
static void catch_signals(void)
{
	static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
	struct sigaction old;
	sigset_t set;

	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, &task_shared->mask);
	signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signal_fd < 0)
		fail("signalfd");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		fail("prctl");
}

static void open_pipes(void)
{
	if (pipe2(task_shared->report_fd, O_CLOEXEC))
		fail("pipe");
	if (fcntl(task_shared->report_fd[0], F_SETFL, O_NONBLOCK))
		fail("fcntl");
	for (int i = TASK_WARMUP; i < TASK_DONE; i++)
		if (pipe2(task_shared->go_fd[i], O_CLOEXEC))
			fail("pipe");
}

void tasks_start(const struct options *o)
{
	share_memory(o);
	catch_signals();
	open_pipes();
	if (!o->no_affinity && affinity_init(o->smt))
		fail("sched_getaffinity (-n runs without)");
	prepared = true;
	testcase_prepare(o->tasks);
	for (unsigned long i = 0; i < o->tasks; i++)
		if (task_start(i))
			fail("creating a task");
	tasks_wait();
}

void tasks_release(unsigned long long work)
{
	nr_reached = 0;
	task_shared->work = work;
	if (write(task_shared->go_fd[++stage][1], "g", 1) != 1)
		fail("write to pipe");
}

void tasks_wait(void)
{
	while (nr_reached < nr_tasks)
		handle_event(0);
}

void tasks_run_until(unsigned long long deadline_ns)
{
	while (task_now_ns() < deadline_ns)
		handle_event(deadline_ns);
}

unsigned long long tasks_count(unsigned long nr)
{
	return *(volatile unsigned long long *)&task_shared->slots[nr].count;
}

struct task_result tasks_result(unsigned long nr)
{
	const struct task_slot *slot = &task_shared->slots[nr];

	return (struct task_result){.iterations = slot->count - slot->start_count,
				    .start_ns = slot->start_ns,
				    .end_ns = slot->end_ns};
}
