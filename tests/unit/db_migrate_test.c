/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>

#include "db/mails.h"
#include "db/reports.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define OLD    "tests/fixtures/db/version-%d.sql" /* as each version was released, with rows */
#define LATEST 2

static char *dir, *path;
static struct err err;

static int setup(void **state)
{
	char template[] = "/tmp/lkp-migrate-test-XXXXXX";

	(void)state;
	err = (struct err)ERR_INIT;
	dir = xstrdup(mkdtemp(template));
	path = xasprintf("%s/x.db", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fs_remove_tree(dir, &err);
	free(path);
	free(dir);
	return 0;
}

/* Runs SQL on the file behind the project's back; the first column of its last row, 0: none. */
static int64_t sql(const char *text)
{
	sqlite3_stmt *s = NULL;
	sqlite3 *raw;
	int64_t value = 0;

	assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
	for (const char *rest = text; *rest; text = rest) {
		if (sqlite3_prepare_v2(raw, text, -1, &s, &rest) != SQLITE_OK)
			fail_msg("%s: %s", text, sqlite3_errmsg(raw));
		while (s && sqlite3_step(s) == SQLITE_ROW)
			value = sqlite3_column_int64(s, 0);
		assert_int_equal(sqlite3_finalize(s), SQLITE_OK);
	}
	sqlite3_close(raw);
	return value;
}

static void make_version(int version)
{
	_cleanup_free_ char *file = xasprintf(OLD, version);
	_cleanup_str_ struct str text = STR_INIT;

	if (fs_read(file, 1 << 20, &text, &err) < 0)
		fail_msg("%s", err.msg);
	sql(text.buf);
	assert_int_equal(sql("PRAGMA user_version"), version);
}

static void open_newest(struct db **ret)
{
	if (db_open(path, ret, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(sql("PRAGMA user_version"), LATEST);
}

static void every_version_migrates_with_its_rows(void **state)
{
	(void)state;
	for (int version = 1; version < LATEST; version++) {
		struct db_mail mail = {.id = 0};
		struct db_report report = {.id = 0};
		struct db *db;
		make_version(version);
		open_newest(&db);
		assert_int_equal(db_mail_get(db, 4, &mail, &err), 0);
		assert_int_equal(mail.report_id, 7);
		assert_int_equal(mail.nr, 1);
		assert_string_equal(mail.state, "sent");
		assert_string_equal(mail.place, "/m/new/1");
		assert_int_equal(db_report_get(db, 7, &report, &err), 0);
		assert_string_equal(report.state, "confirmed");
		db_mail_done(&mail);
		db_report_done(&report);
		db_close(db);
		assert_int_equal(sql("SELECT count(*) FROM boots WHERE kind = ''"), 1);
		assert_int_equal(sql("SELECT count(*) FROM pragma_foreign_key_check"), 0);
		teardown(NULL);
		setup(NULL);
	}
}

static int64_t schema(const char *column)
{
	_cleanup_free_ char *text = xasprintf(
		"SELECT count(*) FROM pragma_table_info('boots') WHERE name = '%s'", column);

	return sql(text);
}

static void a_failure_in_the_middle_leaves_the_old_version_whole(void **state)
{
	struct db_mail mail = {.id = 0};
	struct db *db = NULL;

	(void)state;
	make_version(1);
	/* In the way of a statement behind others that change something. */
	sql("CREATE TABLE mails_2 (x)");
	assert_int_equal(db_open(path, &db, &err), -1);
	assert_non_null(strstr(err.msg, "migration 2"));
	assert_int_equal(sql("PRAGMA user_version"), 1);
	assert_int_equal(schema("kind"), 0);
	assert_int_equal(sql("SELECT count(*) FROM sqlite_master WHERE name = 'boot_findings'"), 0);
	assert_int_equal(sql("SELECT count(*) FROM mails"), 1);
	sql("DROP TABLE mails_2");
	open_newest(&db);
	assert_int_equal(db_mail_get(db, 4, &mail, &err), 0);
	db_mail_done(&mail);
	db_close(db);
}

static void a_new_file_and_a_migrated_one_are_alike(void **state)
{
	struct db *db;
	int64_t tables, fresh;

	(void)state;
	make_version(1);
	open_newest(&db);
	db_close(db);
	tables = sql("SELECT sum(length(sql)) FROM sqlite_master");
	teardown(NULL);
	setup(NULL);
	open_newest(&db);
	db_close(db);
	fresh = sql("SELECT sum(length(sql)) FROM sqlite_master");
	assert_int_equal(tables, fresh);
}

static void a_newer_version_is_refused_and_left_alone(void **state)
{
	struct db *db = NULL;

	(void)state;
	open_newest(&db);
	db_close(db);
	sql("PRAGMA user_version = 3");
	assert_int_equal(db_open(path, &db, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, "use the newer program"));
	assert_int_equal(sql("PRAGMA user_version"), 3);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(every_version_migrates_with_its_rows),
		T(a_failure_in_the_middle_leaves_the_old_version_whole),
		T(a_new_file_and_a_migrated_one_are_alike),
		T(a_newer_version_is_refused_and_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
