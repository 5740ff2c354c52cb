/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of a run: their counters in shared memory, their start in step, their end.
 *
 * A task goes through stages: set up, warm-up, measurement, done. It stops at the end of each until
 * the driver releases it. Every function here that finds a task dead or gets SIGINT, SIGTERM or
 * SIGHUP ends the program: all tasks and their partners are gone and testcase_cleanup() has run
 * before it exits 1, or dies by that signal.
 */
#ifndef WIS_DRIVER_TASKS_H
#define WIS_DRIVER_TASKS_H

#include "benchmarks/will-it-scale/driver_options.h"

struct task_result {
	unsigned long long iterations; /* of the measurement */
	unsigned long long start_ns;   /* CLOCK_MONOTONIC, by the task itself */
	unsigned long long end_ns;
};

unsigned long long tasks_now_ns(void); /* CLOCK_MONOTONIC */

/* Runs testcase_prepare(), starts all tasks and waits until each is set up. Once, from main. */
void tasks_start(const struct options *options);
/* Releases all tasks into the next stage, for work more iterations each (ULLONG_MAX: without end).
 */
void tasks_release(unsigned long long work);
/* Waits until all tasks are through the stage. */
void tasks_wait(void);
/* Waits until the clock shows deadline_ns; the tasks work on. */
void tasks_run_until(unsigned long long deadline_ns);
/* The counter of task nr now. */
unsigned long long tasks_count(unsigned long nr);
/* After tasks_wait() for the measurement. */
struct task_result tasks_result(unsigned long nr);
/* Ends all tasks, runs testcase_cleanup(). */
void tasks_stop(void);

#endif
