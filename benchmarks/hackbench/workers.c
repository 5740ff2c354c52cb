/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "benchmarks/hackbench/workers.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct group {
	int *in;  /* of receiver i */
	int *out; /* to receiver i */
};

struct worker {
	void *(*main)(void *);
	const struct group *group;
	unsigned int nr; /* in its kind and group */
	char *message;
	pthread_t thread;
};

static const struct options *options;
static struct worker *workers;
static unsigned int nr_workers; /* created */
static int ready_fds[2];	/* each worker writes a byte when it is ready */
static int go_fds[2];		/* readable: go */
static sigset_t old_mask;
static volatile sig_atomic_t end_signal; /* that ends the program; 0: none */
static volatile sig_atomic_t child_ended;
static pid_t main_pid;
static volatile pid_t worker_group; /* the process group of the workers; 0: there is none yet */

/* Also called in a signal handler. By group, as single pids may be somebody else's once reaped. */
static void kill_workers(void)
{
	if (worker_group)
		kill(-worker_group, SIGKILL);
}

static void end_workers(void)
{
	if (options->threads)
		return;
	kill_workers();
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		continue;
}

static void give_up(void) __attribute__((noreturn));
static void give_up(void)
{
	if (main_pid != getpid())
		_exit(1);
	end_workers();
	if (end_signal) {
		signal(end_signal, SIG_DFL);
		sigprocmask(SIG_SETMASK, &old_mask, NULL);
		raise(end_signal);
	}
	_exit(1);
}

/* Not by stdio, which would need more than a thread's small stack. */
static void complain(const char *what, const char *why)
{
	char line[256];
	int n = snprintf(line, sizeof(line), "hackbench: %s%s%s\n", what, *why ? ": " : "", why);

	if (!end_signal && write(STDERR_FILENO, line, strnlen(line, (size_t)n)) < 0)
		return; /* the status still tells */
}

static void fail(const char *what) __attribute__((noreturn));
static void fail(const char *what)
{
	complain(what, strerror(errno));
	give_up();
}

static void fail_ended(void) __attribute__((noreturn));
static void fail_ended(void)
{
	complain("a worker failed", "");
	give_up();
}

static void get_ready(const struct worker *w)
{
	struct pollfd p = {.fd = go_fds[0], .events = POLLIN};

	memset(w->message, '-', options->datasize); /* no page fault while the clock runs */
	if (write(ready_fds[1], "r", 1) != 1)
		fail("worker: write");
	if (poll(&p, 1, -1) != 1)
		fail("worker: poll");
}

static void send_message(int fd, const char *message)
{
	size_t done = 0;

	while (done < options->datasize) {
		ssize_t n = write(fd, message + done, options->datasize - done);

		if (n < 0)
			fail("sender: write");
		done += (size_t)n;
	}
}

static void receive_message(int fd, char *message)
{
	size_t done = 0;

	while (done < options->datasize) {
		ssize_t n = read(fd, message + done, options->datasize - done);

		if (n < 0)
			fail("receiver: read");
		if (n == 0) {
			errno = EPIPE;
			fail("receiver: read");
		}
		done += (size_t)n;
	}
}

static void *sender_main(void *arg)
{
	const struct worker *w = arg;

	get_ready(w);
	for (unsigned int i = 0; i < options->loops; i++)
		for (unsigned int j = 0; j < options->fds; j++)
			send_message(w->group->out[j], w->message);
	return NULL;
}

static void *receiver_main(void *arg)
{
	const struct worker *w = arg;
	unsigned long messages = (unsigned long)options->fds * options->loops;

	if (!options->threads)
		close(w->group->out[w->nr]);
	get_ready(w);
	for (unsigned long i = 0; i < messages; i++)
		receive_message(w->group->in[w->nr], w->message);
	return NULL;
}

/* The least: there is room for many, and of a larger one libc would give memory back to the kernel
 * when its thread ends, which the clock would see. */
#define STACK_SIZE ((size_t)PTHREAD_STACK_MIN)

static void start_thread(struct worker *w)
{
	pthread_attr_t attributes;

	errno = pthread_attr_init(&attributes);
	if (!errno)
		errno = pthread_attr_setstacksize(&attributes, STACK_SIZE);
	if (!errno)
		errno = pthread_create(&w->thread, &attributes, w->main, w);
	if (errno)
		fail("creating a worker");
	pthread_attr_destroy(&attributes);
}

static void start_process(struct worker *w)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("creating a worker");
	/* Here and in the child, as nobody knows who comes first. */
	setpgid(pid, worker_group);
	if (pid) {
		if (!worker_group)
			worker_group = pid;
		return;
	}
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_SETMASK, &old_mask, NULL);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != main_pid)
		_exit(1);
	w->main(w);
	exit(0); /* as a usual process ends, which the clock sees, not by the shorter _exit() */
}

