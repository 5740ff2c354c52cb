/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/keep.h"

#include "db/keep_all.h"
#include "db/steps.h"
#include "harness/util/json.h"
#include "harness/util/log.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"

struct keep {
	struct journal *journal;
	json_t *steps; /* of the transaction that is open */
	bool reading, written;
	struct journal_pos before; /* what was written */
};

struct journal *keep_journal(const struct db *db)
{
	return db->keep->journal;
}

void keep_free(struct keep *k)
{
	if (!k)
		return;
	json_decref(k->steps);
	journal_free(k->journal);
	free(k);
}

bool keep_wants(const struct db *db)
{
	return db->keep && !db->keep->reading;
}

bool keep_written(const struct db *db)
{
	return db->keep && db->keep->written;
}

int keep_position(struct db *db, struct journal_pos *ret, bool *ret_found, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int got;

	if (stmt_open(db, "SELECT file, offset FROM journal_state", &s, err) < 0)
		return -1;
	got = stmt_step(&s, err);
	if (got < 0)
		return -1;
	*ret = (struct journal_pos){.file = ""};
	*ret_found = got;
	if (got) {
		snprintf(ret->file, sizeof(ret->file), "%s", stmt_col_text(&s, 0));
		ret->offset = stmt_col_int(&s, 1);
	}
	return 0;
}

static int write_position(struct db *db, const struct journal_pos *pos, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "INSERT INTO journal_state (id, file, offset) VALUES (1, ?1, ?2) "
		      "ON CONFLICT (id) DO UPDATE SET file = excluded.file, "
		      "offset = excluded.offset",
		      &s, err) < 0)
		return -1;
	stmt_text(&s, 1, pos->file);
	stmt_int(&s, 2, pos->offset);
	return stmt_run(&s, err);
}

struct replay {
	struct db *db;
	struct keep_counts counts;
};

static void damaged(struct replay *r, const struct journal_line *line)
{
	if (line->torn)
		return;
	if (r->counts.damaged++ == 0)
		snprintf(r->counts.first_damaged, sizeof(r->counts.first_damaged), "%s:%lld",
			 line->file, (long long)line->number);
}

static int apply_line(const struct journal_line *line, void *arg, struct err *err)
{
	struct replay *r = arg;
	json_t *steps = NULL, *step;
	size_t i;

	if (proc_check_cancel(err) < 0)
		return -1;
	if (!line->json) {
		damaged(r, line);
		return 0;
	}
	if (json_get_array(line->json, "$", "steps", true, &steps, err) < 0)
		return err_wrap(err, "%s, at byte %lld", line->file, (long long)line->offset);
	json_array_foreach(steps, i, step)
	{
		if (step_apply(r->db, step, err) < 0)
			return err_wrap(err, "%s, at byte %lld", line->file,
					(long long)line->offset);
		r->counts.steps++;
	}
	r->counts.lines++;
	return 0;
}

int keep_replay(struct db *db, const struct journal_pos *from, struct keep_counts *ret,
		struct err *err)
{
	struct replay r = {.db = db};
	struct journal_pos end;
	int status;

	db->keep->reading = true;
	status = journal_read(keep_journal(db), from, apply_line, &r, err);
	db->keep->reading = false;
	if (status < 0 || journal_end(keep_journal(db), &end, err) < 0 ||
	    write_position(db, &end, err) < 0)
		return err_wrap(err, "%s", journal_folder(keep_journal(db)));
	*ret = r.counts;
	return 0;
}

/* Behind a lock, with SQLite's write lock held: no other process is between line and row. */
static int catch_up(struct db *db, const struct journal_pos *from, bool found, struct err *err)
{
	struct journal *j = keep_journal(db);
	struct keep_counts counts;
	bool holds, older;
	struct journal_pos end;

	if (journal_heal(j, err) < 0 || journal_holds(j, from, &holds, err) < 0 ||
	    keep_all_any(db, &older, err) < 0)
		return -1;
	if (keep_replay(db, holds ? from : &(struct journal_pos){.file = ""}, &counts, err) < 0)
		return -1;
	if (counts.damaged)
		log_warn("journal=%s: %lld damaged lines left out, the first is %s",
			 journal_folder(j), (long long)counts.damaged, counts.first_damaged);
	if (holds && (found || !older))
		return 0;
	if (keep_all_write(db, j, &end, err) < 0)
		return -1;
	return write_position(db, &end, err);
}

