/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char *dir, *path;

static int setup(void **state)
{
	char template[] = "/tmp/lkp-db-test-XXXXXX";

	(void)state;
	dir = xstrdup(mkdtemp(template));
	path = xasprintf("%s/x.db", dir);
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	fs_remove_tree(dir, &err);
	free(path);
	free(dir);
	return 0;
}

/* Runs SQL on the file behind the project's back. */
static void sql(const char *text)
{
	sqlite3 *raw;

	assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
	assert_int_equal(sqlite3_exec(raw, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(raw);
}

static void opens_again(void **state)
{
	struct err err = ERR_INIT;
	struct db *db;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(db_open(path, &db, &err), 0);
		assert_string_equal(db_path(db), path);
		assert_int_equal(db_check(db, &err), 0);
		assert_int_equal(db_begin(db, &err), 0);
		assert_int_equal(db_commit(db, &err), 0);
		db_rollback(db); /* harmless */
		db_close(db);
	}
}

static void refuse(const char *why)
{
	struct err err = ERR_INIT;
	struct db *db = NULL;

	assert_int_equal(db_open(path, &db, &err), -1);
	assert_null(db);
	assert_int_equal(err.kind, ERR_USER);
	if (!strstr(err.msg, why) || !strstr(err.msg, path))
		fail_msg("%s", err.msg);
}

static void no_database(void **state)
{
	struct err err = ERR_INIT;
	char text[5000];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(fs_write_atomic(path, text, sizeof(text), 0644, &err), 0);
	refuse("no SQLite database");
}

static void no_folder(void **state)
{
	(void)state;
	free(path);
	path = xasprintf("%s/none/x.db", dir);
	refuse("check the path");
}

static void newer(void **state)
{
	struct err err = ERR_INIT;
	struct db *db;

	(void)state;
	assert_int_equal(db_open(path, &db, &err), 0);
	db_close(db);
	sql("PRAGMA user_version = 99");
	refuse("newer program");
}

static void of_another_program(void **state)
{
	(void)state;
	sql("CREATE TABLE bookmarks (url)");
	refuse("another program");
}

static void damaged(void **state)
{
	struct err err = ERR_INIT;
	struct db *db;
	FILE *f;

	(void)state;
	assert_int_equal(db_open(path, &db, &err), 0);
	db_close(db);
	f = fopen(path, "r+");
	for (long page = 4096; page < 5 * 4096; page += 4096) {
		fseek(f, page, SEEK_SET);
		for (int i = 0; i < 4096; i++)
			fputc(0xa5, f);
	}
	fclose(f);
	refuse("damaged");
}

static void a_transaction_that_is_rolled_back_leaves_nothing(void **state)
{
	struct err err = ERR_INIT;
	struct db *db;

	(void)state;
	assert_int_equal(db_open(":memory:", &db, &err), 0);
	assert_int_equal(db_begin(db, &err), 0);
	assert_int_equal(db_begin(db, &err), -1);
	db_rollback(db);
	assert_int_equal(db_begin(db, &err), 0);
	assert_int_equal(db_commit(db, &err), 0);
	db_close(db);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(opens_again),
		T(no_database),
		T(no_folder),
		T(newer),
		T(of_another_program),
		T(damaged),
		T(a_transaction_that_is_rolled_back_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
