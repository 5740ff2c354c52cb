/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/clock.h"

#include <poll.h>
#include <time.h>

#include "harness/util/fs.h"
#include "harness/util/time.h"

#define NAME_CAP 4096
#define PHASE_NS 4000000u
#define POLL_MS	 100

static void current_clocksource(struct str *ret)
{
	str_reset(ret);
	if (fs_read(CLOCK_SYSFS "current_clocksource", NAME_CAP, ret, NULL) < 0)
		str_reset(ret);
	str_rtrim(ret);
}

/* jiffies is provisional only while something better is on offer. */
static bool provisional(const char *name)
{
	_cleanup_str_ struct str all = STR_INIT;

	if (streq(name, "tsc-early"))
		return true;
	if (!streq(name, "jiffies") && !streq(name, "refined-jiffies"))
		return false;
	if (fs_read(CLOCK_SYSFS "available_clocksource", NAME_CAP, &all, NULL) < 0)
		return false;
	str_rtrim(&all);
	return !streq(all.buf, name);
}

void clock_wait_stable(double bound_s, struct str *ret)
{
	_cleanup_str_ struct str name = STR_INIT;
	double end = time_monotonic() + bound_s;

	current_clocksource(&name);
	while (provisional(name.buf) && time_monotonic() < end) {
		poll(NULL, 0, POLL_MS);
		current_clocksource(&name);
	}
	str_addn(ret, name.buf, name.len);
}

double clock_uptime(void)
{
	struct timespec t = {0};

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One step of splitmix64: neighbouring seeds give unrelated phases. */
static uint64_t scramble(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

void clock_start_phase(int64_t seed)
{
	double end = time_monotonic() + scramble((uint64_t)seed) % PHASE_NS / 1e9;

	while (seed && time_monotonic() < end)
		;
}
