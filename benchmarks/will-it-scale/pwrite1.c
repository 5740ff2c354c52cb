/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each task writes the first 4 KiB of a file of its own, over and over. */
#include <unistd.h>

#include "benchmarks/will-it-scale/testcase.h"

#define BLOCK 4096

const char *testcase_description = "pwrite: each task its own file";

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const char block[BLOCK] = "";
	char path[PATH_MAX];
	int fd = testcase_tmpfile(path);

	(void)nr;
	unlink(path);
	while (testcase_more(iterations)) {
		if (pwrite(fd, block, BLOCK, 0) != BLOCK)
			testcase_fail("pwrite");
		(*iterations)++;
	}
	close(fd);
}
