/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a file of the journal, and as one step of it. Whatever a good line says is done or
 * refused; what is done gives a step that does the same again. */
#include <stdint.h>
#include <stdio.h>

#include "db/journal.h"
#include "db/reports.h"
#include "db/steps.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void apply(struct db *db, const json_t *step)
{
	struct err ignored = ERR_INIT;

	step_apply(db, step, &ignored);
}

static int line(const struct journal_line *l, void *arg, struct err *err)
{
	const json_t *steps = json_object_get(l->json, "steps"), *step;
	size_t i;

	(void)err;
	if (l->json && l->torn)
		abort();
	json_array_foreach((json_t *)steps, i, step) apply(arg, step);
	return 0;
}

/* What is in the reports, written down and done again, changes nothing. */
static void again(struct db *db)
{
	struct db_report *all = NULL;
	struct err err = ERR_INIT;
	size_t n = 0;

	if (db_report_list(db, &all, &n, &err) < 0)
		abort();
	for (size_t i = 0; i < n; i++) {
		_cleanup_json_ json_t *step = step_report(db, all[i].id, &err);
		if (!step || step_apply(db, step, &err) < 0)
			abort();
	}
	db_reports_free(all, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_json_ json_t *step = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	static struct db *db; /* what one input does is rolled back */
	FILE *f;

	if (!db && db_open(":memory:", &db, &err) < 0)
		abort();
	if (db_begin(db, &err) < 0)
		abort();
	if (size && (f = fmemopen((void *)data, size, "r"))) {
		if (journal_read_file(f, "f", line, db, &err) < 0)
			abort();
		fclose(f);
	}
	if (json_load("f", (const char *)data, size, &step, &err) == 0 && json_is_object(step)) {
		apply(db, step);
		/* As a line it is read as it was written. */
		if (json_object_size(step) && !json_object_get(step, "sum")) {
			journal_add_line(&text, step);
			f = fmemopen(text.buf, text.len, "r");
			if (!f || journal_read_file(f, "f", line, db, &err) < 0)
				abort();
			fclose(f);
		}
	}
	again(db);
	db_rollback(db);
	return 0;
}
