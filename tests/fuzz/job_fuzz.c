/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a job file: read and expanded, or refused with a fault. */
#include <stddef.h>
#include <stdint.h>

#include "harness/bench/bench.h"
#include "harness/config/job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_str_ struct str faults = STR_INIT;
	_cleanup_str_ struct str setup = STR_INIT;
	struct bench_case *cases = NULL;
	struct job *job = NULL;
	struct err err = ERR_INIT;
	size_t n = 0;

	if (job_parse("fuzz.yaml", (const char *)data, size, &job, &faults, &err) < 0) {
		if (job || !faults.len || err.kind != ERR_USER)
			abort();
		return 0;
	}
	job_setup_add(&setup, &job->setup);
	if (bench_expand(job, &cases, &n, &err) == 0 && n == 0)
		abort();
	bench_cases_free(cases, n);
	job_free(job);
	return 0;
}
