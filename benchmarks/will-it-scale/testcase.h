/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a will-it-scale case sees of the driver, and what the driver expects of a case.
 *
 * A case is one file that defines testcase_description and testcase(), and, when all tasks share
 * something, testcase_prepare() and testcase_cleanup(). It is linked twice: each task is a process
 * in <case>_processes, a thread in <case>_threads (-DTHREADS).
 */
#ifndef WIS_TESTCASE_H
#define WIS_TESTCASE_H

#include <limits.h>
#include <stdbool.h>

/* One line, printed after "testcase:". */
extern const char *testcase_description;

/*
 * The body of task nr (0, 1, ...): sets itself up, then works in a loop
 *
 *	while (testcase_more(iterations)) {
 *		...one operation...
 *		(*iterations)++;
 *	}
 *
 * and returns when the loop ends. Nothing before the first testcase_more() is timed.
 */
void testcase(unsigned long long *iterations, unsigned long nr);

/* Optional. Called once, before any task exists / after all of them are gone (or stand still). */
void testcase_prepare(unsigned long nr_tasks);
void testcase_cleanup(void);

/* The slow half of testcase_more(): the start and the end of the warm-up and of the measurement. */
bool testcase_next_stage(unsigned long long *iterations);

/*
 * Goes the task on? iterations[0] is its counter and iterations[1] the count at which it stops for
 * the driver; both are on a cache line of the task's own. One load and one compare that is always
 * predicted right, as the target changes twice in a run only.
 */
static inline bool testcase_more(unsigned long long *iterations)
{
	volatile unsigned long long *counter = iterations;

	if (__builtin_expect(counter[0] < counter[1], 1))
		return true;
	return testcase_next_stage(iterations);
}

/* Prints "<case>: <what>: <errno as text>" to stderr and ends the whole run with status 1. */
void testcase_fail(const char *what) __attribute__((noreturn));

/* Makes an empty file in the -d folder, opened for reading and writing; never fails
 * (testcase_fail). */
int testcase_tmpfile(char path[static PATH_MAX]);

/* Starts a partner of the calling task, of the same kind (process or thread) and on the same CPUs.
 * It lives until func returns or the run ends. */
void testcase_new_task(void (*func)(void *), void *arg);

#endif
