/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/reports.h"

#include "db/keep.h"
#include "db/states.h"
#include "db/steps.h"
#include "db/stmt.h"
#include "harness/util/mem.h"

const char *const db_report_states[] = {"open",	 "confirmed", "fixed", "invalid",
					"noise", "duplicate", NULL};

#define COLUMNS                                                                              \
	"SELECT id, base, head, tree, machine, kconfig, test_case, metric, verdict, state, " \
	"facts, created FROM reports"

void db_report_done(struct db_report *r)
{
	char *const texts[] = {r->tree,	  r->machine, r->kconfig, r->test_case,
			       r->metric, r->verdict, r->state,	  r->facts};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(texts[i]);
	*r = (struct db_report){.id = 0};
}

static void read_row(const struct stmt *s, struct db_report *ret)
{
	*ret = (struct db_report){
		.id = stmt_col_int(s, 0),
		.tree = stmt_col_dup(s, 3),
		.machine = stmt_col_dup(s, 4),
		.kconfig = stmt_col_dup(s, 5),
		.test_case = stmt_col_dup(s, 6),
		.metric = stmt_col_dup(s, 7),
		.verdict = stmt_col_dup(s, 8),
		.state = stmt_col_dup(s, 9),
		.facts = stmt_col_dup(s, 10),
		.created = stmt_col_int(s, 11),
	};
	snprintf(ret->base, sizeof(ret->base), "%s", stmt_col_text(s, 1));
	snprintf(ret->head, sizeof(ret->head), "%s", stmt_col_text(s, 2));
}

/* Binds parameters 1 to 6: the key. */
static void bind_key(struct stmt *s, const struct db_report *r)
{
	const char *const key[] = {r->base,    r->head,	     r->machine,
				   r->kconfig, r->test_case, r->metric};

	for (int i = 0; i < (int)ARRAY_SIZE(key); i++)
		stmt_text(s, 1 + i, key[i] ? key[i] : "");
}

static int find(struct db *db, const struct db_report *r, int64_t *ret_id, bool *ret_found,
		struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "SELECT id FROM reports WHERE base = ?1 AND head = ?2 AND machine = ?3 "
		      "AND kconfig = ?4 AND test_case = ?5 AND metric = ?6",
		      &s, err) < 0)
		return -1;
	bind_key(&s, r);
	return stmt_one_int(&s, ret_id, ret_found, err);
}

static int insert(struct db *db, const struct db_report *r, int64_t *ret_id, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "INSERT INTO reports (base, head, machine, kconfig, test_case, metric, tree, "
		      "verdict, state, facts, created) "
		      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING id",
		      &s, err) < 0)
		return -1;
	bind_key(&s, r);
	stmt_text(&s, 7, r->tree ? r->tree : "");
	stmt_text(&s, 8, r->verdict ? r->verdict : "");
	stmt_text(&s, 9, r->state && *r->state ? r->state : "open");
	stmt_text(&s, 10, r->facts ? r->facts : "{}");
	stmt_int(&s, 11, r->created);
	return stmt_one_int(&s, ret_id, NULL, err);
}

int db_report_put(struct db *db, const struct db_report *r, int64_t *ret_id, bool *ret_new,
		  struct err *err)
{
	json_t *step = NULL;
	int64_t id = 0;
	bool found = false, own;
	int status;

	if (r->state && *r->state && state_check(r->state, db_report_states, err) < 0)
		return -1;
	if (keep_step_begin(db, &own, err) < 0)
		return -1;
	status = find(db, r, &id, &found, err);
	if (status == 0 && !found) {
		status = insert(db, r, &id, err);
		if (status == 0 && keep_wants(db) && !(step = step_report(db, id, err)))
			status = -1;
	}
	if (keep_step_end(db, own, status, step, err) < 0)
		return -1;
	*ret_id = id;
	*ret_new = !found;
	return 0;
}

static int no_report(struct db *db, int64_t id, struct err *err)
{
	return err_set(err, ERR_USER, "no report %lld in %s; \"lkpctl report\" lists them",
		       (long long)id, db->path);
}

int db_report_get(struct db *db, int64_t id, struct db_report *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int got;

	if (stmt_open(db, COLUMNS " WHERE id = ?1", &s, err) < 0)
		return -1;
	stmt_int(&s, 1, id);
	got = stmt_step(&s, err);
	if (got < 0)
		return -1;
	if (!got)
		return no_report(db, id, err);
	read_row(&s, ret);
	return 0;
}

int db_report_list(struct db *db, struct db_report **ret, size_t *ret_n, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	struct db_report *all = NULL;
	size_t n = 0, cap = 0;
	int got;

	if (stmt_open(db, COLUMNS " ORDER BY id", &s, err) < 0)
		return -1;
	while ((got = stmt_step(&s, err)) > 0) {
		mem_grow(&all, &cap, n + 1, sizeof(*all));
		read_row(&s, &all[n++]);
	}
	if (got < 0) {
		db_reports_free(all, n);
		return -1;
	}
	*ret = all;
	*ret_n = n;
	return 0;
}

void db_reports_free(struct db_report *reports, size_t n)
{
	for (size_t i = 0; i < n; i++)
		db_report_done(&reports[i]);
	free(reports);
}

static int set_state(struct db *db, int64_t id, const char *state, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	bool found = false;

	if (stmt_open(db, "UPDATE reports SET state = ?2 WHERE id = ?1 RETURNING id", &s, err) < 0)
		return -1;
	stmt_int(&s, 1, id);
	stmt_text(&s, 2, state);
	if (stmt_one_int(&s, &id, &found, err) < 0)
		return -1;
	return found ? 0 : no_report(db, id, err);
}

int db_report_set_state(struct db *db, int64_t id, const char *state, struct err *err)
{
	bool own;
	int status;

	if (state_check(state, db_report_states, err) < 0 || keep_step_begin(db, &own, err) < 0)
		return -1;
	status = set_state(db, id, state, err);
	return keep_step_end(db, own, status, status == 0 ? step_report_state(id, state) : NULL,
			     err);
}
