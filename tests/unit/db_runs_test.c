/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "db/boots.h"
#include "db/facts.h"
#include "db/kernels.h"
#include "db/query.h"
#include "db/runs.h"
#include "harness/util/mem.h"

#define A "aaaa000000000000000000000000000000000000"
#define B "aaab000000000000000000000000000000000000"

static struct db *db;
static struct err err;

static int setup(void **state)
{
	(void)state;
	err = (struct err)ERR_INIT;
	return db_open(":memory:", &db, &err);
}

static int teardown(void **state)
{
	(void)state;
	db_close(db);
	return 0;
}

static void put_commit(const char *id, const char *subject, char **parents)
{
	struct db_commit c = {.subject = (char *)subject,
			      .author_name = (char *)"N",
			      .author_email = (char *)"n@example.org",
			      .parents = parents,
			      .date = 5};

	snprintf(c.id, sizeof(c.id), "%s", id);
	assert_int_equal(db_commit_put(db, &c, &err), 0);
}

static struct db_boot boot_of(const char *commit, const char *boot)
{
	struct db_boot b = {.boot = boot,
			    .machine = "m1",
			    .kconfig = "k",
			    .image_id = "i",
			    .toolbox_id = "t",
			    .accel = "icount",
			    .clocksource = "tsc",
			    .status = "ok",
			    .detail = "",
			    .folder = "/f",
			    .purpose = "judge",
			    .seed = UINT64_MAX,
			    .started = 9,
			    .facts = "{}"};

	snprintf(b.commit, sizeof(b.commit), "%s", commit);
	return b;
}

static int64_t put_boot(const struct db_boot *b)
{
	int64_t id;
	bool is_new;

	assert_int_equal(db_boot_put(db, b, &id, &is_new, &err), 0);
	assert_true(is_new);
	return id;
}

static int64_t put_run(int64_t boot, const char *name, int64_t block, const char *status)
{
	const struct db_run r = {.boot_id = boot,
				 .test_case = name,
				 .block = block,
				 .status = status,
				 .detail = "d"};
	int64_t id;

	assert_int_equal(db_run_put(db, &r, &id, &err), 0);
	return id;
}

static void commits(void **state)
{
	char *parents[] = {(char *)B, NULL};
	struct db_commit c;

	(void)state;
	put_commit(A, "", NULL);
	put_commit(A, "subject", parents);
	put_commit(A, "another", NULL);
	assert_int_equal(db_commit_find(db, "AAAA", &c, &err), 0);
	assert_string_equal(c.id, A);
	assert_string_equal(c.subject, "subject");
	assert_string_equal(c.author_email, "n@example.org");
	assert_int_equal(strv_len(c.parents), 1);
	assert_string_equal(c.parents[0], B);
	assert_int_equal(c.date, 5);
	db_commit_done(&c);
}

static void commit_prefixes(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"bbbb", "no commit bbbb"},
		{"aaa", "hex"},
		{"HEAD", "hex"},
		{"", "hex"},
		{"aaaa0000000000000000000000000000000000000", "hex"},
		{"aaaa%", "hex"},
	};
	struct db_commit c;

	(void)state;
	put_commit(A, "first\x1b[1m", NULL);
	put_commit("aaaa000000000000000000000000000000000001", "second", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(db_commit_find(db, cases[i].text, &c, &err), -1);
		assert_int_equal(err.kind, ERR_USER);
		assert_non_null(strstr(err.msg, cases[i].why));
	}
	assert_int_equal(db_commit_find(db, "aaaa", &c, &err), -1);
	assert_string_equal(err.cause, "ambiguous");
	assert_non_null(strstr(err.msg, A " first\\x1b"));
	assert_non_null(strstr(err.msg, "second"));
	assert_int_equal(db_commit_find(db, A, &c, &err), 0);
	db_commit_done(&c);
}

