/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/keep_all.h"

#include "db/export.h"
#include "db/journal_doc.h"
#include "db/steps.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/time.h"

#define PIECE	    (8 << 20) /* bytes of lines in one write */
#define DOC_COMMITS 50	      /* in one document */

struct writer {
	struct journal *journal;
	struct str lines;
	struct journal_pos end;
};

int keep_all_any(struct db *db, bool *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int64_t any = 0;

	if (stmt_open(db,
		      "SELECT EXISTS (SELECT 1 FROM reports) OR EXISTS (SELECT 1 FROM kernels) "
		      "OR EXISTS (SELECT 1 FROM boots WHERE folder = '')",
		      &s, err) < 0 ||
	    stmt_one_int(&s, &any, NULL, err) < 0)
		return -1;
	*ret = any;
	return 0;
}

static int flush(struct writer *w, size_t above, struct err *err)
{
	if (w->lines.len <= above)
		return 0;
	if (journal_append(w->journal, &w->lines, &w->end, err) < 0)
		return -1;
	str_reset(&w->lines);
	return 0;
}

/* One step as a line; takes the step over. */
static int add(struct writer *w, json_t *step, struct err *err)
{
	_cleanup_str_ struct str now = STR_INIT;
	_cleanup_json_ json_t *line = NULL;

	if (!step)
		return -1;
	time_add_utc(&now, time_now());
	line = json_pack("{s:s, s:[o]}", "time", now.buf, "steps", step);
	journal_add_line(&w->lines, line);
	return flush(w, PIECE, err);
}

static int add_rows(struct db *db, struct writer *w, const char *query,
		    json_t *(*step)(struct db *db, int64_t id, struct err *err), struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int got;

	if (stmt_open(db, query, &s, err) < 0)
		return -1;
	while ((got = stmt_step(&s, err)) > 0)
		if (add(w, step(db, stmt_col_int(&s, 0), err), err) < 0)
			return -1;
	return got;
}

static int add_document(struct db *db, struct writer *w, char **commits, struct err *err)
{
	static const struct db_filter imported = {.imported = true};
	_cleanup_str_ struct str text = STR_INIT;
	char hex[HASH_HEX_LEN + 1];

	if (db_export(db, (const char *const *)commits, &imported, &text, err) < 0 ||
	    journal_doc_put(w->journal, text.buf, text.len, hex, err) < 0)
		return -1;
	return add(w, step_import("(what was imported before there was a journal)", hex), err);
}

/* Commits with imported boots, and those that nothing else would bring back. */
static int add_imports(struct db *db, struct writer *w, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	_cleanup_strv_ char **commits = NULL;
	size_t n = 0;
	int got;

	if (stmt_open(db,
		      "SELECT hash FROM commits c WHERE EXISTS (SELECT 1 FROM boots b WHERE "
		      "b.commit_id = c.id AND b.folder = '') OR NOT EXISTS (SELECT 1 FROM boots b "
		      "WHERE b.commit_id = c.id) AND NOT EXISTS (SELECT 1 FROM kernels k WHERE "
		      "k.commit_id = c.id) ORDER BY id",
		      &s, err) < 0)
		return -1;
	while ((got = stmt_step(&s, err)) > 0) {
		strv_add(&commits, stmt_col_text(&s, 0));
		if (++n < DOC_COMMITS)
			continue;
		if (add_document(db, w, commits, err) < 0)
			return -1;
		strv_free(commits);
		commits = NULL;
		n = 0;
	}
	if (got < 0)
		return -1;
	return n ? add_document(db, w, commits, err) : 0;
}

int keep_all_write(struct db *db, struct journal *j, struct journal_pos *ret_end, struct err *err)
{
	struct writer w = {.journal = j, .lines = STR_INIT};
	int status = journal_end(j, &w.end, err);

	if (status == 0 &&
	    (add_rows(db, &w, "SELECT id FROM kernels ORDER BY id", step_kernel, err) < 0 ||
	     add_imports(db, &w, err) < 0 ||
	     add_rows(db, &w, "SELECT id FROM reports ORDER BY id", step_report, err) < 0 ||
	     add_rows(db, &w, "SELECT id FROM mails ORDER BY id", step_mail, err) < 0 ||
	     flush(&w, 0, err) < 0))
		status = -1;
	str_done(&w.lines);
	if (status == 0)
		*ret_end = w.end;
	return status;
}