/* On cache lines of its own (CPUs fetch them in pairs): threads must not slow each other there. */
static char *new_message(void)
{
	size_t lines = ((size_t)options->datasize + 127) / 128;
	char *message = aligned_alloc(128, lines * 128);

	if (!message)
		fail("malloc");
	return message;
}

static void start_worker(const struct group *g, unsigned int nr, void *(*func)(void *))
{
	struct worker *w = &workers[nr_workers];

	*w = (struct worker){.main = func, .group = g, .nr = nr};
	w->message = new_message();
	nr_workers++;
	if (options->threads)
		start_thread(w);
	else
		start_process(w);
}

/* Receivers come first, and a process holds no more of the channels than its part. */
static void start_group(struct group *g)
{
	unsigned int fds = options->fds;

	g->in = calloc(fds, sizeof(*g->in));
	g->out = calloc(fds, sizeof(*g->out));
	if (!g->in || !g->out)
		fail("malloc");
	for (unsigned int i = 0; i < fds; i++) {
		int pair[2];

		if (channel_open(options->kind, pair))
			fail("creating a channel");
		g->in[i] = pair[0];
		g->out[i] = pair[1];
		start_worker(g, i, receiver_main);
		if (!options->threads)
			close(g->in[i]);
	}
	for (unsigned int i = 0; i < fds; i++)
		start_worker(g, i, sender_main);
	for (unsigned int i = 0; i < fds && !options->threads; i++)
		close(g->out[i]);
}

static void on_end(int number)
{
	end_signal = number;
	kill_workers();
}

static void on_child(int number)
{
	(void)number;
	child_ended = 1;
}

/* Blocked until wait_ready() looks: no signal may come between a fork and the note of its pid. */
static void catch_signals(void)
{
	struct sigaction end = {.sa_handler = on_end}, child = {.sa_handler = on_child};
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old_mask);
	sigaction(SIGTERM, &end, NULL);
	if (!sigaction(SIGINT, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &end, NULL);
	sigaction(SIGCHLD, &child, NULL);
}

static void wait_ready(void)
{
	struct pollfd p = {.fd = ready_fds[0], .events = POLLIN};
	unsigned int ready = 0;
	char bytes[256];

	while (ready < nr_workers) {
		int events = ppoll(&p, 1, NULL, &old_mask);
		ssize_t n;

		if (end_signal || child_ended)
			fail_ended();
		if (events < 0 && errno == EINTR)
			continue;
		if (events < 0)
			fail("poll");
		n = read(ready_fds[0], bytes, sizeof(bytes));
		if (n <= 0)
			fail("read");
		ready += (unsigned int)n;
	}
}

void workers_start(const struct options *o)
{
	struct sched_param fifo = {.sched_priority = 1};
	static struct group *groups; /* the workers' for as long as they live */

	options = o;
	main_pid = getpid();
	signal(SIGPIPE, SIG_IGN);
	groups = calloc(o->groups, sizeof(*groups));
	workers = calloc((size_t)o->groups * o->fds * 2, sizeof(*workers));
	if (!groups || !workers)
		fail("malloc");
	if (channel_open(o->kind, ready_fds) || channel_open(o->kind, go_fds))
		fail("creating a channel");
	if (!o->threads)
		catch_signals();
	for (unsigned int i = 0; i < o->groups; i++)
		start_group(&groups[i]);
	if (o->fifo && sched_setscheduler(0, SCHED_FIFO, &fifo))
		fail("SCHED_FIFO for -F (it needs root or CAP_SYS_NICE)");
	wait_ready();
}

static void join_threads(void)
{
	for (unsigned int i = 0; i < nr_workers; i++)
		pthread_join(workers[i].thread, NULL);
}

/* A worker that failed leaves others waiting for its messages. */
static void reap_processes(void)
{
	for (unsigned int left = nr_workers; left > 0;) {
		int status;
		pid_t pid = waitpid(-1, &status, 0);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			fail("waitpid");
		if (status)
			fail_ended();
		left--;
	}
}

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_sec * 1000000000ULL + (unsigned long long)t.tv_nsec;
}

unsigned long long workers_run(void)
{
	unsigned long long start;

	if (!options->threads) {
		signal(SIGCHLD, SIG_DFL);
		sigprocmask(SIG_SETMASK, &old_mask, NULL);
	}
	start = now_ns();
	if (write(go_fds[1], "g", 1) != 1)
		fail("write");
	if (options->threads)
		join_threads();
	else
		reap_processes();
	return now_ns() - start;
}