/* Do rows and journal end at the same place? */
static int in_step(struct db *db, struct journal_pos *ret_at, bool *ret_found, bool *ret,
		   struct err *err)
{
	struct journal_pos end;
	bool any;

	if (keep_position(db, ret_at, ret_found, err) < 0 ||
	    journal_end(keep_journal(db), &end, err) < 0)
		return -1;
	if (!*ret_found && !*end.file) {
		if (keep_all_any(db, &any, err) < 0)
			return -1;
		*ret = !any;
		return 0;
	}
	*ret = *ret_found && streq(ret_at->file, end.file) && ret_at->offset == end.offset;
	return 0;
}

int keep_begin(struct db *db, struct err *err)
{
	struct journal_pos at;
	bool found, same;
	int status;

	if (!db->keep || db->keep->reading)
		return 0;
	if (in_step(db, &at, &found, &same, err) < 0)
		return -1;
	if (same)
		return 0;
	if (journal_lock(keep_journal(db), err) < 0)
		return -1;
	status = catch_up(db, &at, found, err);
	journal_unlock(keep_journal(db));
	return status;
}

static void add_line(struct str *text, const json_t *steps)
{
	_cleanup_str_ struct str now = STR_INIT;
	_cleanup_json_ json_t *line = NULL;

	time_add_utc(&now, time_now());
	line = json_pack("{s:s, s:O}", "time", now.buf, "steps", steps);
	journal_add_line(text, line);
}

int keep_commit(struct db *db, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	struct keep *k = db->keep;
	struct journal_pos end;

	if (!k || json_array_size(k->steps) == 0)
		return 0;
	add_line(&text, k->steps);
	if (journal_lock(k->journal, err) < 0 || journal_append(k->journal, &text, &end, err) < 0)
		return -1;
	k->written = true;
	k->before = end;
	k->before.offset -= (int64_t)text.len;
	return write_position(db, &end, err);
}

int keep_undo(struct db *db, struct err *err)
{
	if (journal_cut(db->keep->journal, &db->keep->before, err) < 0)
		return -1;
	db->keep->written = false;
	return 0;
}

void keep_committed(struct db *db)
{
	keep_drop(db);
}

void keep_drop(struct db *db)
{
	if (!db->keep)
		return;
	json_array_clear(db->keep->steps);
	journal_unlock(db->keep->journal);
	db->keep->written = false;
}

int keep_step_begin(struct db *db, bool *ret_own, struct err *err)
{
	*ret_own = keep_wants(db) && sqlite3_get_autocommit(db->sql);
	return *ret_own ? db_begin(db, err) : 0;
}

int keep_step_end(struct db *db, bool own, int status, json_t *step, struct err *err)
{
	if (step && keep_wants(db))
		json_array_append(db->keep->steps, step);
	json_decref(step);
	if (!own)
		return status;
	if (status == 0 && db_commit(db, err) == 0)
		return 0;
	db_rollback(db);
	return -1;
}

void keep_prepare(struct db *db, const char *folder)
{
	db->keep = xcalloc(1, sizeof(*db->keep));
	db->keep->journal = journal_new(folder);
	db->keep->steps = json_array();
	db->keep->reading = true;
}

int keep_attach(struct db *db, const char *folder, struct err *err)
{
	struct journal_pos at;
	bool found, same;

	keep_prepare(db, folder);
	db->keep->reading = false;
	/* Who only reads need not wait for a writer. */
	if (in_step(db, &at, &found, &same, err) < 0)
		return -1;
	if (same)
		return 0;
	if (db_begin(db, err) < 0)
		return -1;
	if (db_commit(db, err) == 0)
		return 0;
	db_rollback(db);
	return -1;
}
