/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task seen from inside, and the memory that it shares with the driver. The functions of
 * testcase.h are defined beside it.
 */
#ifndef WIS_DRIVER_TASK_H
#define WIS_DRIVER_TASK_H

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

#include "benchmarks/will-it-scale/driver_options.h"

enum task_stage { TASK_SETUP, TASK_WARMUP, TASK_MEASURE, TASK_DONE };

/* What a task writes to report_fd. */
#define TASK_REACHED 'r' /* the end of a stage */
#define TASK_FAILED  'f' /* and has said why on stderr */

/* Two cache lines, as CPUs fetch them in pairs. */
struct task_slot {
	unsigned long long count; /* count and target: see testcase_more() */
	unsigned long long target;
	unsigned long long start_count; /* of the present stage */
	unsigned long long start_ns;
	unsigned long long end_ns; /* of the last stage */
	enum task_stage stage;
	pid_t pid; /* 0: a thread, or none */
} __attribute__((aligned(128)));

struct task_shared {
	const struct options *options;
	unsigned long long work; /* iterations in the stage that begins */
	sigset_t mask;		 /* the signal mask of tasks */
	int report_fd[2];
	int go_fd[TASK_DONE][2]; /* readable: stage TASK_WARMUP, TASK_MEASURE may begin */
	atomic_bool failed;	 /* somebody has said why */
	struct task_slot slots[];
};

/* Mapped MAP_SHARED by the driver before anything else of here or testcase.h is called. */
extern struct task_shared *task_shared;

/* Creates task nr, notes its pid. 0, or -1 with errno. */
int task_start(unsigned long nr);
/* One line "<case>: <what>: <why>" on stderr, unless somebody has spoken already. */
void task_complain(const char *what, const char *why);
unsigned long long task_now_ns(void); /* CLOCK_MONOTONIC */

#endif
