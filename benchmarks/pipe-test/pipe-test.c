/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two processes (-T: threads) pass a byte to and fro through two pipes. An operation is one round:
 * two writes, two reads, two context switches.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXIT_USAGE 64
#define LOOPS_MAX  1000000000000ULL

struct options {
	unsigned long long loops;
	int cpu; /* -1: not bound */
	bool threads;
};

struct pipes {
	int there[2];
	int back[2];
};

static const char help[] = "  -n LOOPS  rounds to do (default 100000)\n"
			   "  -T        two threads instead of two processes\n"
			   "  -c CPU    bind both to this CPU\n"
			   "  -h        this help\n";

static void print_usage(FILE *out)
{
	fprintf(out, "usage: pipe-test [-T] [-c CPU] [[-n] LOOPS]\n\n%s", help);
}

static void usage(void) __attribute__((noreturn));
static void usage(void)
{
	print_usage(stderr);
	exit(EXIT_USAGE);
}

/* _exit: in the child process nothing of the parent's may be flushed. */
static void fail(const char *what) __attribute__((noreturn));
static void fail(const char *what)
{
	fprintf(stderr, "pipe-test: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static unsigned long long number(const char *text, unsigned long long min, unsigned long long max)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && n >= min && n <= max)
		return n;
	fprintf(stderr, "pipe-test: wanted a number from %llu to %llu, not '%s'\n", min, max, text);
	usage();
}

static struct options parse(int argc, char *argv[])
{
	struct options o = {.loops = 100000, .cpu = -1};
	int c;

	while ((c = getopt(argc, argv, "n:Tc:h")) != -1) {
		switch (c) {
		case 'n':
			o.loops = number(optarg, 1, LOOPS_MAX);
			break;
		case 'T':
			o.threads = true;
			break;
		case 'c':
			o.cpu = (int)number(optarg, 0, CPU_SETSIZE - 1);
			break;
		case 'h':
			print_usage(stdout);
			exit(0);
		default:
			usage();
		}
	}
	if (optind < argc)
		o.loops = number(argv[optind++], 1, LOOPS_MAX);
	if (optind < argc)
		usage();
	return o;
}

static void pass(int fd, const char *byte)
{
	if (write(fd, byte, 1) != 1)
		fail("write to pipe");
}

/* False at the end of the pipe. */
static bool take(int fd, char *byte)
{
	ssize_t n = read(fd, byte, 1);

	if (n < 0)
		fail("read from pipe");
	return n == 1;
}

/* The other side: until the first closes its end. */
static void *echo(void *arg)
{
	const struct pipes *p = arg;
	char byte;

	while (take(p->there[0], &byte))
		pass(p->back[1], &byte);
	return NULL;
}

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_sec * 1000000000ULL + (unsigned long long)t.tv_nsec;
}

static void rounds(const struct pipes *p, unsigned long long loops)
{
	char byte = 'x';

	for (unsigned long long i = 0; i < loops; i++) {
		pass(p->there[1], &byte);
		if (!take(p->back[0], &byte)) {
			errno = EPIPE;
			fail("the other process ended");
		}
	}
}

/* The first round waits until the other side runs. */
static unsigned long long measure(const struct pipes *p, unsigned long long loops)
{
	unsigned long long start;

	rounds(p, 1);
	start = now_ns();
	rounds(p, loops);
	return now_ns() - start;
}

static unsigned long long measure_threads(struct pipes *p, unsigned long long loops)
{
	unsigned long long ns;
	pthread_t thread;

	errno = pthread_create(&thread, NULL, echo, p);
	if (errno)
		fail("pthread_create");
	ns = measure(p, loops);
	close(p->there[1]);
	pthread_join(thread, NULL);
	return ns;
}

static unsigned long long measure_processes(struct pipes *p, unsigned long long loops)
{
	unsigned long long ns;
	pid_t parent = getpid(), pid = fork();
	int status;

	if (pid < 0)
		fail("fork");
	if (!pid) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
			_exit(1);
		close(p->there[1]);
		close(p->back[0]);
		echo(p);
		_exit(0);
	}
	close(p->there[0]);
	close(p->back[1]);
	ns = measure(p, loops);
	close(p->there[1]);
	if (waitpid(pid, &status, 0) != pid || status)
		fail("the other process failed");
	return ns;
}

int main(int argc, char *argv[])
{
	struct options o = parse(argc, argv);
	unsigned long long ns;
	struct pipes p;
	cpu_set_t set;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	CPU_ZERO(&set);
	if (o.cpu >= 0)
		CPU_SET((size_t)o.cpu, &set);
	if (o.cpu >= 0 && sched_setaffinity(0, sizeof(set), &set))
		fail("binding to the CPU of -c");
	if (pipe(p.there) || pipe(p.back))
		fail("pipe");
	ns = o.threads ? measure_threads(&p, o.loops) : measure_processes(&p, o.loops);
	printf("%llu loops in %.6f s\n", o.loops, (double)ns / 1e9);
	printf("%.6f usecs/op\n", (double)ns / 1e3 / (double)o.loops);
	printf("elapsed_ns:%llu\n", ns);
	if (fflush(stdout))
		fail("stdout");
	return 0;
}
