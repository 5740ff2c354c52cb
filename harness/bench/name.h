/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of cases: "suite/value/value". Values stand in the registry's order. A parameter that came
 * later (bench_param.late) is left out at its default and else written "name=value", so that adding
 * one renames no case. A job's setup follows as "+taskset=0", and monitors other than perf-stat
 * as "+monitors=none": measured differently, it is another test.
 */
#ifndef LKP_BENCH_NAME_H
#define LKP_BENCH_NAME_H

#include "harness/bench/bench.h"

/* Checks the text as a value of the parameter; *ret is its normal form, the caller's. Kind USER. */
int bench_value(const struct bench_param *param, const char *text, char **ret, struct err *err);

/* The name of a case whose bench and values are set; the caller frees it. */
char *bench_name_make(const struct bench_case *c);

#endif
