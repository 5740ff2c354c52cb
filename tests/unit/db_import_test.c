/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "db/commits.h"
#include "db/import.h"
#include "db/query.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define A      "aaaa000000000000000000000000000000000000"
#define COMMIT "{\"id\": \"" A "\", \"subject\": \"s\"}"
#define RUN(more) \
	"{\"commit\": \"" A "\", \"machine\": \"m\", \"case\": \"c\", \"boot\": \"b\"" more "}"
#define FILE_OF(commits, runs) \
	"{\"format\": \"lkp-samples/1\", \"commits\": [" commits "], \"runs\": [" runs "]}"
#define ONE(more) FILE_OF(COMMIT, RUN(more))
#define OK	  ", \"metrics\": {\"x\": [1]}"

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

/* As the command has it, with names for the test: "count" cannot be negative, "x" can. */
static bool may_be_negative(const char *metric)
{
	return strcmp(metric, "count") != 0;
}

static int import(const char *text, struct import_counts *ret)
{
	return db_import(db, "f.json", text, strlen(text), may_be_negative, ret, &err);
}

static size_t count_samples(void)
{
	struct db_sample *samples;
	size_t n;

	assert_int_equal(db_samples(db, A, NULL, &samples, &n, &err), 0);
	db_samples_free(samples, n);
	return n;
}

