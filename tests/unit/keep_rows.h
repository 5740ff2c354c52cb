/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of each kind that the journal keeps, put into `db`; the test has it, and err. */
#ifndef LKP_TESTS_KEEP_ROWS_H
#define LKP_TESTS_KEEP_ROWS_H

#include "db/kernels.h"
#include "db/mails.h"
#include "db/reports.h"

#define A "aaaa000000000000000000000000000000000000"
#define B "bbbb000000000000000000000000000000000000"

static struct db *db;
static struct err err;

static int64_t put_report(const char *metric)
{
	struct db_report r = {.base = A,
			      .head = B,
			      .tree = (char *)"t",
			      .machine = (char *)"m",
			      .kconfig = (char *)"k",
			      .test_case = (char *)"c",
			      .metric = (char *)metric,
			      .verdict = (char *)"regression",
			      .state = (char *)"confirmed",
			      .facts = (char *)"{}",
			      .created = 5};
	int64_t id;
	bool is_new;

	if (db_report_put(db, &r, &id, &is_new, &err) < 0)
		fail_msg("%s", err.msg);
	return id;
}

static int64_t put_mail(int64_t report, int64_t nr, const char *message_id)
{
	struct db_mail m = {.report_id = report,
			    .nr = nr,
			    .message_id = (char *)message_id,
			    .subject = (char *)"not \xff UTF-8",
			    .sender = (char *)"a@example.org",
			    .recipients = (char *)"b@example.org",
			    .text = (char *)"Hello\n",
			    .state = (char *)"queued",
			    .place = (char *)"",
			    .created = 6};
	int64_t id;
	bool is_new;

	if (db_mail_put(db, &m, &id, &is_new, &err) < 0)
		fail_msg("%s", err.msg);
	return id;
}

static void put_kernel(double seconds)
{
	struct db_commit c = {.id = A, .subject = (char *)"s"};
	struct db_kernel k = {.commit = A,
			      .tree = "t",
			      .kconfig = "k",
			      .toolchain = "gcc",
			      .image_id = "",
			      .status = "build-failed",
			      .error = "bad byte \x80",
			      .record = "/r",
			      .seconds = seconds};
	int64_t id;

	assert_int_equal(db_commit_put(db, &c, &err), 0);
	if (db_kernel_put(db, &k, &id, &err) < 0)
		fail_msg("%s", err.msg);
}

#endif
