/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The driver of a will-it-scale case: timed mode samples the tasks' counters once a second,
 * fixed-work mode (-w) times a given number of iterations. Both print the same lines; see
 * README.md.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/will-it-scale/driver_options.h"
#include "benchmarks/will-it-scale/driver_tasks.h"
#include "benchmarks/will-it-scale/testcase.h"

#define NS_PER_SECOND 1000000000ULL

#ifdef THREADS
#define TASK_MODE "threads"
#else
#define TASK_MODE "processes"
#endif
/* As many lines as the original prints before "measurement". */
#define WARMUP_SECONDS 6

struct sample {
	unsigned long long min, max, total;
};

static unsigned long long per_second(unsigned long long count, unsigned long long ns)
{
	return (unsigned long long)((long double)count * NS_PER_SECOND / (ns ? ns : 1) + 0.5L);
}

static void print_sample(const struct sample *s)
{
	printf("min:%llu max:%llu total:%llu\n", s->min, s->max, s->total);
}

/* Nobody may take a torn output (full disk, closed pipe) for a measurement. */
static void flush(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return;
	fprintf(stderr, "%s: stdout: %s\n", program_invocation_short_name, strerror(errno));
	tasks_stop();
	exit(1);
}

/* One second of work: the rates since prev, which it moves on. */
static struct sample sample_second(unsigned long long *prev, unsigned long tasks,
				   unsigned long long *last_ns)
{
	struct sample s = {.min = ULLONG_MAX};
	unsigned long long sum = 0, now = tasks_now_ns(), ns = now - *last_ns;

	for (unsigned long i = 0; i < tasks; i++) {
		unsigned long long count = tasks_count(i);
		unsigned long long rate = per_second(count - prev[i], ns);

		sum += count - prev[i];
		prev[i] = count;
		s.min = rate < s.min ? rate : s.min;
		s.max = rate > s.max ? rate : s.max;
	}
	s.total = per_second(sum, ns);
	*last_ns = now;
	return s;
}

static unsigned long long sum_counts(const unsigned long long *counts, unsigned long tasks)
{
	unsigned long long sum = 0;

	for (unsigned long i = 0; i < tasks; i++)
		sum += counts[i];
	return sum;
}

static void run_seconds(unsigned long long *prev, unsigned long tasks, unsigned long seconds,
			unsigned long long *last_ns)
{
	unsigned long long begin_ns = *last_ns;

	for (unsigned long i = 1; i <= seconds; i++) {
		struct sample s;

		tasks_run_until(begin_ns + i * NS_PER_SECOND);
		s = sample_second(prev, tasks, last_ns);
		print_sample(&s);
		flush();
	}
}

static void run_timed(const struct options *o)
{
	static unsigned long long prev[OPTIONS_TASKS_MAX];
	unsigned long long begin_ns, begin_sum, last_ns;

	tasks_release(ULLONG_MAX);
	last_ns = tasks_now_ns();
	run_seconds(prev, o->tasks, WARMUP_SECONDS, &last_ns);
	printf("measurement\n");
	flush();
	begin_ns = last_ns;
	begin_sum = sum_counts(prev, o->tasks);
	run_seconds(prev, o->tasks, o->seconds ? o->seconds : ULONG_MAX, &last_ns);
	printf("average:%llu\n",
	       per_second(sum_counts(prev, o->tasks) - begin_sum, last_ns - begin_ns));
}

/* All rates count from the first task's start to a task's own end: a task that had to wait for a
 * CPU was slow. */
static void report_work(unsigned long tasks)
{
	unsigned long long begin_ns = ULLONG_MAX, end_ns = 0, iterations = 0;
	struct sample s = {.min = ULLONG_MAX};

	for (unsigned long i = 0; i < tasks; i++) {
		struct task_result r = tasks_result(i);

		begin_ns = r.start_ns < begin_ns ? r.start_ns : begin_ns;
		end_ns = r.end_ns > end_ns ? r.end_ns : end_ns;
		iterations += r.iterations;
	}
	for (unsigned long i = 0; i < tasks; i++) {
		struct task_result r = tasks_result(i);
		unsigned long long rate = per_second(r.iterations, r.end_ns - begin_ns);

		s.min = rate < s.min ? rate : s.min;
		s.max = rate > s.max ? rate : s.max;
	}
	s.total = per_second(iterations, end_ns - begin_ns);
	print_sample(&s);
	printf("average:%llu\n", s.total);
	printf("elapsed_ns:%llu iterations:%llu\n", end_ns - begin_ns, iterations);
}

static void run_work(const struct options *o)
{
	tasks_release(o->work / 10);
	tasks_wait();
	printf("measurement\n");
	flush();
	tasks_release(o->work);
	tasks_wait();
	report_work(o->tasks);
}

int main(int argc, char *argv[])
{
	struct options o = options_parse(argc, argv);

	tasks_start(&o);
	printf("testcase:%s\nwarmup\n", testcase_description);
	flush();
	if (o.work)
		run_work(&o);
	else
		run_timed(&o);
	printf("tasks:%lu mode:%s\n", o.tasks, TASK_MODE);
	flush();
	tasks_stop();
	return 0;
}