static const struct {
	const char *text, *why;
} faults[] = {
	/* Numbers that are none: the parser meets them, the path is ours. */
	{ONE(", \"metrics\": {\"x\": [1, NaN]}"), "$.runs[0].metrics[\"x\"][1]: "},
	{ONE(", \"metrics\": {\"a.b\": [Infinity]}"), "$.runs[0].metrics[\"a.b\"][0]: "},
	{ONE(", \"metrics\": {\"x\": [1, 2, -Infinity]}"), "$.runs[0].metrics[\"x\"][2]: "},
	{ONE(", \"metrics\": {\"x\": [1e999]}"), "$.runs[0].metrics[\"x\"][0]: "},
	{ONE(", \"metrics\": {\"x\": [1], \"x\": [2]}"), "$.runs[0].metrics[\"x\"]"},
	{ONE(", \"metrics\": {\"count\": [1, -1]}"),
	 "$.runs[0].metrics[\"count\"][1]: -1: this metric cannot be negative"},
	{ONE(", \"metrics\": {\"x\": [\"1\"]}"), "$.runs[0].metrics[\"x\"][0]: expected a number"},
	{ONE(", \"metrics\": {\"x\": [null]}"), "$.runs[0].metrics[\"x\"][0]"},
	{ONE(", \"metrics\": {\"x\": [[1]]}"), "$.runs[0].metrics[\"x\"][0]"},
	{ONE(", \"metrics\": {\"x\": 1}"), "$.runs[0].metrics[\"x\"]: expected an array"},
	{ONE(", \"metrics\": {\"x\": []}"), "$.runs[0].metrics[\"x\"]: 0 values"},
	{ONE(", \"metrics\": {\"\": [1]}"), "$.runs[0].metrics[\"\"]: is empty"},
	{ONE(", \"metrics\": [1]"), "$.runs[0].metrics: expected an object"},
	{ONE(""), "$.runs[0]: the key \"metrics\" is missing"},
	{ONE(OK ", \"blok\": 1"), "$.runs[0]: unknown key \"blok\"; did you mean \"block\"?"},
	{ONE(OK ", \"block\": 0"), "$.runs[0].block: 0"},
	{ONE(OK ", \"block\": \"1\""), "$.runs[0].block: expected an integer"},
	{ONE(OK ", \"block\": 1.5"), "$.runs[0].block: expected an integer"},
	{ONE(OK ", \"status\": \"fine\""), "$.runs[0].status: unknown status \"fine\""},
	{ONE(OK ", \"status\": null"), "$.runs[0].status: expected a string"},
	{ONE(OK ", \"kconfig\": \"\""), "$.runs[0].kconfig: is empty"},
	{ONE(OK ", \"facts\": []"), "$.runs[0].facts: expected an object"},
	{ONE(OK ", \"facts\": {\"accel\": 1}"), "$.runs[0].facts.accel: expected a string"},
	{ONE(OK ", \"facts\": {\"purpose\": \"fun\"}"), "$.runs[0].facts.purpose"},
	{FILE_OF(COMMIT, "7"), "$.runs[0]: expected an object"},
	{FILE_OF(COMMIT, RUN(OK) ", " RUN(OK)), "$.runs[1]: the same boot and test as $.runs[0]"},
	{FILE_OF("", RUN(OK)), "$.runs[0].commit: no commit " A},
	{FILE_OF(COMMIT, "{\"commit\": \"aaaa\", \"machine\": \"m\", \"case\": \"c\", "
			 "\"boot\": \"b\"" OK "}"),
	 "$.runs[0].commit: \"aaaa\" is not 40 digits of hex"},
	{FILE_OF(COMMIT, "{\"commit\": \"" A "\", \"machine\": \"a\\nb\", \"case\": \"c\", "
			 "\"boot\": \"b\"" OK "}"),
	 "$.runs[0].machine: holds a control character"},
	{FILE_OF(COMMIT, "{\"commit\": \"" A "\", \"machine\": \"m\", \"case\": \"\", "
			 "\"boot\": \"b\"" OK "}"),
	 "$.runs[0].case: is empty"},
	{FILE_OF(COMMIT, "{\"commit\": \"" A "\", \"machine\": \"m\", \"case\": \"\", "
			 "\"boot\": \"b\", \"status\": \"panic\"" OK "}"),
	 "$.runs[0].metrics: values without a case"},
	{FILE_OF("{\"id\": \"1234\"}", ""), "$.commits[0].id: \"1234\" is not 40"},
	{FILE_OF("{\"id\": \"zzzz000000000000000000000000000000000000\"}", ""),
	 "$.commits[0].id: "},
	{FILE_OF("{\"subject\": \"s\"}", ""), "$.commits[0]: the key \"id\" is missing"},
	{FILE_OF(COMMIT ", " COMMIT, ""), "$.commits[1].id: " A " is $.commits[0] already"},
	{FILE_OF("{\"id\": \"" A "\", \"parents\": [\"12\"]}", ""), "$.commits[0].parents[0]: "},
	{FILE_OF("{\"id\": \"" A "\", \"parents\": [12]}", ""),
	 "$.commits[0].parents[0]: expected a string"},
	{FILE_OF("{\"id\": \"" A "\", \"author\": {\"mail\": \"\"}}", ""),
	 "$.commits[0].author: unknown key"},
	{FILE_OF("{\"id\": \"" A "\", \"author\": \"me\"}", ""),
	 "$.commits[0].author: expected an object"},
	{FILE_OF("{\"id\": \"" A "\", \"date\": \"now\"}", ""), "$.commits[0].date: "},
	{"{\"format\": \"lkp-samples/2\", \"commits\": [], \"runs\": []}", "$.format"},
	{"{\"format\": \"lkp-samples/1\", \"commits\": []}", "$: the key \"runs\""},
	{"{\"format\": \"lkp-samples/1\", \"commits\": [], \"runs\": [], \"x\": 1}",
	 "$: unknown key \"x\""},
	{"[]", "$: expected an object"},
	{"", "f.json:"},
	{"{\"format\": ", "$.format"},
	{FILE_OF("", "") " x", "f.json:1:"},
};

static void refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		struct import_counts counts = {.runs = 77};
		if (import(faults[i].text, &counts) == 0)
			fail_msg("taken: %s", faults[i].text);
		if (!strstr(err.msg, faults[i].why) || strncmp(err.msg, "f.json", 6) != 0)
			fail_msg("%s\nnot: %s", err.msg, faults[i].why);
		assert_int_equal(err.kind, ERR_USER);
		assert_int_equal(counts.runs, 77);
		assert_int_equal(count_samples(), 0);
	}
}

static void a_fault_leaves_nothing_of_the_file(void **state)
{
	struct import_counts counts;
	struct db_commit c;

	(void)state;
	assert_int_equal(import(FILE_OF(COMMIT, RUN(OK) ", 7"), &counts), -1);
	assert_int_equal(count_samples(), 0);
	assert_int_equal(db_commit_find(db, A, &c, &err), -1);
	/* And the database goes on working. */
	assert_int_equal(import(ONE(OK), &counts), 0);
	assert_int_equal(count_samples(), 1);
}

