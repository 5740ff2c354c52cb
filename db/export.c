/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/export.h"

#include <math.h>

#include "db/boot_facts.h"
#include "db/findings.h"
#include "db/pack.h"
#include "db/stmt.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/units.h"

static int add_piece(const char *data, size_t n, void *arg)
{
	str_addn(arg, data, n);
	return 0;
}

static void add_json(struct str *s, const json_t *json)
{
	json_dump_callback(json, add_piece, s,
			   JSON_ENCODE_ANY | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
}

/* Appends text as a JSON string; what is no UTF-8 is escaped first. */
static void add_string(struct str *s, const char *text)
{
	_cleanup_json_ json_t *json = json_string(text);
	_cleanup_str_ struct str safe = STR_INIT;

	if (!json) {
		str_add_safe(&safe, text, strlen(text));
		json = json_string(safe.buf);
	}
	add_json(s, json);
}

static void add_pair(struct str *s, const char *key, const char *text)
{
	str_addf(s, ", \"%s\": ", key);
	add_string(s, text);
}

static void add_number(struct str *s, double x)
{
	char text[40];
	double back;
	struct err ignored = ERR_INIT;

	if (x == trunc(x) && fabs(x) < 1e15) {
		str_addf(s, "%.0f", x);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, x);
		if (units_parse_double(text, &back, &ignored) == 0 && back == x)
			break;
	}
	/* "1e+300" is JSON, but a number without a point or exponent would be read as an integer.
	 */
	str_add(s, text);
	if (!strpbrk(text, ".e"))
		str_add(s, ".0");
}

static int add_commit(struct str *s, struct db *db, const char *id, bool first, struct err *err)
{
	_cleanup_(db_commit_done) struct db_commit c = {.id = ""};

	if (db_commit_find(db, id, &c, err) < 0)
		return -1;
	str_addf(s, "%s\n  {\"id\": \"%s\", \"parents\": [", first ? "" : ",", c.id);
	for (size_t i = 0; i < strv_len(c.parents); i++)
		str_addf(s, "%s\"%s\"", i ? ", " : "", c.parents[i]);
	str_add(s, "]");
	add_pair(s, "subject", c.subject);
	str_add(s, ", \"author\": {\"name\": ");
	add_string(s, c.author_name);
	add_pair(s, "email", c.author_email);
	str_addf(s, "}, \"date\": %lld}", (long long)c.date);
	return 0;
}

static int add_values(struct str *s, const struct stmt *row, struct err *err)
{
	int64_t n = stmt_col_int(row, 1);
	_cleanup_free_ double *values = xcalloc((size_t)n, sizeof(*values));
	size_t size;
	const void *data = stmt_col_blob(row, 2, &size);

	if (pack_read(data, size, (size_t)n, values, err) < 0)
		return -1;
	add_string(s, stmt_col_text(row, 0));
	str_add(s, ": [");
	for (int64_t i = 0; i < n; i++) {
		str_add(s, i ? ", " : "");
		add_number(s, values[i]);
	}
	str_addc(s, ']');
	return 0;
}

static int add_metrics(struct str *s, struct db *db, int64_t run, const struct db_filter *filter,
		       struct err *err)
{
	_cleanup_stmt_ struct stmt row = STMT_INIT;
	int got;

	if (stmt_open(db,
		      "SELECT t.name, s.n, s.data FROM samples s JOIN metrics t "
		      "ON t.id = s.metric_id WHERE s.run_id = ?1 "
		      "AND (?2 IS NULL OR t.name GLOB ?2) ORDER BY t.name",
		      &row, err) < 0)
		return -1;
	stmt_int(&row, 1, run);
	stmt_text(&row, 2, filter ? filter->metric_glob : NULL);
	str_add(s, ", \"metrics\": {");
	for (bool first = true; (got = stmt_step(&row, err)) > 0; first = false) {
		str_add(s, first ? "" : ", ");
		if (add_values(s, &row, err) < 0)
			return -1;
	}
	str_addc(s, '}');
	return got;
}

static int add_facts(struct str *s, struct db *db, const struct stmt *row, struct err *err)
{
	const struct db_boot boot = {
		.facts = stmt_col_text(row, 7),
		.image_id = stmt_col_text(row, 8),
		.toolbox_id = stmt_col_text(row, 9),
		.accel = stmt_col_text(row, 10),
		.clocksource = stmt_col_text(row, 11),
		.purpose = stmt_col_text(row, 12),
		.seed = (uint64_t)stmt_col_int(row, 13),
		.started = stmt_col_int(row, 14),
		.kind = stmt_col_text(row, 15),
	};
	_cleanup_json_ json_t *facts = NULL, *findings = NULL;

	if (db_findings_json(db, stmt_col_int(row, 16), &findings, err) < 0)
		return -1;
	facts = boot_facts_json(&boot, findings);
	if (json_object_size(facts) == 0)
		return 0;
	str_add(s, ", \"facts\": ");
	add_json(s, facts);
	return 0;
}

