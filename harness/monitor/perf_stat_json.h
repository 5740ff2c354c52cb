/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form of `perf stat -j`: one JSON object an event (perf 6.1 and later; keys as in tools/perf/
 * Documentation/perf-stat.txt), comment lines from '#'.
 */
#ifndef LKP_MONITOR_PERF_STAT_JSON_H
#define LKP_MONITOR_PERF_STAT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/monitor/perf_stat.h"

/* The first thing that is neither white space nor a comment is '{'. */
bool perf_stat_json_recognise(const char *text, size_t n);
/* Adds the events to *ps, which the caller releases in any case. */
int perf_stat_json_parse(const char *text, size_t n, struct perf_stat *ps, struct err *err);

#endif