static void counted(void **state)
{
	struct import_counts c;
	const char *text = ONE(", \"metrics\": {\"x\": [1, -2.5], \"count\": [0]}");

	(void)state;
	assert_int_equal(import(text, &c), 0);
	assert_int_equal(c.commits, 1);
	assert_int_equal(c.runs, 1);
	assert_int_equal(c.new_runs, 1);
	assert_int_equal(c.samples, 3);
	assert_int_equal(import(text, &c), 0);
	assert_int_equal(c.new_runs, 0);
	assert_int_equal(c.samples, 0);
	assert_int_equal(count_samples(), 2);
}

/* The first text is there; the second is a different run under the same id. */
static void different_runs(void **state)
{
	static const char *const first =
		ONE(OK ", \"block\": 1, \"kconfig\": \"k\", \"facts\": {\"cpus\": 4}");
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ONE(OK ", \"block\": 2"), "block"},
		{ONE(OK), "block"},
		{ONE(OK ", \"block\": 1, \"kconfig\": \"other\""), "kconfig"},
		{ONE(OK ", \"block\": 1, \"facts\": {\"cpus\": 5}"), "facts"},
		{ONE(OK ", \"block\": 1, \"status\": \"bench-failed\""), "status"},
		{ONE(", \"metrics\": {\"x\": [2]}, \"block\": 1"), "(x differs)"},
		{ONE(", \"metrics\": {\"x\": [1, 1]}, \"block\": 1"), "(x differs)"},
		{ONE(", \"metrics\": {\"y\": [1]}, \"block\": 1"), "(y differs)"},
		{ONE(", \"metrics\": {\"x\": [1], \"y\": [1]}, \"block\": 1"), "metrics"},
	};
	struct import_counts c;

	(void)state;
	assert_int_equal(import(first, &c), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (import(cases[i].text, &c) == 0)
			fail_msg("taken: %s", cases[i].text);
		if (!strstr(err.msg, cases[i].why) || !strstr(err.msg, "$.runs[0]"))
			fail_msg("%s\nnot: %s", err.msg, cases[i].why);
	}
	/* What is not said is not claimed. */
	assert_int_equal(import(ONE(OK ", \"block\": 1"), &c), 0);
	assert_int_equal(c.new_runs, 0);
}

static void boots_share_their_facts(void **state)
{
	struct import_counts c;

	(void)state;
	assert_int_equal(
		import(FILE_OF(COMMIT,
			       "{\"commit\": \"" A
			       "\", \"machine\": \"m\", \"case\": \"d\", \"boot\": "
			       "\"b\", \"facts\": {\"accel\": \"icount\"}" OK "}, " RUN(OK)),
		       &c),
		0);
	assert_int_equal(c.new_runs, 2);
	struct db_sample *samples;
	size_t n;
	assert_int_equal(db_samples(db, A, NULL, &samples, &n, &err), 0);
	assert_int_equal(n, 2);
	assert_int_equal(samples[0].boot_id, samples[1].boot_id);
	assert_string_equal(samples[0].accel, "icount");
	assert_string_equal(samples[0].purpose, "import");
	db_samples_free(samples, n);
}

static void statuses(void **state)
{
	struct import_counts c;
	struct db_outcome *o;
	size_t n;

	(void)state;
	assert_int_equal(import(ONE(", \"status\": \"panic\""), &c), 0);
	assert_int_equal(db_outcomes(db, A, NULL, &o, &n, &err), 0);
	assert_int_equal(n, 2);
	assert_string_equal(o[0].status, "panic"); /* the boot, too */
	assert_string_equal(o[1].status, "panic");
	db_outcomes_free(o, n);
}

static void ids_in_capitals(void **state)
{
	struct import_counts c;
	const char *text =
		FILE_OF("{\"id\": \"AAAA000000000000000000000000000000000000\"}", RUN(OK));

	(void)state;
	assert_int_equal(import(text, &c), 0);
	assert_int_equal(count_samples(), 1);
}

static void too_deep(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;
	struct import_counts c;

	(void)state;
	for (int i = 0; i < 5000; i++)
		str_addc(&text, '[');
	assert_int_equal(import(text.buf, &c), -1);
	str_reset(&text);
	for (int i = 0; i < 200; i++)
		str_addc(&text, i < 100 ? '[' : ']');
	assert_int_equal(import(text.buf, &c), -1);
	assert_non_null(strstr(err.msg, "deeper"));
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(refused),
		T(a_fault_leaves_nothing_of_the_file),
		T(counted),
		T(different_runs),
		T(boots_share_their_facts),
		T(statuses),
		T(ids_in_capitals),
		T(too_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
