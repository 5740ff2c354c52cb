/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/bench_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return bench_fuzz("hackbench/process/pipe/1", data, size);
}
