/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/cpulist.h"

#include <ctype.h>

static int number(const char **text)
{
	int n = 0;

	if (!isdigit((unsigned char)**text))
		return -1;
	while (isdigit((unsigned char)**text)) {
		n = n * 10 + (*(*text)++ - '0');
		if (n >= CPU_SETSIZE)
			return -1;
	}
	return n;
}

int cpulist_parse(const char *text, cpu_set_t *ret)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	do {
		int first = number(&text), last = first;

		if (*text == '-') {
			text++;
			last = number(&text);
		}
		if (first < 0 || last < first)
			return -1;
		for (int cpu = first; cpu <= last; cpu++)
			CPU_SET(cpu, &cpus);
	} while (*text == ',' && *++text);
	if (*text)
		return -1;
	*ret = cpus;
	return 0;
}
