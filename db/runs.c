/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/runs.h"

#include <math.h>

#include "db/names.h"
#include "db/pack.h"
#include "db/stmt.h"

/* Remembers the machine's largest block number, so that db_block_next() need not search. */
static int note_block(struct db *db, int64_t boot_id, int64_t block, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "UPDATE machines SET last_block = max(last_block, ?2) "
		      "WHERE id = (SELECT machine_id FROM boots WHERE id = ?1)",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, boot_id);
	stmt_int(&s, 2, block);
	return stmt_run(&s, err);
}

static int find(struct db *db, int64_t boot, int64_t test_case, bool *ret_found, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int64_t id;

	if (stmt_open(db, "SELECT id FROM runs WHERE boot_id = ?1 AND case_id = ?2", &s, err) < 0)
		return -1;
	stmt_int(&s, 1, boot);
	stmt_int(&s, 2, test_case);
	return stmt_one_int(&s, &id, ret_found, err);
}

int db_run_put(struct db *db, const struct db_run *r, int64_t *ret_id, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int64_t test_case, id;
	bool found;

	if (db_name_put(db, DB_CASE, r->test_case, &test_case, err) < 0 ||
	    find(db, r->boot_id, test_case, &found, err) < 0)
		return -1;
	if (found)
		return err_set(err, ERR_USER, "the boot has a run of \"%s\" already", r->test_case);
	if (stmt_open(db,
		      "INSERT INTO runs (boot_id, case_id, block, status, detail) "
		      "VALUES (?1, ?2, ?3, ?4, ?5)",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, r->boot_id);
	stmt_int(&s, 2, test_case);
	stmt_int(&s, 3, r->block);
	stmt_text(&s, 4, r->status);
	stmt_text(&s, 5, r->detail ? r->detail : "");
	if (stmt_run(&s, err) < 0)
		return -1;
	id = sqlite3_last_insert_rowid(db->sql);
	if (r->block > 0 && note_block(db, r->boot_id, r->block, err) < 0)
		return -1;
	*ret_id = id;
	return 0;
}

/* By Welford's updates. */
void db_samples_describe(const double *values, size_t n, double *ret_mean, double *ret_sd)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		double delta = values[i] - mean;
		mean += delta / (double)(i + 1);
		squares += delta * (values[i] - mean);
	}
	double sd = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	/* SQLite would store NULL. */
	*ret_mean = isfinite(mean) ? mean : 0;
	*ret_sd = isfinite(sd) ? sd : 0;
}

int db_samples_put(struct db *db, int64_t run_id, const char *metric, const double *values,
		   size_t n, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	_cleanup_str_ struct str blob = STR_INIT;
	int64_t metric_id;
	double mean, sd;

	if (n == 0)
		return err_set(err, ERR_USER, "metric \"%s\": no values", metric);
	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i]))
			return err_set(err, ERR_USER, "metric \"%s\": value %zu is not finite",
				       metric, i);
	if (db_name_put(db, DB_METRIC, metric, &metric_id, err) < 0 ||
	    stmt_open(db,
		      "INSERT INTO samples (run_id, metric_id, n, mean, sd, data) "
		      "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
		      &s, err) < 0)
		return -1;
	db_samples_describe(values, n, &mean, &sd);
	pack_values(&blob, values, n);
	stmt_int(&s, 1, run_id);
	stmt_int(&s, 2, metric_id);
	stmt_int(&s, 3, (int64_t)n);
	stmt_real(&s, 4, mean);
	stmt_real(&s, 5, sd);
	stmt_blob(&s, 6, blob.buf, blob.len);
	return stmt_run(&s, err);
}

int db_block_next(struct db *db, const char *machine, int64_t *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int64_t last = 0;

	if (stmt_open(db, "SELECT last_block FROM machines WHERE name = ?1", &s, err) < 0)
		return -1;
	stmt_text(&s, 1, machine);
	if (stmt_one_int(&s, &last, NULL, err) < 0)
		return -1;
	*ret = last + 1;
	return 0;
}
