/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two commits in a database in memory, and boots to fill it with. Several tests use it.
 */
#ifndef LKP_TEST_JUDGE_BLOCKS_H
#define LKP_TEST_JUDGE_BLOCKS_H

#include "db/boots.h"
#include "db/runs.h"
#include "harness/util/mem.h"

#define BASE "aaaa000000000000000000000000000000000000"
#define HEAD "bbbb000000000000000000000000000000000000"
#define OPS  "will-it-scale.per_thread_ops" /* higher is better */
#define TIME "hackbench.time"		    /* lower is better */
#define WIS  "will-it-scale/pwrite2"

static struct db *db;
static struct err err;

static inline int setup(void **state)
{
	struct db_commit c = {.subject = (char *)"s"};

	(void)state;
	err = (struct err)ERR_INIT;
	if (db_open(":memory:", &db, &err) < 0)
		return -1;
	snprintf(c.id, sizeof(c.id), "%s", BASE);
	db_commit_put(db, &c, &err);
	snprintf(c.id, sizeof(c.id), "%s", HEAD);
	return db_commit_put(db, &c, &err);
}

static inline int teardown(void **state)
{
	(void)state;
	db_close(db);
	return 0;
}

/* What a test varies about a boot; zeroes are the usual. */
struct how {
	int64_t block;
	const char *name, *metric, *machine, *kconfig, *toolbox, *accel, *image, *purpose, *status,
		*run_status;
};

static inline const char *given(const char *text, const char *usual)
{
	return text ? text : usual;
}

static inline int64_t put_boot(const char *commit, const struct how *h)
{
	static int number;
	char name[20];
	struct db_boot b = {.boot = name,
			    .machine = given(h->machine, "m"),
			    .kconfig = given(h->kconfig, ""),
			    .image_id = given(h->image, ""),
			    .toolbox_id = given(h->toolbox, "t1"),
			    .accel = given(h->accel, ""),
			    .clocksource = "",
			    .status = given(h->status, "ok"),
			    .purpose = given(h->purpose, "judge"),
			    .facts = "{}"};
	int64_t id;
	bool is_new;

	snprintf(name, sizeof(name), "b%d", number++);
	snprintf(b.commit, sizeof(b.commit), "%s", commit);
	assert_int_equal(db_boot_put(db, &b, &id, &is_new, &err), 0);
	return id;
}

static inline void put_values(const char *commit, const struct how *h, const double *values,
			      size_t n)
{
	const struct db_run r = {.boot_id = put_boot(commit, h),
				 .test_case = given(h->name, WIS),
				 .block = h->block,
				 .status = given(h->run_status, "ok")};
	int64_t run;

	assert_int_equal(db_run_put(db, &r, &run, &err), 0);
	assert_int_equal(db_samples_put(db, run, given(h->metric, OPS), values, n, &err), 0);
}

static inline void put(const char *commit, struct how h, double value)
{
	put_values(commit, &h, &value, 1);
}

#endif
