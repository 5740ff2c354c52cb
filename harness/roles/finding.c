/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/roles/finding.h"

#include <math.h>

#include "db/export.h"
#include "db/facts.h"
#include "db/mails.h"
#include "db/reports.h"
#include "harness/mail/outbox.h"
#include "harness/roles/letter_facts.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/time.h"

void finding_report_free(struct report **report)
{
	report_free(*report);
}

static void copy_commit(struct report_commit *to, const struct commit *from)
{
	snprintf(to->id, sizeof(to->id), "%s", from->id);
	to->subject = xstrdup(from->subject);
	to->author_name = xstrdup(from->author_name);
	to->author_email = xstrdup(from->author_email);
	to->date = from->date;
}

struct report *finding_equal(const struct commit *base, const struct commit *head, const char *tree,
			     const char *kconfig)
{
	struct report *r = xcalloc(1, sizeof(*r));
	copy_commit(&r->base, base);
	copy_commit(&r->head, head);
	r->tree = xstrdup(tree);
	r->branch = xstrdup("");
	r->kconfig = xstrdup(kconfig);
	r->equal_images = true;
	r->verdict = "clean";
	return r;
}

/* The confirmed regression that moved most; NULL: none. */
static const struct report_row *worst(const struct report *r)
{
	const struct report_row *found = NULL;
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct report_row *row = &r->rows[i];
		if (!row->kpi || !row->confirmed || !streq(row->verdict, "regression"))
			continue;
		if (!found || fabs(row->change_pct) > fabs(found->change_pct))
			found = row;
	}
	return found;
}

/* A pair is reported once: the row that a report was filed on before, whichever moved most then. */
static int filed_before(struct db *db, const struct report *r, const struct report_row **row,
			struct err *err)
{
	struct db_report *reports = NULL;
	size_t n = 0;
	if (db_report_list(db, &reports, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct db_report *old = &reports[i];
		if (!streq(old->base, r->base.id) || !streq(old->head, r->head.id) ||
		    !streq(old->kconfig, r->kconfig))
			continue;
		for (size_t k = 0; k < r->n_rows; k++)
			if (streq(r->rows[k].machine, old->machine) &&
			    streq(r->rows[k].test_case, old->test_case) &&
			    streq(r->rows[k].metric, old->metric))
				*row = &r->rows[k];
	}
	db_reports_free(reports, n);
	return 0;
}

static int put_report(const struct finding_spec *spec, const struct report_row *row,
		      int64_t *ret_id, bool *ret_new, struct err *err)
{
	const struct report *r = spec->report;
	_cleanup_json_ json_t *json = report_json(r);
	_cleanup_str_ struct str facts = STR_INIT;
	json_add(&facts, json);
	struct db_report db_row = {
		.tree = r->tree,
		.machine = row->machine,
		.kconfig = r->kconfig,
		.test_case = row->test_case,
		.metric = row->metric,
		.verdict = (char *)row->verdict,
		.state = (char *)"confirmed",
		.facts = facts.buf,
		.created = time_now(),
	};
	snprintf(db_row.base, sizeof(db_row.base), "%s", r->base.id);
	snprintf(db_row.head, sizeof(db_row.head), "%s", r->head.id);
	return db_report_put(spec->judge->db, &db_row, ret_id, ret_new, err);
}

static int samples_text(const struct finding_spec *spec, struct str *ret, struct err *err)
{
	const char *commits[] = {spec->base->id, spec->head->id, NULL};
	const struct db_filter filter = {.machine = spec->judge->machine->name,
					 .kconfig = spec->judge->kconfig->name};
	return db_export(spec->judge->db, commits, &filter, ret, err);
}

/* Report and mail are one transaction: neither is ever there without the other. */
static int put_both(const struct finding_spec *spec, const struct report_row *row,
		    struct letter *letter, const struct str *samples, bool *ret_new,
		    struct str *ret_dropped, struct err *err)
{
	const struct judge_spec *judge = spec->judge;
	const struct letter_attachment attachment = {samples->buf, samples->len};
	bool alone = letter->n_range == 1 && !letter->range_more;
	int64_t mail_id = 0;
	bool is_new;
	if (db_begin(judge->db, err) < 0)
		return -1;
	if (put_report(spec, row, &letter->report_id, &is_new, err) < 0 ||
	    (is_new && outbox_queue(judge->db, judge->config, judge->tree, letter, &attachment,
				    alone ? spec->head : NULL, &mail_id, ret_dropped, err) < 0) ||
	    db_commit(judge->db, err) < 0) {
		db_rollback(judge->db);
		return -1;
	}
	*ret_new = is_new;
	return 0;
}

/* Says where the report's mail is; `why` there is none, should it be so. */
static int mail_place(struct db *db, int64_t report_id, const struct str *dropped, const char *why,
		      char *ret, size_t size, struct err *err)
{
	struct db_mail *mails = NULL;
	size_t n = 0;
	if (db_mail_list(db, &mails, &n, err) < 0)
		return -1;
	snprintf(ret, size, "no mail: %s", dropped->len ? dropped->buf : why);
	for (size_t i = 0; i < n; i++)
		if (mails[i].report_id == report_id)
			snprintf(ret, size, "mail %lld, %s: %s%s%s", (long long)mails[i].id,
				 streq(mails[i].state, "sent") ? "in the maildir" : mails[i].state,
				 mails[i].place, dropped->len ? "; none to " : "", dropped->buf);
	db_mails_free(mails, n);
	return 0;
}

int finding_file(const struct finding_spec *spec, int64_t *ret_id, char *ret_mail, size_t mail_size,
		 struct err *err)
{
	_cleanup_(letter_done) struct letter letter = {.report = spec->report};
	_cleanup_str_ struct str samples = STR_INIT, dropped = STR_INIT;
	const struct report_row *row = worst(spec->report);
	bool is_new = false;
	if (!row)
		return 0;
	if (filed_before(spec->judge->db, spec->report, &row, err) < 0 ||
	    letter_facts(spec, row, &letter, err) < 0 || samples_text(spec, &samples, err) < 0 ||
	    put_both(spec, row, &letter, &samples, &is_new, &dropped, err) < 0 ||
	    outbox_deliver(spec->judge->db, spec->judge->config, err) < 0 ||
	    mail_place(spec->judge->db, letter.report_id, &dropped,
		       is_new ? "the tree has no report_to"
			      : "nobody was to get it when it was filed",
		       ret_mail, mail_size, err) < 0)
		return -1;
	*ret_id = letter.report_id;
	return 0;
}
