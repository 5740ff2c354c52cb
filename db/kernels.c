/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/kernels.h"

#include "db/stmt.h"

int db_kernel_put(struct db *db, const struct db_kernel *k, int64_t *ret_id, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int64_t commit = 0;

	if (db_commit_row(db, k->commit, &commit, err) < 0)
		return -1;
	if (!commit)
		return err_set(err, ERR_USER, "no commit %s in %s", k->commit, db->path);
	if (stmt_open(db,
		      "INSERT INTO kernels (commit_id, tree, kconfig, toolchain, image_id, status, "
		      "error, record, seconds) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) "
		      "ON CONFLICT (commit_id, tree, kconfig, toolchain) DO UPDATE SET "
		      "image_id = excluded.image_id, status = excluded.status, "
		      "error = excluded.error, record = excluded.record, "
		      "seconds = excluded.seconds RETURNING id",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, commit);
	stmt_text(&s, 2, k->tree);
	stmt_text(&s, 3, k->kconfig);
	stmt_text(&s, 4, k->toolchain);
	stmt_text(&s, 5, k->image_id);
	stmt_text(&s, 6, k->status);
	stmt_text(&s, 7, k->error);
	stmt_text(&s, 8, k->record);
	stmt_real(&s, 9, k->seconds);
	return stmt_one_int(&s, ret_id, NULL, err);
}
