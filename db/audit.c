/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/audit.h"

#include <math.h>
#include <stdarg.h>

#include "db/import.h"
#include "db/journal_doc.h"
#include "db/keep.h"
#include "db/keep_all.h"
#include "db/pack.h"
#include "db/runs.h"
#include "db/stmt.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define TICK 1000 /* blobs */

void audit_add(struct audit *a, const char *what, bool note, const char *fmt, ...)
{
	_cleanup_str_ struct str text = STR_INIT, safe = STR_INIT;
	va_list ap;

	a->n_wrong += !note;
	if (a->n == AUDIT_MAX) {
		a->more++;
		return;
	}
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	str_add_safe(&safe, text.buf, text.len);
	mem_grow(&a->faults, &a->cap, a->n + 1, sizeof(*a->faults));
	a->faults[a->n++] = (struct audit_fault){what, str_detach(&safe), note};
}

void audit_done(struct audit *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->faults[i].text);
	free(a->faults);
	*a = (struct audit){.n = 0};
}

int audit_file(struct db *db, struct audit *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int got;

	if (stmt_open(db, "PRAGMA integrity_check(100)", &s, err) < 0)
		return -1;
	while ((got = stmt_step(&s, err)) > 0)
		if (!streq(stmt_col_text(&s, 0), "ok"))
			audit_add(ret, "file", false, "%s", stmt_col_text(&s, 0));
	return got;
}

int audit_keys(struct db *db, struct audit *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int got;

	if (stmt_open(db, "PRAGMA foreign_key_check", &s, err) < 0)
		return -1;
	while ((got = stmt_step(&s, err)) > 0)
		audit_add(ret, "keys", false, "row %lld of %s names a row of %s that is not there",
			  (long long)stmt_col_int(&s, 1), stmt_col_text(&s, 0),
			  stmt_col_text(&s, 2));
	return got;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

/* What is wrong with the row's blob; NULL: nothing. */
static const char *blob_fault(const struct stmt *s)
{
	int64_t n = stmt_col_int(s, 2);
	struct err bad = ERR_INIT;
	double mean, sd;
	size_t size;
	const void *data = stmt_col_blob(s, 5, &size);

	if (n < 1 || n > IMPORT_VALUES_MAX)
		return "the number of values";
	_cleanup_free_ double *values = xcalloc((size_t)n, sizeof(*values));
	if (pack_read(data, size, (size_t)n, values, &bad) < 0)
		return "the values' bytes";
	for (int64_t i = 0; i < n; i++)
		if (!isfinite(values[i]))
			return "a value";
	db_samples_describe(values, (size_t)n, &mean, &sd);
	return near(mean, stmt_col_real(s, 3)) && near(sd, stmt_col_real(s, 4)) ? NULL
										: "mean or stddev";
}

int audit_samples(struct db *db, audit_tick_fn *tick, void *arg, struct audit *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt count = STMT_INIT, s = STMT_INIT;
	int64_t total = 0, done = 0;
	int got;

	if (stmt_open(db, "SELECT count(*) FROM samples", &count, err) < 0 ||
	    stmt_one_int(&count, &total, NULL, err) < 0 ||
	    stmt_open(db, "SELECT run_id, metric_id, n, mean, sd, data FROM samples", &s, err) < 0)
		return -1;
	for (; (got = stmt_step(&s, err)) > 0; done++) {
		const char *fault = blob_fault(&s);
		if (fault)
			audit_add(ret, "samples", false, "run %lld, metric %lld: %s is wrong",
				  (long long)stmt_col_int(&s, 0), (long long)stmt_col_int(&s, 1),
				  fault);
		if (done % TICK == 0 && tick(arg, (double)done, (double)total, err) < 0)
			return -1;
	}
	return got;
}

struct journal_audit {
	struct journal *journal;
	struct audit *audit;
};

static int audit_line(const struct journal_line *line, void *arg, struct err *err)
{
	struct journal_audit *ja = arg;
	const json_t *steps = json_object_get(line->json, "steps"), *step;
	size_t i;

	(void)err;
	if (!line->json && !line->torn)
		audit_add(ja->audit, "journal", false,
			  "%s/%s:%lld: is damaged; restore the file from a backup",
			  journal_folder(ja->journal), line->file, (long long)line->number);
	json_array_foreach((json_t *)steps, i, step)
	{
		const char *doc = json_string_value(json_object_get(step, "sha256"));
		_cleanup_str_ struct str text = STR_INIT;
		struct err bad = ERR_INIT;
		if (doc && journal_doc_get(ja->journal, doc, IMPORT_CAP, &text, &bad) < 0)
			audit_add(ja->audit, "journal", false, "%s:%lld: %s", line->file,
				  (long long)line->number, bad.msg);
	}
	return 0;
}

/* Do rows and journal know the same? */
static int compare_ends(struct db *db, const struct journal *j, struct audit *a, struct err *err)
{
	struct journal_pos at, end;
	bool found, holds, any;

	if (keep_position(db, &at, &found, err) < 0 || journal_holds(j, &at, &holds, err) < 0 ||
	    journal_end(j, &end, err) < 0 || keep_all_any(db, &any, err) < 0)
		return -1;
	if (!holds)
		audit_add(a, "journal", false,
			  "%s: lacks what the database has (up to %s, byte %lld); the next command "
			  "that may write writes it down again",
			  journal_folder(j), at.file, (long long)at.offset);
	else if (!found && any)
		audit_add(a, "journal", true,
			  "%s: the database is older than its journal; the next command that may "
			  "write writes down what it has",
			  journal_folder(j));
	else if (!streq(at.file, end.file) || at.offset != end.offset)
		audit_add(a, "journal", true,
			  "%s: goes on behind what is in the database; the next command that may "
			  "write takes it in",
			  journal_folder(j));
	return 0;
}

int audit_journal(struct db *db, const char *folder, struct audit *ret, struct err *err)
{
	const struct journal_pos begin = {.file = ""};
	struct journal_audit ja = {journal_new(folder), ret};
	int status = compare_ends(db, ja.journal, ret, err);

	if (status == 0)
		status = journal_read(ja.journal, &begin, audit_line, &ja, err);
	journal_free(ja.journal);
	return status;
}

int audit_boots(struct db *db, audit_boot_fn *fn, void *arg, int64_t *ret_n, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int64_t n = 0;
	int got;

	if (stmt_open(db,
		      "SELECT m.name, b.boot, b.folder FROM boots b JOIN machines m "
		      "ON m.id = b.machine_id WHERE b.folder <> '' ORDER BY b.id",
		      &s, err) < 0)
		return -1;
	for (; (got = stmt_step(&s, err)) > 0; n++)
		if (fn(stmt_col_text(&s, 0), stmt_col_text(&s, 1), stmt_col_text(&s, 2), arg, err) <
		    0)
			return -1;
	*ret_n = n;
	return got;
}
