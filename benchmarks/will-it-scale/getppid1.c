/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cheapest system call that enters the kernel. */
#include <unistd.h>

#include "benchmarks/will-it-scale/testcase.h"

const char *testcase_description = "getppid: the cost of a system call";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	(void)nr;
	while (testcase_more(iterations)) {
		getppid();
		(*iterations)++;
	}
}
