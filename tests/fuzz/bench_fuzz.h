/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fuzz target of a benchmark's parser: any bytes give finite positive metrics, or a refusal of
 * kind BENCH. A file that includes this says for which case.
 */
#ifndef LKP_BENCH_FUZZ_H
#define LKP_BENCH_FUZZ_H

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

/* With the case known, and without, as `lkpctl parse` reads. */
static int bench_fuzz(const char *test_case, const uint8_t *data, size_t size)
{
	struct bench_case c;

	if (bench_case_parse(test_case, &c, NULL) < 0)
		abort();
	check(c.bench, &c, data, size);
	check(c.bench, NULL, data, size);
	bench_case_done(&c);
	return 0;
}

#endif
