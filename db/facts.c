/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/facts.h"

#include "db/stmt.h"
#include "harness/util/mem.h"

int db_boot_folder(struct db *db, const char *commit, const char *machine, const char *kconfig,
		   char **ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	if (stmt_open(
		    db,
		    "SELECT b.folder FROM boots b JOIN commits c ON c.id = b.commit_id"
		    " JOIN machines m ON m.id = b.machine_id"
		    " WHERE c.hash = ?1 AND m.name = ?2 AND b.kconfig = ?3 AND b.status = 'ok' AND b.folder <> ''"
		    " ORDER BY b.started DESC, b.id DESC LIMIT 1",
		    &s, err) < 0)
		return -1;
	stmt_text(&s, 1, commit);
	stmt_text(&s, 2, machine);
	stmt_text(&s, 3, kconfig);
	int row = stmt_step(&s, err);
	if (row < 0)
		return -1;
	*ret = row ? stmt_col_dup(&s, 0) : xstrdup("");
	return 0;
}
