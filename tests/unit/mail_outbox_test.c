/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "db/mails.h"
#include "db/reports.h"
#include "harness/mail/outbox.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "tests/unit/letter_sample.h"

static char folder[] = "/tmp/mail_outbox_test-XXXXXX";
static struct db *db;
static struct sample sample;
static struct config config;
static struct config_tree tree;
static struct str dropped;
static struct err err;

static char *allow[] = {(char *)"@example.org", (char *)"one@example.net", NULL};
static char *report_to[] = {(char *)"The List <list@example.org>", NULL};
static const struct commit author = {.author_name = (char *)"Sam Slow",
				     .author_email = (char *)"sam@example.org"};

/* A report that is filed, in a database of its own. */
static int64_t file_report(const char *metric)
{
	struct db_report r = {.base = SAMPLE_BASE,
			      .head = SAMPLE_HEAD,
			      .tree = TEXT("demo"),
			      .machine = TEXT("icount"),
			      .kconfig = TEXT("icount"),
			      .test_case = TEXT("c"),
			      .metric = TEXT(metric),
			      .verdict = TEXT("regression"),
			      .facts = TEXT("{}")};
	int64_t id = 0;
	bool is_new;
	assert_int_equal(db_report_put(db, &r, &id, &is_new, &err), 0);
	return id;
}

static int setup(void **state)
{
	(void)state;
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	if (!mkdtemp(folder))
		return -1;
	_cleanup_free_ char *file = xasprintf("%s/lkp.db", folder);
	err = (struct err)ERR_INIT;
	str_init(&dropped);
	config = (struct config){.mail = {.mode = TEXT("maildir"),
					  .maildir = xasprintf("%s/box", folder),
					  .from = TEXT("lkpd <lkpd@example.org>"),
					  .list_id = TEXT("lkpd.example.org"),
					  .allow = allow}};
	tree = (struct config_tree){.report_to = report_to, .mail_authors = true};
	if (db_open(file, &db, &err) < 0)
		return -1;
	sample_fill(&sample, 1, "mm: look twice", "Sam Slow");
	sample.letter.report_id = file_report("x");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	db_close(db);
	str_done(&dropped);
	free(config.mail.maildir);
	return fs_remove_tree(folder, &err);
}

static int64_t queue(const struct commit *culprit)
{
	const struct letter_attachment samples = {"{}\n", 3};
	int64_t id = -1;
	if (outbox_queue(db, &config, &tree, &sample.letter, &samples, culprit, &id, &dropped,
			 &err) < 0)
		fail_msg("%s", err.msg);
	return id;
}

static void expect_recipients(int64_t id, const char *wanted)
{
	struct db_mail mail;
	assert_int_equal(db_mail_get(db, id, &mail, &err), 0);
	assert_string_equal(mail.recipients, wanted);
	db_mail_done(&mail);
}

static void expect_in_text(int64_t id, const char *wanted, bool there)
{
	struct db_mail mail;
	assert_int_equal(db_mail_get(db, id, &mail, &err), 0);
	if ((strstr(mail.text, wanted) != NULL) != there)
		fail_msg("%s is %s", wanted, there ? "missing" : "there");
	db_mail_done(&mail);
}

static size_t count_mails(const char *state_name)
{
	struct db_mail *mails = NULL;
	size_t n = 0, found = 0;
	assert_int_equal(db_mail_list(db, &mails, &n, &err), 0);
	for (size_t i = 0; i < n; i++)
		found += streq(mails[i].state, state_name);
	db_mails_free(mails, n);
	return found;
}

static size_t count_files(void)
{
	_cleanup_free_ char *path = xasprintf("%s/new", config.mail.maildir);
	_cleanup_strv_ char **names = NULL;
	assert_int_equal(fs_list(path, &names, &err), 0);
	return strv_len(names);
}

static void message_ids_follow_from_the_finding(void **state)
{
	_cleanup_free_ char *a = outbox_message_id(&config.mail, &sample.report, &sample.rows[0]);
	_cleanup_free_ char *b = outbox_message_id(&config.mail, &sample.report, &sample.rows[0]);
	_cleanup_free_ char *other =
		outbox_message_id(&config.mail, &sample.report, &sample.rows[1]);

	(void)state;
	assert_string_equal(a, b);
	assert_string_not_equal(a, other);
	assert_true(str_starts(a, "<lkp."));
	assert_true(str_ends(a, "@example.org>"));
	sample.report.kconfig = TEXT("other");
	_cleanup_free_ char *kconfig =
		outbox_message_id(&config.mail, &sample.report, &sample.rows[0]);
	assert_string_not_equal(a, kconfig);
}

