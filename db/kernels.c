/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/kernels.h"

#include "db/keep.h"
#include "db/steps.h"
#include "db/stmt.h"

static void bind(struct stmt *s, int64_t commit, const struct db_kernel *k)
{
	stmt_int(s, 1, commit);
	stmt_text(s, 2, k->tree);
	stmt_text(s, 3, k->kconfig);
	stmt_text(s, 4, k->toolchain);
	stmt_text(s, 5, k->image_id);
	stmt_text(s, 6, k->status);
	stmt_text(s, 7, k->error);
	stmt_text(s, 8, k->record);
	stmt_real(s, 9, k->seconds);
}

/* The row that says the same already; a build is asked for more often than it is done. */
static int find_same(struct db *db, int64_t commit, const struct db_kernel *k, int64_t *ret_id,
		     bool *ret_found, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "SELECT id FROM kernels WHERE commit_id = ?1 AND tree = ?2 AND kconfig = ?3 "
		      "AND toolchain = ?4 AND image_id = ?5 AND status = ?6 AND error = ?7 "
		      "AND record = ?8 AND seconds = ?9",
		      &s, err) < 0)
		return -1;
	bind(&s, commit, k);
	return stmt_one_int(&s, ret_id, ret_found, err);
}

static int put(struct db *db, int64_t commit, const struct db_kernel *k, int64_t *ret_id,
	       struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "INSERT INTO kernels (commit_id, tree, kconfig, toolchain, image_id, status, "
		      "error, record, seconds) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) "
		      "ON CONFLICT (commit_id, tree, kconfig, toolchain) DO UPDATE SET "
		      "image_id = excluded.image_id, status = excluded.status, "
		      "error = excluded.error, record = excluded.record, "
		      "seconds = excluded.seconds RETURNING id",
		      &s, err) < 0)
		return -1;
	bind(&s, commit, k);
	return stmt_one_int(&s, ret_id, NULL, err);
}

int db_kernel_put(struct db *db, const struct db_kernel *k, int64_t *ret_id, struct err *err)
{
	json_t *step = NULL;
	int64_t commit = 0, id = 0;
	bool found = false, own;
	int status;

	if (db_commit_row(db, k->commit, &commit, err) < 0)
		return -1;
	if (!commit)
		return err_set(err, ERR_USER, "no commit %s in %s", k->commit, db->path);
	if (find_same(db, commit, k, &id, &found, err) < 0)
		return -1;
	if (!found) {
		if (keep_step_begin(db, &own, err) < 0)
			return -1;
		status = put(db, commit, k, &id, err);
		if (status == 0 && keep_wants(db) && !(step = step_kernel(db, id, err)))
			status = -1;
		if (keep_step_end(db, own, status, step, err) < 0)
			return -1;
	}
	*ret_id = id;
	return 0;
}
