/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All tasks write the first 4 KiB of one file, each through its own open(). */
#include <fcntl.h>
#include <unistd.h>

#include "benchmarks/will-it-scale/testcase.h"

#define BLOCK 4096

const char *testcase_description = "pwrite: all tasks the same file, same offset";

static char path[PATH_MAX];

void testcase_prepare(unsigned long nr_tasks)
{
	const char block[BLOCK] = "";
	int fd = testcase_tmpfile(path);

	(void)nr_tasks;
	if (write(fd, block, BLOCK) != BLOCK)
		testcase_fail("write");
	close(fd);
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	const char block[BLOCK] = "";
	int fd = open(path, O_RDWR | O_CLOEXEC);

	(void)nr;
	if (fd < 0)
		testcase_fail("open");
	while (testcase_more(iterations)) {
		if (pwrite(fd, block, BLOCK, 0) != BLOCK)
			testcase_fail("pwrite");
		(*iterations)++;
	}
	close(fd);
}

void testcase_cleanup(void)
{
	if (*path)
		unlink(path);
}
