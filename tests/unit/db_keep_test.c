/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A state folder's database and its journal: whichever of the two is lost, behind, or torn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/import.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "tests/unit/keep_rows.h"

static char *state_dir, *path, *journal;

static void open_db(void)
{
	if (db_open_state(path, state_dir, &db, &err) < 0)
		fail_msg("%s", err.msg);
}

static int setup(void **state)
{
	char template[] = "/tmp/lkp-keep-test-XXXXXX";

	(void)state;
	err = (struct err)ERR_INIT;
	state_dir = xstrdup(mkdtemp(template));
	path = xasprintf("%s/lkp.db", state_dir);
	journal = xasprintf("%s/journal", state_dir);
	open_db();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	db_close(db);
	fs_remove_tree(state_dir, &err);
	free(state_dir);
	free(path);
	free(journal);
	return 0;
}

static bool any(const char *metric)
{
	(void)metric;
	return true;
}

static void import(const char *boot)
{
	_cleanup_free_ char *text = xasprintf(
		"{\"format\": \"lkp-samples/1\", \"commits\": [{\"id\": \"" A "\"}], \"runs\": "
		"[{\"commit\": \"" A "\", \"machine\": \"m\", \"case\": \"c\", \"boot\": \"%s\", "
		"\"metrics\": {\"x\": [1, 0.1]}}]}",
		boot);
	struct import_counts counts;

	if (db_import(db, "f.json", text, strlen(text), any, &counts, &err) < 0)
		fail_msg("%s", err.msg);
}

/* One of each, in several states. */
static void fill(void)
{
	int64_t id = put_report("x"), mail = put_mail(id, 0, "<1@example.org>");

	put_mail(id, 2, "<2@example.org>");
	assert_int_equal(db_mail_set_state(db, mail, "sent", "/m/1", &err), 0);
	assert_int_equal(db_mail_set_state(db, mail, "unsure", NULL, &err), 0);
	put_kernel(1.25);
	put_kernel(2.5);
	import("b1");
	put_report("y");
	assert_int_equal(db_report_set_state(db, id, "fixed", &err), 0);
}

/* All that is in the database, as text. */
static char *content(void)
{
	static const char query[] =
		"SELECT group_concat(t, char(10)) FROM ("
		"SELECT 'r' || id || metric || state || created AS t FROM reports UNION ALL "
		"SELECT 'm' || id || report_id || nr || message_id || hex(subject) || state || "
		"place FROM mails UNION ALL "
		"SELECT 'k' || hash || status || hex(error) || seconds FROM kernels k JOIN "
		"commits c ON c.id = k.commit_id UNION ALL "
		"SELECT 'b' || boot || status FROM boots UNION ALL "
		"SELECT 's' || n || mean || hex(data) FROM samples ORDER BY 1)";
	sqlite3_stmt *s;
	sqlite3 *raw;
	char *text;

	assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(raw, query, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	text = xstrdup(sqlite3_column_text(s, 0) ? (const char *)sqlite3_column_text(s, 0) : "");
	sqlite3_finalize(s);
	sqlite3_close(raw);
	return text;
}

static void remove_db(void)
{
	static const char *const suffixes[] = {"", "-wal", "-shm"};

	db_close(db);
	db = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		_cleanup_free_ char *name = xasprintf("%s%s", path, suffixes[i]);
		unlink(name);
	}
}

static void the_journal_makes_it_again(void **state)
{
	_cleanup_free_ char *before = NULL, *after = NULL;

	(void)state;
	fill();
	before = content();
	remove_db();
	open_db();
	after = content();
	assert_string_equal(before, after);
	/* Ids go on where they were. */
	assert_int_equal(put_report("z"), 3);
}

static void what_happened_while_the_rows_were_lost_is_taken_in(void **state)
{
	_cleanup_free_ char *copy = xasprintf("%s/copy", state_dir), *before = NULL, *after = NULL;

	(void)state;
	put_report("w");
	db_close(db);
	assert_int_equal(fs_copy(path, copy, &err), 0);
	open_db();
	fill();
	before = content();
	remove_db();
	assert_int_equal(fs_copy(copy, path, &err), 0);
	open_db();
	after = content();
	assert_string_equal(before, after);
}

static void a_lost_journal_is_written_down_again(void **state)
{
	_cleanup_free_ char *before = NULL, *after = NULL;

	(void)state;
	fill();
	before = content();
	db_close(db);
	assert_int_equal(fs_remove_tree(journal, &err), 0);
	open_db();
	assert_true(fs_is_dir(journal));
	remove_db();
	open_db();
	after = content();
	assert_string_equal(before, after);
}

static unsigned long long journal_size(void)
{
	unsigned long long size = 0;

	if (fs_is_dir(journal))
		assert_int_equal(fs_tree_size(journal, &size, &err), 0);
	return size;
}

static void what_is_rolled_back_leaves_no_line(void **state)
{
	unsigned long long before;

	(void)state;
	fill();
	before = journal_size();
	assert_int_equal(db_begin(db, &err), 0);
	put_report("lost");
	db_rollback(db);
	assert_int_equal(db_report_set_state(db, 99, "fixed", &err), -1);
	assert_int_equal(db_begin(db, &err), 0);
	assert_int_equal(db_commit(db, &err), 0);
	assert_int_equal(journal_size(), before);
}

