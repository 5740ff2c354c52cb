/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a file to import: into an empty database, twice, and out again. */
#include <stdint.h>

#include "db/export.h"
#include "db/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool any(const char *metric)
{
	return metric[0] != 'c';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_str_ struct str text = STR_INIT;
	struct import_counts first, second;
	struct err err = ERR_INIT;
	struct db *db;

	if (db_open(":memory:", &db, &err) < 0)
		abort();
	if (db_import(db, "f", (const char *)data, size, any, &first, &err) == 0) {
		if (first.new_runs != first.runs)
			abort();
		/* What was taken is taken again, and changes nothing; and so is what comes out of
		 * it. */
		if (db_import(db, "f", (const char *)data, size, any, &second, &err) < 0 ||
		    second.new_runs != 0)
			abort();
		if (db_export(db, NULL, NULL, &text, &err) < 0 ||
		    db_import(db, "e", text.buf, text.len, any, &second, &err) < 0 ||
		    second.new_runs != 0)
			abort();
	}
	db_close(db);
	return 0;
}
