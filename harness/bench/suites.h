/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of the benchmarks, each at the bottom of its own file, and the checks that they share.
 */
#ifndef LKP_BENCH_SUITES_H
#define LKP_BENCH_SUITES_H

#include "harness/bench/bench.h"

extern const struct bench bench_will_it_scale;
extern const struct bench bench_hackbench;
extern const struct bench bench_pipe_test;

extern const char *const bench_modes[]; /* "process", "thread" */

/* For struct bench_param: an integer of 1 to 1 000 000 000, written without leading zeros in *ret.
 */
int bench_check_count(const char *text, char **ret, struct err *err);
/* Tasks as bench_tasks() takes them. */
int bench_check_tasks(const char *text, char **ret, struct err *err);

/* The value of a parameter that bench_check_count() has checked. */
int64_t bench_case_count(const struct bench_case *c, const char *param);
/* Is the parameter's value this word? False without a case. */
bool bench_case_is(const struct bench_case *c, const char *param, const char *word);

/* Work for one of `tasks` that share `total` units: at least 1. */
int64_t bench_share(int64_t total, int64_t tasks);

#endif
