/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/mails.h"

#include "db/keep.h"
#include "db/states.h"
#include "db/steps.h"
#include "db/stmt.h"
#include "harness/util/mem.h"

const char *const db_mail_states[] = {"queued", "approved", "sending", "sent",
				      "unsure", "refused",  "dropped", NULL};

#define COLUMNS                                                                        \
	"SELECT id, report_id, message_id, subject, sender, recipients, text, state, " \
	"place, created, nr FROM mails"

void db_mail_done(struct db_mail *m)
{
	char *const texts[] = {m->message_id, m->subject, m->sender, m->recipients,
			       m->text,	      m->state,	  m->place};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(texts[i]);
	*m = (struct db_mail){.id = 0};
}

static void read_row(const struct stmt *s, struct db_mail *ret)
{
	*ret = (struct db_mail){
		.id = stmt_col_int(s, 0),
		.report_id = stmt_col_int(s, 1),
		.message_id = stmt_col_dup(s, 2),
		.subject = stmt_col_dup(s, 3),
		.sender = stmt_col_dup(s, 4),
		.recipients = stmt_col_dup(s, 5),
		.text = stmt_col_dup(s, 6),
		.state = stmt_col_dup(s, 7),
		.place = stmt_col_dup(s, 8),
		.created = stmt_col_int(s, 9),
		.nr = stmt_col_int(s, 10),
	};
}

static int find(struct db *db, const struct db_mail *m, int64_t *ret_id, bool *ret_found,
		struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "SELECT id FROM mails WHERE message_id = ?1 OR (report_id = ?2 AND nr = ?3) "
		      "ORDER BY message_id = ?1 DESC LIMIT 1",
		      &s, err) < 0)
		return -1;
	stmt_text(&s, 1, m->message_id);
	stmt_int(&s, 2, m->report_id);
	stmt_int(&s, 3, m->nr ? m->nr : 1);
	return stmt_one_int(&s, ret_id, ret_found, err);
}

static int insert(struct db *db, const struct db_mail *m, int64_t *ret_id, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	const char *const texts[] = {m->message_id, m->subject, m->sender, m->recipients,
				     m->text,	    m->state,	m->place};

	if (stmt_open(db,
		      "INSERT INTO mails (report_id, message_id, subject, sender, recipients, "
		      "text, state, place, created, nr) "
		      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
		      "RETURNING id",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, m->report_id);
	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		stmt_text(&s, 2 + i, texts[i] ? texts[i] : "");
	stmt_int(&s, 9, m->created);
	stmt_int(&s, 10, m->nr ? m->nr : 1);
	return stmt_one_int(&s, ret_id, NULL, err);
}

int db_mail_put(struct db *db, const struct db_mail *m, int64_t *ret_id, bool *ret_new,
		struct err *err)
{
	json_t *step = NULL;
	int64_t id = 0;
	bool found = false, own;
	int status;

	if (state_check(m->state, db_mail_states, err) < 0 || keep_step_begin(db, &own, err) < 0)
		return -1;
	status = find(db, m, &id, &found, err);
	if (status == 0 && !found) {
		status = insert(db, m, &id, err);
		if (status == 0 && keep_wants(db) && !(step = step_mail(db, id, err)))
			status = -1;
	}
	if (keep_step_end(db, own, status, step, err) < 0)
		return -1;
	*ret_id = id;
	*ret_new = !found;
	return 0;
}

static int no_mail(struct db *db, int64_t id, struct err *err)
{
	return err_set(err, ERR_USER, "no mail %lld in %s; \"lkpctl mail list\" lists them",
		       (long long)id, db->path);
}

/* One row of a query whose parameter 1 is id: 1 found, 0 none, -1 failed. */
static int get(struct db *db, const char *text, int64_t id, struct db_mail *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int got;

	if (stmt_open(db, text, &s, err) < 0)
		return -1;
	stmt_int(&s, 1, id);
	got = stmt_step(&s, err);
	if (got > 0)
		read_row(&s, ret);
	return got;
}

int db_mail_get(struct db *db, int64_t id, struct db_mail *ret, struct err *err)
{
	int got = get(db, COLUMNS " WHERE id = ?1", id, ret, err);

	if (got < 0)
		return -1;
	return got ? 0 : no_mail(db, id, err);
}

int db_mail_of_report(struct db *db, int64_t report_id, struct db_mail *ret, bool *ret_found,
		      struct err *err)
{
	int got = get(db, COLUMNS " WHERE report_id = ?1 AND nr = 1", report_id, ret, err);

	if (got < 0)
		return -1;
	*ret_found = got;
	return 0;
}

int db_mail_list(struct db *db, struct db_mail **ret, size_t *ret_n, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	struct db_mail *all = NULL;
	size_t n = 0, cap = 0;
	int got;

	if (stmt_open(db, COLUMNS " ORDER BY id", &s, err) < 0)
		return -1;
	while ((got = stmt_step(&s, err)) > 0) {
		mem_grow(&all, &cap, n + 1, sizeof(*all));
		read_row(&s, &all[n++]);
	}
	if (got < 0) {
		db_mails_free(all, n);
		return -1;
	}
	*ret = all;
	*ret_n = n;
	return 0;
}

void db_mails_free(struct db_mail *mails, size_t n)
{
	for (size_t i = 0; i < n; i++)
		db_mail_done(&mails[i]);
	free(mails);
}

static int set_state(struct db *db, int64_t id, const char *state, const char *place,
		     struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	bool found = false;

	if (stmt_open(db,
		      "UPDATE mails SET state = ?2, place = ifnull(?3, place) WHERE id = ?1 "
		      "RETURNING id",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, id);
	stmt_text(&s, 2, state);
	stmt_text(&s, 3, place);
	if (stmt_one_int(&s, &id, &found, err) < 0)
		return -1;
	return found ? 0 : no_mail(db, id, err);
}

int db_mail_set_state(struct db *db, int64_t id, const char *state, const char *place,
		      struct err *err)
{
	bool own;
	int status;

	if (state_check(state, db_mail_states, err) < 0 || keep_step_begin(db, &own, err) < 0)
		return -1;
	status = set_state(db, id, state, place, err);
	return keep_step_end(db, own, status,
			     status == 0 ? step_mail_state(id, state, place) : NULL, err);
}