static void what_changes_nothing_leaves_no_line(void **state)
{
	unsigned long long before;

	(void)state;
	fill();
	before = journal_size();
	put_report("x");
	put_mail(1, 1, "<1@example.org>");
	put_kernel(2.5);
	import("b1");
	assert_int_equal(journal_size(), before);
}

static void a_transaction_is_one_line(void **state)
{
	_cleanup_strv_ char **names = NULL;
	_cleanup_str_ struct str text = STR_INIT;

	(void)state;
	assert_int_equal(db_begin(db, &err), 0);
	put_mail(put_report("x"), 1, "<1@example.org>");
	assert_false(fs_is_dir(journal));
	assert_int_equal(db_commit(db, &err), 0);
	assert_int_equal(fs_list(journal, &names, &err), 0);
	_cleanup_free_ char *file = xasprintf("%s/%s", journal, names[1]);
	assert_int_equal(fs_read(file, 10000, &text, &err), 0);
	assert_ptr_equal(strchr(text.buf, '\n'), text.buf + text.len - 1);
}

/* Cuts the journal at every byte of its last line, as a crash could: it is there, or it is not. */
static void cut_anywhere(void **state)
{
	_cleanup_strv_ char **names = NULL;
	_cleanup_free_ char *without = NULL, *with = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	size_t last;

	(void)state;
	put_report("x");
	without = content();
	assert_int_equal(db_report_set_state(db, 1, "fixed", &err), 0);
	with = content();
	assert_int_equal(fs_list(journal, &names, &err), 0);
	_cleanup_free_ char *file = xasprintf("%s/%s", journal, names[1]);
	assert_int_equal(fs_read(file, 100000, &text, &err), 0);
	last = (size_t)((char *)memrchr(text.buf, '\n', text.len - 1) - text.buf) + 1;
	for (size_t n = last; n <= text.len; n += n + 20 < text.len ? 19 : 1) {
		_cleanup_free_ char *now = NULL;
		remove_db();
		assert_int_equal(fs_write_atomic(file, text.buf, n, 0644, &err), 0);
		open_db();
		now = content();
		assert_string_equal(now, n == text.len ? with : without);
	}
}

static void a_step_that_does_not_fit_is_refused_with_its_place(void **state)
{
	_cleanup_strv_ char **names = NULL;

	(void)state;
	put_report("x");
	assert_int_equal(db_report_set_state(db, 1, "fixed", &err), 0);
	assert_int_equal(fs_list(journal, &names, &err), 0);
	_cleanup_free_ char *file = xasprintf("%s/%s", journal, names[1]);
	_cleanup_str_ struct str text = STR_INIT;
	assert_int_equal(fs_read(file, 100000, &text, &err), 0);
	const char *second = strchr(text.buf, '\n') + 1;
	remove_db();
	/* Its report is not there. */
	assert_int_equal(fs_write_atomic(file, second, strlen(second), 0644, &err), 0);
	assert_int_equal(db_open_state(path, state_dir, &db, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, names[1]));
	assert_non_null(strstr(err.msg, "no report 1"));
	db = NULL;
}

static void child(int k)
{
	db_close(db); /* a handle is of one process */
	open_db();
	for (int i = 0; i < 20; i++) {
		_cleanup_free_ char *metric = xasprintf("m%d-%d", k, i);
		int64_t id = put_report(metric);
		assert_int_equal(db_report_set_state(db, id, "noise", &err), 0);
	}
	db_close(db);
	_exit(0);
}

static void processes_at_once(void **state)
{
	_cleanup_free_ char *before = NULL, *after = NULL;
	struct db_report *all;
	size_t n;
	int status;

	(void)state;
	for (int k = 0; k < 4; k++)
		if (fork() == 0)
			child(k);
	for (int k = 0; k < 4; k++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	before = content();
	remove_db();
	open_db();
	after = content();
	assert_string_equal(before, after);
	assert_int_equal(db_report_list(db, &all, &n, &err), 0);
	assert_int_equal(n, 80);
	db_reports_free(all, n);
}

static void a_database_of_its_own_keeps_none(void **state)
{
	_cleanup_free_ char *other = xasprintf("%s/x.db", state_dir), *of_other = NULL;
	_cleanup_free_ char *of_db = NULL, *results = xasprintf("%s/results", state_dir);

	(void)state;
	db_close(db);
	assert_int_equal(db_open(other, &db, &err), 0);
	fill();
	assert_false(fs_is_dir(journal));
	assert_null(db_state_of(path));
	assert_int_equal(fs_mkdirs(results, &err), 0);
	of_db = db_state_of(path);
	of_other = db_state_of(other);
	assert_string_equal(of_db, state_dir);
	assert_null(of_other);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(the_journal_makes_it_again),
		T(what_happened_while_the_rows_were_lost_is_taken_in),
		T(a_lost_journal_is_written_down_again),
		T(what_is_rolled_back_leaves_no_line),
		T(what_changes_nothing_leaves_no_line),
		T(a_transaction_is_one_line),
		T(cut_anywhere),
		T(a_step_that_does_not_fit_is_refused_with_its_place),
		T(processes_at_once),
		T(a_database_of_its_own_keeps_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
