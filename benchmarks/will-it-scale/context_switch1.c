/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A byte goes to a partner and back through two pipes: two switches, so each round counts as two.
 */
#include <unistd.h>

#include "benchmarks/will-it-scale/testcase.h"

const char *testcase_description = "context switch: a byte to and fro between two pipe ends";

struct pair {
	int there[2];
	int back[2];
};

static void pass(int fd, char *byte)
{
	if (write(fd, byte, 1) != 1)
		testcase_fail("write to pipe");
}

static void take(int fd, char *byte)
{
	if (read(fd, byte, 1) != 1)
		testcase_fail("read from pipe");
}

static void partner(void *arg)
{
	const struct pair p = *(const struct pair *)arg;
	char byte;

	for (;;) {
		take(p.there[0], &byte);
		pass(p.back[1], &byte);
	}
}

void testcase(unsigned long long *iterations, unsigned long nr)
{
	struct pair p;
	char byte = 'x';

	(void)nr;
	if (pipe(p.there) || pipe(p.back))
		testcase_fail("pipe");
	testcase_new_task(partner, &p);
	while (testcase_more(iterations)) {
		pass(p.there[1], &byte);
		take(p.back[0], &byte);
		*iterations += 2;
	}
	/* The pipes stay open: the partner sleeps on one until the run ends. */
}
