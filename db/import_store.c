/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/import_store.h"

#include "db/boot_facts.h"
#include "db/findings.h"
#include "db/names.h"
#include "db/pack.h"
#include "db/runs.h"
#include "db/stmt.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

/* Statuses of the benchmark; every other one is of the boot as a whole. */
static bool of_run(const struct import_record *r)
{
	return streq(r->status, "ok") || (*r->test_case && streq(r->status, "bench-failed"));
}

static int differs(const struct import_record *r, const char *path, const char *what,
		   struct err *err)
{
	_cleanup_str_ struct str boot = STR_INIT, test = STR_INIT;

	str_add_safe(&boot, r->boot, strlen(r->boot));
	str_add_safe(&test, r->test_case, strlen(r->test_case));
	return err_set(err, ERR_USER,
		       "%s: boot \"%s\" has another run of \"%s\" already (%s differs); a new run "
		       "needs a boot id of its own",
		       path, boot.buf, test.buf, what);
}

/* The stored boot must say what the record says, where the record says anything. */
static int check_boot(struct db *db, int64_t id, const struct import_record *r, const char *path,
		      struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	_cleanup_json_ json_t *facts = NULL, *findings = NULL;

	if (stmt_open(db,
		      "SELECT kconfig, status, facts, image_id, toolbox_id, accel, clocksource, "
		      "purpose, seed, started, kind FROM boots WHERE id = ?1",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, id);
	if (stmt_step(&s, err) < 0)
		return -1;
	if (r->kconfig && !streq(r->kconfig, stmt_col_text(&s, 0)))
		return differs(r, path, "kconfig", err);
	if (!*r->test_case && !streq(r->status, stmt_col_text(&s, 1)))
		return differs(r, path, "status", err);
	if (!r->facts)
		return 0;
	const struct db_boot stored = {
		.facts = stmt_col_text(&s, 2),
		.image_id = stmt_col_text(&s, 3),
		.toolbox_id = stmt_col_text(&s, 4),
		.accel = stmt_col_text(&s, 5),
		.clocksource = stmt_col_text(&s, 6),
		.purpose = stmt_col_text(&s, 7),
		.seed = (uint64_t)stmt_col_int(&s, 8),
		.started = stmt_col_int(&s, 9),
		.kind = stmt_col_text(&s, 10),
	};
	if (db_findings_json(db, id, &findings, err) < 0)
		return -1;
	facts = boot_facts_json(&stored, findings);
	return json_equal(facts, r->facts) ? 0 : differs(r, path, "facts", err);
}

static int put_boot(struct db *db, const struct import_record *r, const char *path, int64_t *ret_id,
		    bool *ret_new, struct err *err)
{
	_cleanup_json_ json_t *none = json_object();
	const json_t *facts = r->facts ? r->facts : none;
	_cleanup_free_ char *text = json_dumps(facts, JSON_COMPACT | JSON_REAL_PRECISION(17));
	_cleanup_free_ char *at = xasprintf("%s.facts", path);
	struct db_boot b = {
		.boot = r->boot,
		.machine = r->machine,
		.kconfig = r->kconfig ? r->kconfig : "",
		.status = of_run(r) ? "ok" : r->status,
		.detail = "",
		.folder = "",
		.facts = text,
	};

	memcpy(b.commit, r->commit, sizeof(b.commit));
	if (boot_facts_read(facts, at, &b, err) < 0)
		return -1;
	if (db_boot_put(db, &b, ret_id, ret_new, err) < 0)
		return err_wrap(err, "%s.commit", path);
	if (!*ret_new)
		return check_boot(db, *ret_id, r, path, err);
	free(at);
	at = xasprintf("%s.facts.findings", path);
	return db_findings_put(db, *ret_id, json_object_get(facts, "findings"), at, err);
}

/* What the stored run of (boot, case) is; *ret_id 0: there is none. */
static int find_run(struct db *db, int64_t boot, const struct import_record *r, int64_t *ret_id,
		    bool *ret_same, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int got;

	if (stmt_open(db,
		      "SELECT r.id, r.block, r.status, "
		      "(SELECT count(*) FROM samples s WHERE s.run_id = r.id) FROM runs r "
		      "JOIN cases c ON c.id = r.case_id WHERE r.boot_id = ?1 AND c.name = ?2",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, boot);
	stmt_text(&s, 2, r->test_case);
	got = stmt_step(&s, err);
	if (got < 0)
		return -1;
	*ret_id = got ? stmt_col_int(&s, 0) : 0;
	*ret_same = got && stmt_col_int(&s, 1) == r->block &&
		    streq(stmt_col_text(&s, 2), r->status) &&
		    stmt_col_int(&s, 3) == (int64_t)r->n_metrics;
	return 0;
}

static int same_values(struct db *db, int64_t run, const struct import_metric *m, bool *ret,
		       struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	_cleanup_str_ struct str blob = STR_INIT;
	size_t size = 0;
	int got;

	if (stmt_open(db,
		      "SELECT s.n, s.data FROM samples s JOIN metrics t ON t.id = s.metric_id "
		      "WHERE s.run_id = ?1 AND t.name = ?2",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, run);
	stmt_text(&s, 2, m->name);
	got = stmt_step(&s, err);
	if (got < 0)
		return -1;
	pack_values(&blob, m->values, m->n);
	const void *data = got ? stmt_col_blob(&s, 1, &size) : NULL;
	*ret = got && stmt_col_int(&s, 0) == (int64_t)m->n && size == blob.len &&
	       memcmp(data, blob.buf, size) == 0;
	return 0;
}

static int check_run(struct db *db, int64_t run, const struct import_record *r, bool same,
		     const char *path, struct err *err)
{
	if (!same)
		return differs(r, path, "block, status or set of metrics", err);
	for (size_t i = 0; i < r->n_metrics; i++) {
		if (same_values(db, run, &r->metrics[i], &same, err) < 0)
			return -1;
		if (!same)
			return differs(r, path, r->metrics[i].name, err);
	}
	return 0;
}

static int put_run(struct db *db, int64_t boot, const struct import_record *r, struct err *err)
{
	const struct db_run row = {.boot_id = boot,
				   .test_case = r->test_case,
				   .block = r->block,
				   .status = r->status,
				   .detail = ""};
	int64_t run;

	if (db_run_put(db, &row, &run, err) < 0)
		return -1;
	for (size_t i = 0; i < r->n_metrics; i++)
		if (db_samples_put(db, run, r->metrics[i].name, r->metrics[i].values,
				   r->metrics[i].n, err) < 0)
			return -1;
	return of_run(r) ? 0 : db_boot_fail(db, boot, r->status, err);
}

int import_store(struct db *db, const struct import_record *r, const char *path, bool *ret_new,
		 struct err *err)
{
	int64_t boot, run = 0;
	bool new_boot, same = false;

	if (put_boot(db, r, path, &boot, &new_boot, err) < 0)
		return -1;
	if (!*r->test_case) {
		*ret_new = new_boot;
		return 0;
	}
	if (find_run(db, boot, r, &run, &same, err) < 0)
		return -1;
	*ret_new = !run;
	if (run)
		return check_run(db, run, r, same, path, err);
	return put_run(db, boot, r, err) < 0 ? err_wrap(err, "%s", path) : 0;
}