static void queued_twice_is_queued_once(void **state)
{
	int64_t id = queue(&author);

	(void)state;
	assert_true(id > 0);
	assert_int_equal(queue(&author), id);
	assert_int_equal(count_mails("queued"), 1);
}

static void the_author_and_the_list(void **state)
{
	int64_t id = queue(&author);

	(void)state;
	expect_recipients(id, "sam@example.org,list@example.org");
	expect_in_text(id, "\nTo: Sam Slow <sam@example.org>\n", true);
	expect_in_text(id, "\nCc: The List <list@example.org>\n", true);
	expect_in_text(id, "\nList-Id: <lkpd.example.org>\n", true);
	assert_int_equal(dropped.len, 0);
}

static void of_a_range_only_the_list(void **state)
{
	int64_t id;

	(void)state;
	sample.letter.n_range = 2;
	id = queue(NULL);
	expect_recipients(id, "list@example.org");
	expect_in_text(id, "sam@example.org", false);
	expect_in_text(id, "\nCc:", false);
}

static void an_author_on_the_list_is_addressed_once(void **state)
{
	static char *both[] = {TEXT("SAM@example.org"), TEXT("list@example.org"), NULL};

	(void)state;
	tree.report_to = both;
	expect_recipients(queue(&author), "sam@example.org,list@example.org");
}

static void authors_only_where_the_tree_allows_it(void **state)
{
	int64_t id;

	(void)state;
	tree.mail_authors = false;
	id = queue(&author);
	expect_recipients(id, "list@example.org");
	expect_in_text(id, "\nTo: The List <list@example.org>\n", true);
}

static void who_is_not_allowed_is_dropped_and_named(void **state)
{
	static char *list[] = {TEXT("list@example.org"),   TEXT("one@example.net"),
			       TEXT("two@example.net"),	   TEXT("sub@a.example.org"),
			       TEXT("x@evil-example.org"), TEXT("x`rm -rf .`@example.org"),
			       TEXT("a\n@example.org"),	   NULL};
	const struct commit elsewhere = {.author_name = TEXT("Max"),
					 .author_email = TEXT("max@example.com")};

	(void)state;
	tree.report_to = list;
	expect_recipients(queue(&elsewhere), "list@example.org,one@example.net");
	assert_string_equal(dropped.buf, "max@example.com (not in mail.allow), "
					 "two@example.net (not in mail.allow), "
					 "sub@a.example.org (not in mail.allow), "
					 "x@evil-example.org (not in mail.allow), "
					 "x`rm -rf .`@example.org (no valid address), "
					 "a\\x0a@example.org (no valid address)");
}

static void too_many_are_named(void **state)
{
	char *list[41];

	(void)state;
	for (size_t i = 0; i < 40; i++)
		list[i] = xasprintf("l%zu@example.org", i);
	list[40] = NULL;
	tree.report_to = list;
	assert_true(queue(NULL) > 0);
	assert_true(str_starts(dropped.buf, "l32@example.org (one too many), "));
	for (size_t i = 0; i < 40; i++)
		free(list[i]);
}

static void nobody_left_is_no_mail(void **state)
{
	(void)state;
	config.mail.allow = NULL;
	assert_int_equal(queue(&author), 0);
	assert_int_equal(count_mails("queued"), 0);
	assert_string_equal(dropped.buf, "sam@example.org (not in mail.allow), "
					 "list@example.org (not in mail.allow)");
}

static void delivered_once_whatever_happens(void **state)
{
	int64_t id = queue(&author);

	(void)state;
	assert_int_equal(outbox_deliver(db, &config, &err), 0);
	assert_int_equal(count_mails("sent"), 1);
	assert_int_equal(count_files(), 1);
	/* Killed after the file was there and before the row said so. */
	assert_int_equal(db_mail_set_state(db, id, "queued", NULL, &err), 0);
	assert_int_equal(outbox_deliver(db, &config, &err), 0);
	assert_int_equal(count_files(), 1);
	/* What is not queued stays where it is. */
	assert_int_equal(db_mail_set_state(db, id, "refused", NULL, &err), 0);
	assert_int_equal(outbox_deliver(db, &config, &err), 0);
	assert_int_equal(count_mails("refused"), 1);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(message_ids_follow_from_the_finding),
		T(queued_twice_is_queued_once),
		T(the_author_and_the_list),
		T(of_a_range_only_the_list),
		T(an_author_on_the_list_is_addressed_once),
		T(authors_only_where_the_tree_allows_it),
		T(who_is_not_allowed_is_dropped_and_named),
		T(too_many_are_named),
		T(nobody_left_is_no_mail),
		T(delivered_once_whatever_happens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
