/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the agent would have answered: a whole result folder with outputs that the real parsers
 * read.
 */
#ifndef LKP_FAKE_RESULT_H
#define LKP_FAKE_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/machine/machine.h"

/* A row of the job: the program's base name and the case. The benchmark's number for iteration k:
 * operations a second, seconds, or microseconds an operation, as the program prints it. */
typedef double fake_value_fn(const char *program, const char *name, int64_t k, double normal,
			     bool higher_is_better, void *arg);

struct fake_answer {
	fake_value_fn *value;
	void *arg;
	bool exit_1; /* the first iteration of the first run ends with exit status 1 */
	bool half;   /* leave out done.json */
};

/* Writes it below the new folder `to`. */
int fake_result_write(const char *to, const struct machine_boot *boot,
		      const struct fake_answer *answer, struct err *err);

#endif
