/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/outguard.h"

#include <sys/statvfs.h>

#include "harness/util/fs_walk.h"
#include "harness/util/str.h"
#include "harness/util/time.h"
#include "harness/util/units.h"

#define LOOK_S	  0.25
#define MEASURE_S 60
/* A full disk shows in files too; without a few no build ends. */
#define KEEP_FILES 1000
/* Growth after which the first measure is made: what was there before is unknown until then. */
#define FIRST_SLACK ((int64_t)1 << 30)

void outguard_start(struct outguard *g, const char *out, int64_t cap, int64_t keep_free)
{
	int64_t slack = cap / 16 < FIRST_SLACK ? cap / 16 : FIRST_SLACK;
	struct statvfs fs;

	*g = (struct outguard){.out = out, .cap = cap, .keep_free = keep_free, .slack = slack};
	g->next_measure = time_monotonic() + MEASURE_S;
	if (statvfs(out, &fs) == 0)
		g->measured = (int64_t)(fs.f_bfree * fs.f_frsize);
}

static int add_size(int dirfd, const char *name, const struct stat *st, void *arg)
{
	int64_t *sum = arg;

	(void)dirfd;
	(void)name;
	*sum += (int64_t)st->st_blocks * 512;
	return 0;
}

/* A folder that is changed under our feet, or closed to us, may not be measured: then what the disk
 * lost counts. */
static void measure(struct outguard *g, int64_t available, double now)
{
	int64_t sum = 0;

	if (fs_walk(g->out, "measure", add_size, &sum, NULL) < 0)
		sum = g->known + (g->measured > available ? g->measured - available : 0);
	g->known = sum;
	g->measured = available;
	g->slack = g->cap > sum ? (g->cap - sum) / 2 : 0;
	if (g->slack < g->cap / 64)
		g->slack = g->cap / 64;
	g->next_measure = now + MEASURE_S;
	if (sum > g->cap)
		g->verdict = OUTGUARD_TOO_LARGE;
}

bool outguard_look(struct outguard *g, bool now)
{
	double time = time_monotonic();
	struct statvfs fs;
	int64_t available;

	if (g->verdict != OUTGUARD_FINE)
		return true;
	if ((!now && time < g->next_look) || statvfs(g->out, &fs) < 0)
		return false;
	g->next_look = time + LOOK_S;
	available = (int64_t)(fs.f_bfree * fs.f_frsize);
	if (g->cap > 0 && (g->measured - available > g->slack || time > g->next_measure))
		measure(g, available, time);
	if (g->verdict == OUTGUARD_FINE && g->keep_free > 0 &&
	    ((int64_t)(fs.f_bavail * fs.f_frsize) < g->keep_free ||
	     (fs.f_files > 0 && fs.f_favail < KEEP_FILES)))
		g->verdict = OUTGUARD_DISK_FULL;
	return g->verdict != OUTGUARD_FINE;
}

int outguard_judge(const struct outguard *g, struct err *err)
{
	_cleanup_str_ struct str limit = STR_INIT;

	if (g->verdict == OUTGUARD_TOO_LARGE) {
		units_add_setting(&limit, (uint64_t)g->cap);
		return err_set_cause(err, ERR_USER, "output-too-large",
				     "output too large: the build left more than %s in %s and was "
				     "ended; raise \"build: output:\" if this kernel needs it",
				     limit.buf, g->out);
	}
	if (g->verdict == OUTGUARD_DISK_FULL) {
		units_add_setting(&limit, (uint64_t)g->keep_free);
		return err_set_cause(err, ERR_INFRA, "disk-full",
				     "the disk of %s has less than %s (or %d files) left; make "
				     "room, move \"paths: cache:\", or lower \"build: keep_free:\"",
				     g->out, limit.buf, KEEP_FILES);
	}
	return 0;
}
