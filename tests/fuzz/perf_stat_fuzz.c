/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an output of perf stat: read into events that make sense, or refused. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/monitor/perf_stat.h"
#include "harness/util/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_record(const char *text, size_t n)
{
	_cleanup_(perf_stat_done) struct perf_stat ps = {0};
	struct err err = ERR_INIT;

	if (perf_stat_parse(text, n, &ps, &err) < 0) {
		if (ps.n || err.kind != ERR_BENCH || !*err.msg)
			abort();
		return;
	}
	for (size_t i = 0; i < ps.n; i++)
		if ((ps.events[i].status == PERF_STAT_OK) != (ps.events[i].value >= 0) ||
		    !*ps.events[i].event || !ps.events[i].unit)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(metric_set_done) struct metric_set set = {0};
	_cleanup_strv_ char **absent = NULL;
	struct err err = ERR_INIT;

	check_record((const char *)data, size);
	if (monitor_perf_stat.parse((const char *)data, size, &set, &absent, &err) < 0 &&
	    (set.n || absent))
		abort();
	for (size_t i = 0; i < set.n; i++)
		if (!isfinite(set.values[i].value))
			abort();
	return 0;
}
