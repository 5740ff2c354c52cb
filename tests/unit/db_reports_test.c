/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "db/mails.h"
#include "db/reports.h"
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

static struct db_report report_of(const char *metric)
{
	return (struct db_report){.base = A,
				  .head = B,
				  .tree = (char *)"t",
				  .machine = (char *)"m",
				  .kconfig = (char *)"k",
				  .test_case = (char *)"c",
				  .metric = (char *)metric,
				  .verdict = (char *)"regression",
				  .facts = (char *)"{\"a\":1}",
				  .created = 77};
}

static int64_t put_report(const char *metric)
{
	const struct db_report r = report_of(metric);
	int64_t id;
	bool is_new;

	assert_int_equal(db_report_put(db, &r, &id, &is_new, &err), 0);
	assert_true(is_new);
	return id;
}

static void reports(void **state)
{
	struct db_report r = report_of("x"), *all;
	int64_t id = put_report("x"), again;
	bool is_new;
	size_t n;

	(void)state;
	assert_int_equal(db_report_put(db, &r, &again, &is_new, &err), 0);
	assert_int_equal(again, id);
	assert_false(is_new);
	put_report("y");
	assert_int_equal(db_report_get(db, id, &r, &err), 0);
	assert_string_equal(r.head, B);
	assert_string_equal(r.state, "open");
	assert_string_equal(r.facts, "{\"a\":1}");
	assert_int_equal(r.created, 77);
	db_report_done(&r);
	assert_int_equal(db_report_list(db, &all, &n, &err), 0);
	assert_int_equal(n, 2);
	assert_string_equal(all[1].metric, "y");
	db_reports_free(all, n);
}

static void report_states(void **state)
{
	int64_t id = put_report("x");
	struct db_report r;

	(void)state;
	assert_int_equal(db_report_set_state(db, id, "fixed", &err), 0);
	assert_int_equal(db_report_get(db, id, &r, &err), 0);
	assert_string_equal(r.state, "fixed");
	db_report_done(&r);
	assert_int_equal(db_report_set_state(db, id, "great", &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, "duplicate"));
	assert_int_equal(db_report_set_state(db, id + 1, "fixed", &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(db_report_get(db, id + 1, &r, &err), -1);
}

static struct db_mail mail_of(int64_t report, const char *message_id)
{
	return (struct db_mail){.report_id = report,
				.message_id = (char *)message_id,
				.subject = (char *)"s",
				.sender = (char *)"a@example.org",
				.recipients = (char *)"b@example.org",
				.text = (char *)"Subject: s\n\nbody\n",
				.state = (char *)"queued",
				.place = (char *)"",
				.created = 5};
}

static void never_two_mails_for_one_report(void **state)
{
	int64_t report = put_report("x"), other = put_report("y"), id, again;
	struct db_mail m = mail_of(report, "<1@example.org>");
	bool is_new;

	(void)state;
	assert_int_equal(db_mail_put(db, &m, &id, &is_new, &err), 0);
	assert_true(is_new);
	m = mail_of(other, "<1@example.org>");
	assert_int_equal(db_mail_put(db, &m, &again, &is_new, &err), 0);
	assert_false(is_new);
	assert_int_equal(again, id);
	m = mail_of(report, "<2@example.org>");
	assert_int_equal(db_mail_put(db, &m, &again, &is_new, &err), 0);
	assert_false(is_new);
	assert_int_equal(again, id);
	m = mail_of(12345, "<3@example.org>");
	assert_int_equal(db_mail_put(db, &m, &again, &is_new, &err), -1);
}

static void mail_states(void **state)
{
	int64_t report = put_report("x"), id;
	struct db_mail m = mail_of(report, "<1@example.org>"), *all;
	bool is_new, found;
	size_t n;

	(void)state;
	assert_int_equal(db_mail_of_report(db, report, &m, &found, &err), 0);
	assert_false(found);
	assert_int_equal(db_mail_put(db, &m, &id, &is_new, &err), 0);
	assert_int_equal(db_mail_set_state(db, id, "sent", "/m/1", &err), 0);
	assert_int_equal(db_mail_set_state(db, id, "unsure", NULL, &err), 0);
	assert_int_equal(db_mail_set_state(db, id, "lost", NULL, &err), -1);
	assert_int_equal(db_mail_set_state(db, id + 1, "sent", NULL, &err), -1);
	assert_int_equal(db_mail_of_report(db, report, &m, &found, &err), 0);
	assert_true(found);
	assert_string_equal(m.state, "unsure");
	assert_string_equal(m.place, "/m/1");
	assert_string_equal(m.text, "Subject: s\n\nbody\n");
	db_mail_done(&m);
	assert_int_equal(db_mail_get(db, id + 1, &m, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(db_mail_list(db, &all, &n, &err), 0);
	assert_int_equal(n, 1);
	assert_string_equal(all[0].message_id, "<1@example.org>");
	db_mails_free(all, n);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(reports),
		T(report_states),
		T(never_two_mails_for_one_report),
		T(mail_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
