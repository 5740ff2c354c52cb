/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "db/boots.h"
#include "db/export.h"
#include "db/findings.h"
#include "db/import.h"
#include "db/runs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define A "aaaa000000000000000000000000000000000000"
#define B "bbbb000000000000000000000000000000000000"

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

static bool any(const char *metric)
{
	(void)metric;
	return true;
}

static int64_t put_boot(const char *commit, const char *boot, const char *status)
{
	struct db_commit c = {.subject = (char *)"quote \" and \\ \x7f"};
	struct db_boot b = {.boot = boot,
			    .machine = "m",
			    .kconfig = "k",
			    .image_id = "i",
			    .toolbox_id = "t",
			    .accel = "icount",
			    .clocksource = "tsc",
			    .status = status,
			    .detail = "",
			    .folder = "/somewhere",
			    .purpose = "confirm",
			    .seed = 7,
			    .started = 9,
			    .facts = "{\"cpus\":4,\"load\":0.1}"};
	int64_t id;
	bool is_new;

	snprintf(c.id, sizeof(c.id), "%s", commit);
	snprintf(b.commit, sizeof(b.commit), "%s", commit);
	assert_int_equal(db_commit_put(db, &c, &err), 0);
	assert_int_equal(db_boot_put(db, &b, &id, &is_new, &err), 0);
	return id;
}

static void put_run(int64_t boot, const char *name, const double *values, size_t n)
{
	const struct db_run r = {.boot_id = boot,
				 .test_case = name,
				 .block = 3,
				 .status = n ? "ok" : "bench-failed"};
	int64_t id;

	assert_int_equal(db_run_put(db, &r, &id, &err), 0);
	if (n)
		assert_int_equal(db_samples_put(db, id, "x", values, n, &err), 0);
}

static void fill(void)
{
	static const double values[] = {0.1,  1.0 / 3, 1e300, -5e-324, 9007199254740993.0,
					-0.0, 1e15,    12};
	int64_t boot = put_boot(A, "b1", "ok");

	put_run(boot, "c/1", values, ARRAY_SIZE(values));
	put_run(boot, "c/2", NULL, 0);
	put_boot(A, "b2", "panic"); /* before any run */
	put_run(put_boot(B, "b1", "ok"), "c/1", values, 1);
}

static void comes_back_the_same(void **state)
{
	_cleanup_str_ struct str first = STR_INIT, second = STR_INIT;
	struct import_counts counts;
	struct db *other;

	(void)state;
	fill();
	assert_int_equal(db_export(db, NULL, NULL, &first, &err), 0);
	/* Into the database it came from: nothing is new. */
	if (db_import(db, "f", first.buf, first.len, any, &counts, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(counts.runs, 4);
	assert_int_equal(counts.new_runs, 0);
	/* Into an empty one: everything is, and exports the same. */
	assert_int_equal(db_open(":memory:", &other, &err), 0);
	if (db_import(other, "f", first.buf, first.len, any, &counts, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(counts.new_runs, 4);
	assert_int_equal(db_export(other, NULL, NULL, &second, &err), 0);
	assert_string_equal(first.buf, second.buf);
	db_close(other);
}

/* What the format has no place for but facts: how a boot failed, and what the kernel said. */
static void failed_boots_and_findings_travel(void **state)
{
	static const double value[] = {1};
	_cleanup_json_ json_t *findings =
		json_pack("[{s:s, s:s, s:b, s:i}, {s:s}]", "kind", "kasan", "title",
			  "BUG: \xc3\xa4", "fatal", 1, "offset", 812, "kind", "warning");
	_cleanup_str_ struct str first = STR_INIT, second = STR_INIT;
	struct import_counts counts;
	struct db *other;

	(void)state;
	/* Failed after a run that went well: both are told. */
	int64_t boot = put_boot(A, "b1", "oops");
	put_run(boot, "c/1", value, 1);
	assert_int_equal(db_findings_put(db, boot, findings, "f", &err), 0);
	put_boot(B, "b2", "panic");
	assert_int_equal(db_export(db, NULL, NULL, &first, &err), 0);
	assert_non_null(strstr(first.buf, "\"status\": \"oops\""));
	assert_non_null(strstr(first.buf, "\"kind\": \"kasan\""));
	assert_int_equal(db_open(":memory:", &other, &err), 0);
	for (int i = 0; i < 2; i++) { /* once more changes nothing */
		if (db_import(other, "f", first.buf, first.len, any, &counts, &err) < 0)
			fail_msg("%s", err.msg);
		assert_int_equal(counts.new_runs, i == 0 ? 3 : 0);
	}
	assert_int_equal(db_export(other, NULL, NULL, &second, &err), 0);
	assert_string_equal(first.buf, second.buf);
	db_close(other);
}

static void the_order_is_not_that_of_storing(void **state)
{
	_cleanup_str_ struct str first = STR_INIT, second = STR_INIT;
	static const double value[] = {1};
	struct db *other;

	(void)state;
	put_run(put_boot(A, "b1", "ok"), "c/1", value, 1);
	put_run(put_boot(B, "b2", "ok"), "c/1", value, 1);
	put_run(put_boot(A, "b3", "ok"), "c/1", value, 1);
	assert_int_equal(db_export(db, NULL, NULL, &first, &err), 0);
	other = db;
	assert_int_equal(db_open(":memory:", &db, &err), 0);
	put_run(put_boot(B, "b2", "ok"), "c/1", value, 1);
	put_run(put_boot(A, "b3", "ok"), "c/1", value, 1);
	put_run(put_boot(A, "b1", "ok"), "c/1", value, 1);
	assert_int_equal(db_export(db, NULL, NULL, &second, &err), 0);
	assert_string_equal(first.buf, second.buf);
	db_close(other);
}

static void filters(void **state)
{
	static const char *const only_a[] = {A, NULL};
	static const struct {
		const char *const *commits;
		struct db_filter filter;
		size_t runs;
	} cases[] = {
		{NULL, {.machine = NULL}, 4},	 {only_a, {.machine = NULL}, 3},
		{NULL, {.case_glob = "c/1"}, 2}, {NULL, {.machine = "other"}, 0},
		{NULL, {.kconfig = "k"}, 4},
	};

	(void)state;
	fill();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str text = STR_INIT;
		struct import_counts counts;
		assert_int_equal(db_export(db, cases[i].commits, &cases[i].filter, &text, &err), 0);
		assert_int_equal(db_import(db, "f", text.buf, text.len, any, &counts, &err), 0);
		assert_int_equal(counts.runs, cases[i].runs);
	}
}

static void numbers_have_no_needless_digits(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;

	(void)state;
	fill();
	assert_int_equal(db_export(db, NULL, NULL, &text, &err), 0);
	assert_non_null(strstr(text.buf,
			       "[0.1, 0.3333333333333333, 1e+300, -4.94065645841247e-324, "
			       "9007199254740992.0, 0, 1e+15, 12]"));
	assert_non_null(strstr(text.buf, "\"status\": \"panic\""));
	assert_non_null(strstr(text.buf, "\"purpose\": \"confirm\""));
}

static void an_empty_database(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;
	struct import_counts counts;

	(void)state;
	assert_int_equal(db_export(db, NULL, NULL, &text, &err), 0);
	assert_int_equal(db_import(db, "f", text.buf, text.len, any, &counts, &err), 0);
	assert_int_equal(counts.runs, 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(comes_back_the_same),
		T(failed_boots_and_findings_travel),
		T(the_order_is_not_that_of_storing),
		T(filters),
		T(numbers_have_no_needless_digits),
		T(an_empty_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