static void bad_commits(void **state)
{
	char *parents[] = {(char *)"1234", NULL};
	struct db_commit c = {.id = "1234"};

	(void)state;
	assert_int_equal(db_commit_put(db, &c, &err), -1);
	snprintf(c.id, sizeof(c.id), "%s", A);
	c.parents = parents;
	assert_int_equal(db_commit_put(db, &c, &err), -1);
	assert_int_equal(db_commit_find(db, A, &c, &err), -1);
}

static void boots(void **state)
{
	struct db_boot b = boot_of(A, "b1");
	int64_t id, again;
	bool is_new;

	(void)state;
	assert_int_equal(db_boot_put(db, &b, &id, &is_new, &err), -1);
	assert_non_null(strstr(err.msg, A));
	put_commit(A, "s", NULL);
	id = put_boot(&b);
	b.status = "panic";
	assert_int_equal(db_boot_put(db, &b, &again, &is_new, &err), 0);
	assert_int_equal(again, id);
	assert_false(is_new);
	b.machine = "m2";
	assert_int_not_equal(put_boot(&b), id);
	b.boot = "b2";
	b.purpose = "fun";
	assert_int_equal(db_boot_put(db, &b, &id, &is_new, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
}

static void runs_and_samples(void **state)
{
	static const double values[] = {3, 1, 2};
	struct db_boot b = boot_of(A, "b1");
	struct db_sample *samples;
	struct db_run twice;
	size_t n;

	(void)state;
	put_commit(A, "s", NULL);
	int64_t boot = put_boot(&b), run = put_run(boot, "c/1", 7, "ok"), id;
	assert_int_equal(db_samples_put(db, run, "z", values, 3, &err), 0);
	assert_int_equal(db_samples_put(db, run, "a", values, 1, &err), 0);
	assert_int_equal(db_samples_put(db, run, "n", values, 0, &err), -1);
	assert_int_equal(db_samples_put(db, run, "i", (double[]){1.0 / 0.0}, 1, &err), -1);
	int64_t bad = put_run(boot, "c/2", 7, "bench-failed");
	assert_int_equal(db_samples_put(db, bad, "a", values, 1, &err), 0);
	twice = (struct db_run){.boot_id = boot, .test_case = "c/1", .status = "ok"};
	assert_int_equal(db_run_put(db, &twice, &id, &err), -1);
	assert_int_equal(err.kind, ERR_USER);

	assert_int_equal(db_samples(db, A, NULL, &samples, &n, &err), 0);
	assert_int_equal(n, 2); /* none of the failed run */
	assert_string_equal(samples[0].metric, "a");
	assert_string_equal(samples[1].metric, "z");
	assert_string_equal(samples[1].test_case, "c/1");
	assert_string_equal(samples[1].machine, "m1");
	assert_string_equal(samples[1].accel, "icount");
	assert_string_equal(samples[1].purpose, "judge");
	assert_int_equal(samples[1].block, 7);
	assert_int_equal(samples[1].n, 3);
	assert_memory_equal(samples[1].values, values, sizeof(values));
	db_samples_free(samples, n);
}

static void filters(void **state)
{
	static const struct {
		struct db_filter filter;
		size_t samples, outcomes;
	} cases[] = {
		{{.machine = NULL}, 4, 4},
		{{.machine = "m1"}, 2, 2},
		{{.machine = "m"}, 0, 0},
		{{.case_glob = "c/*"}, 4, 4},
		{{.case_glob = "*1"}, 4, 4},
		{{.case_glob = "d*"}, 0, 2}, /* the boots stay */
		{{.metric_glob = "b"}, 2, 4},
		{{.kconfig = "k"}, 4, 4},
		{{.kconfig = ""}, 0, 0},
		{{.toolbox_id = "t", .machine = "m2"}, 2, 2},
		{{.toolbox_id = "' OR 1 --"}, 0, 0},
	};
	struct db_boot b = boot_of(A, "b1");

	(void)state;
	put_commit(A, "s", NULL);
	for (int i = 0; i < 2; i++) {
		b.machine = i ? "m2" : "m1";
		int64_t run = put_run(put_boot(&b), "c/1", 0, "ok");
		assert_int_equal(db_samples_put(db, run, "a", (double[]){1}, 1, &err), 0);
		assert_int_equal(db_samples_put(db, run, "b", (double[]){1}, 1, &err), 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct db_sample *samples;
		struct db_outcome *outcomes;
		size_t n;
		assert_int_equal(db_samples(db, A, &cases[i].filter, &samples, &n, &err), 0);
		assert_int_equal(n, cases[i].samples);
		db_samples_free(samples, n);
		assert_int_equal(db_outcomes(db, A, &cases[i].filter, &outcomes, &n, &err), 0);
		assert_int_equal(n, cases[i].outcomes);
		db_outcomes_free(outcomes, n);
	}
}

static void outcomes(void **state)
{
	struct db_boot b = boot_of(A, "b1");
	struct db_outcome *o;
	size_t n;

	(void)state;
	put_commit(A, "s", NULL);
	put_run(put_boot(&b), "c/1", 3, "bench-failed");
	b.boot = "b2";
	b.status = "panic";
	put_boot(&b);
	assert_int_equal(db_outcomes(db, A, NULL, &o, &n, &err), 0);
	assert_int_equal(n, 3);
	assert_string_equal(o[0].test_case, "");
	assert_string_equal(o[0].status, "ok");
	assert_string_equal(o[1].test_case, "c/1");
	assert_string_equal(o[1].status, "bench-failed");
	assert_int_equal(o[1].block, 3);
	assert_string_equal(o[2].status, "panic");
	db_outcomes_free(o, n);
}

static void block_numbers(void **state)
{
	struct db_boot b = boot_of(A, "b1");
	int64_t next;

	(void)state;
	put_commit(A, "s", NULL);
	assert_int_equal(db_block_next(db, "m1", &next, &err), 0);
	assert_int_equal(next, 1);
	int64_t boot = put_boot(&b);
	put_run(boot, "c/1", 12, "ok");
	put_run(boot, "c/2", 3, "ok");
	put_run(boot, "c/3", 0, "ok");
	assert_int_equal(db_block_next(db, "m1", &next, &err), 0);
	assert_int_equal(next, 13);
	assert_int_equal(db_block_next(db, "m2", &next, &err), 0);
	assert_int_equal(next, 1);
}

static void kernels(void **state)
{
	struct db_kernel k = {.commit = A,
			      .tree = "t",
			      .kconfig = "k",
			      .toolchain = "gcc 12",
			      .image_id = "",
			      .status = "build-failed",
			      .error = "e",
			      .record = "",
			      .seconds = 1};
	int64_t id, again;

	(void)state;
	assert_int_equal(db_kernel_put(db, &k, &id, &err), -1);
	put_commit(A, "s", NULL);
	assert_int_equal(db_kernel_put(db, &k, &id, &err), 0);
	k.status = "ok";
	assert_int_equal(db_kernel_put(db, &k, &again, &err), 0);
	assert_int_equal(id, again);
	k.kconfig = "other";
	assert_int_equal(db_kernel_put(db, &k, &again, &err), 0);
	assert_int_not_equal(id, again);
}

static void newest_folder(void **state)
{
	struct db_boot b = boot_of(A, "b1");
	char *folder;

	(void)state;
	put_commit(A, "s", NULL);
	assert_int_equal(db_boot_folder(db, A, "m1", "k", &folder, &err), 0);
	assert_string_equal(folder, "");
	free(folder);
	put_boot(&b);
	b.boot = "b2";
	b.started = 10;
	b.folder = "/new";
	put_boot(&b);
	b.boot = "b3";
	b.started = 11;
	b.folder = "/panicked";
	b.status = "panic";
	put_boot(&b);
	assert_int_equal(db_boot_folder(db, A, "m1", "k", &folder, &err), 0);
	assert_string_equal(folder, "/new");
	free(folder);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(commits), T(commit_prefixes), T(bad_commits),	  T(boots),   T(runs_and_samples),
		T(filters), T(outcomes),	T(block_numbers), T(kernels), T(newest_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