static int add_run(struct str *s, struct db *db, const struct stmt *row, const char *commit,
		   const struct db_filter *filter, struct err *err)
{
	int64_t run = stmt_col_int(row, 0), block = stmt_col_int(row, 6);
	const char *kconfig = stmt_col_text(row, 4);

	str_addf(s, "\n  {\"commit\": \"%s\"", commit);
	add_pair(s, "machine", stmt_col_text(row, 2));
	add_pair(s, "case", stmt_col_text(row, 3));
	add_pair(s, "boot", stmt_col_text(row, 1));
	if (block > 0)
		str_addf(s, ", \"block\": %lld", (long long)block);
	if (*kconfig)
		add_pair(s, "kconfig", kconfig);
	add_pair(s, "status", stmt_col_text(row, 5));
	if (add_facts(s, db, row, err) < 0 || add_metrics(s, db, run, filter, err) < 0)
		return -1;
	str_addc(s, '}');
	return 0;
}

#define BOOT_COLUMNS                                                                     \
	"b.facts, b.image_id, b.toolbox_id, b.accel, b.clocksource, b.purpose, b.seed, " \
	"b.started, b.kind, b.id FROM boots b JOIN machines m ON m.id = b.machine_id "
#define BOOT_FILTER                                                           \
	"WHERE b.commit_id = (SELECT id FROM commits WHERE hash = ?1) "       \
	"AND (?2 IS NULL OR m.name = ?2) AND (?3 IS NULL OR b.kconfig = ?3) " \
	"AND (?4 IS NULL OR b.toolbox_id = ?4) AND (?6 = 0 OR b.folder = '') "

/* Both by what is in the text, so that it does not depend on when what was stored. */
static const char runs[] =
	"SELECT r.id, b.boot, m.name, c.name, b.kconfig, r.status, r.block, " BOOT_COLUMNS
	"JOIN runs r ON r.boot_id = b.id JOIN cases c ON c.id = r.case_id " BOOT_FILTER
	"AND (?5 IS NULL OR c.name GLOB ?5) ORDER BY b.started, m.name, b.boot, c.name";

/* A boot that failed is a run of no case, unless a run of it says how. It comes first, so that an
 * import takes the boot's status from it. */
static const char failures[] =
	"SELECT 0, b.boot, m.name, '', b.kconfig, b.status, 0, " BOOT_COLUMNS BOOT_FILTER
	"AND ?5 IS NULL AND b.status <> 'ok' AND NOT EXISTS (SELECT 1 FROM runs r "
	"WHERE r.boot_id = b.id AND r.status = b.status) ORDER BY b.started, m.name, b.boot";

static int add_runs(struct str *s, struct db *db, const char *query, const char *commit,
		    const struct db_filter *filter, bool *first, struct err *err)
{
	_cleanup_stmt_ struct stmt row = STMT_INIT;
	int got;

	if (stmt_open(db, query, &row, err) < 0)
		return -1;
	stmt_text(&row, 1, commit);
	stmt_text(&row, 2, filter ? filter->machine : NULL);
	stmt_text(&row, 3, filter ? filter->kconfig : NULL);
	stmt_text(&row, 4, filter ? filter->toolbox_id : NULL);
	stmt_text(&row, 5, filter ? filter->case_glob : NULL);
	stmt_int(&row, 6, filter && filter->imported);
	for (; (got = stmt_step(&row, err)) > 0; *first = false) {
		str_add(s, *first ? "" : ",");
		if (add_run(s, db, &row, commit, filter, err) < 0)
			return -1;
	}
	return got;
}

int db_export(struct db *db, const char *const *commits, const struct db_filter *filter,
	      struct str *ret, struct err *err)
{
	_cleanup_strv_ char **all = NULL;
	_cleanup_str_ struct str s = STR_INIT;
	bool first = true;

	if (!commits) {
		if (db_commit_list(db, &all, err) < 0)
			return -1;
		commits = (const char *const *)all;
	}
	str_add(&s, "{\"format\": \"lkp-samples/1\",\n \"commits\": [");
	for (size_t i = 0; commits[i]; i++)
		if (add_commit(&s, db, commits[i], i == 0, err) < 0)
			return -1;
	str_add(&s, "],\n \"runs\": [");
	for (size_t i = 0; commits[i]; i++)
		if (add_runs(&s, db, failures, commits[i], filter, &first, err) < 0 ||
		    add_runs(&s, db, runs, commits[i], filter, &first, err) < 0)
			return -1;
	str_add(&s, "]}\n");
	str_addn(ret, s.buf, s.len);
	return 0;
}
