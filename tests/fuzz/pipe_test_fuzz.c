/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an output of pipe-test: finite positive metrics, or a refusal. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/bench/bench.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct bench *bench, const struct bench_case *c, const uint8_t *data,
		  size_t size)
{
	struct metric_set set = {0};
	struct err err = ERR_INIT;
	int rc = bench->parse((const char *)data, size, c, &set, &err);

	if (rc < 0 && (set.n || err.kind != ERR_BENCH || !*err.msg))
		abort();
	if (rc == 0 && !set.n)
		abort();
	for (size_t i = 0; i < set.n; i++)
		if (!isfinite(set.values[i].value) || set.values[i].value <= 0)
			abort();
	metric_set_done(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bench_case c;

	if (bench_case_parse("pipe-test/process", &c, NULL) < 0)
		abort();
	check(c.bench, &c, data, size);
	check(c.bench, NULL, data, size);
	bench_case_done(&c);
	return 0;
}
