/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "benchmarks/will-it-scale/driver_affinity.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUS_MAX 8192

/* The kernel refuses a mask smaller than its own, and a cpu_set_t ends at 1024 CPUs. */
union mask {
	cpu_set_t set;
	unsigned char bytes[CPUS_MAX / 8];
};

struct cpu {
	int number;
	long package;
	long core;
};

static struct cpu *cpus; /* in order */
static size_t nr_cpus;
static size_t *places; /* the first index in cpus of each place; places[nr_places] == nr_cpus */
static size_t nr_places;

static long topology(int cpu, const char *file, long absent)
{
	char path[128];
	long n;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, file);
	f = fopen(path, "re");
	if (!f)
		return absent;
	if (fscanf(f, "%ld", &n) != 1)
		n = absent;
	fclose(f);
	return n;
}

static int compare_cpus(const void *a, const void *b)
{
	const struct cpu *x = a, *y = b;

	if (x->package != y->package)
		return x->package < y->package ? -1 : 1;
	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	return x->number - y->number;
}

static bool same_core(const struct cpu *a, const struct cpu *b)
{
	return a->package == b->package && a->core == b->core;
}

int affinity_init(bool smt)
{
	union mask allowed;

	memset(&allowed, 0, sizeof(allowed));
	if (sched_getaffinity(0, sizeof(allowed), &allowed.set))
		return -1;
	cpus = calloc((size_t)CPU_COUNT_S(sizeof(allowed), &allowed.set), sizeof(*cpus));
	places = calloc((size_t)CPU_COUNT_S(sizeof(allowed), &allowed.set) + 1, sizeof(*places));
	if (!cpus || !places)
		return -1;
	for (int i = 0; i < CPUS_MAX; i++) {
		if (!CPU_ISSET_S(i, sizeof(allowed), &allowed.set))
			continue;
		cpus[nr_cpus++] = (struct cpu){.number = i,
					       .package = topology(i, "physical_package_id", 0),
					       .core = topology(i, "core_id", i)};
	}
	qsort(cpus, nr_cpus, sizeof(*cpus), compare_cpus);
	for (size_t i = 0; i < nr_cpus; i++)
		if (smt || i == 0 || !same_core(&cpus[i], &cpus[i - 1]))
			places[nr_places++] = i;
	places[nr_places] = nr_cpus;
	return 0;
}

int affinity_bind(unsigned long nr)
{
	size_t place = nr % nr_places;
	union mask mask;

	memset(&mask, 0, sizeof(mask));
	for (size_t i = places[place]; i < places[place + 1]; i++)
		CPU_SET_S(cpus[i].number, sizeof(mask), &mask.set);
	return sched_setaffinity(0, sizeof(mask), &mask.set);
}
