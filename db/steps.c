/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/steps.h"

#include "db/import.h"
#include "db/journal_doc.h"
#include "db/keep.h"
#include "db/kernels.h"
#include "db/mails.h"
#include "db/reports.h"
#include "db/step_row.h"
#include "db/stmt.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

static const struct step_column report_columns[] = {
	{"id", true},	    {"base", false},	{"head", false},      {"tree", false},
	{"machine", false}, {"kconfig", false}, {"test_case", false}, {"metric", false},
	{"verdict", false}, {"state", false},	{"facts", false},     {"created", true},
	{.name = NULL},
};

static const struct step_column mail_columns[] = {
	{"id", true},	    {"report_id", true}, {"nr", true},		{"message_id", false},
	{"subject", false}, {"sender", false},	 {"recipients", false}, {"text", false},
	{"state", false},   {"place", false},	 {"created", true},	{.name = NULL},
};

static const struct step_column kernel_columns[] = {
	{"tree", false},   {"kconfig", false}, {"toolchain", false}, {"image_id", false},
	{"status", false}, {"error", false},   {"record", false},    {.name = NULL},
};

json_t *step_report(struct db *db, int64_t id, struct err *err)
{
	return step_row_read(db,
			     "SELECT id, base, head, tree, machine, kconfig, test_case, metric, "
			     "verdict, state, facts, created FROM reports WHERE id = ?1",
			     id, "report", report_columns, err);
}

json_t *step_mail(struct db *db, int64_t id, struct err *err)
{
	return step_row_read(db,
			     "SELECT id, report_id, nr, message_id, subject, sender, recipients, "
			     "text, state, place, created FROM mails WHERE id = ?1",
			     id, "mail", mail_columns, err);
}

static json_t *commit_json(const struct db_commit *c)
{
	json_t *parents = json_array();

	for (size_t i = 0; i < strv_len(c->parents); i++)
		json_array_append_new(parents, json_string(c->parents[i]));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:I}", "id", c->id, "parents", parents,
			 "subject", step_text(c->subject), "author_name", step_text(c->author_name),
			 "author_email", step_text(c->author_email), "date", (json_int_t)c->date);
}

json_t *step_kernel(struct db *db, int64_t id, struct err *err)
{
	_cleanup_(db_commit_done) struct db_commit c = {.id = ""};
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	json_t *step;

	if (stmt_open(db,
		      "SELECT c.hash, k.seconds FROM kernels k JOIN commits c ON c.id = "
		      "k.commit_id WHERE k.id = ?1",
		      &s, err) < 0)
		return NULL;
	stmt_int(&s, 1, id);
	if (stmt_step(&s, err) < 0 || db_commit_find(db, stmt_col_text(&s, 0), &c, err) < 0)
		return NULL;
	step = step_row_read(db,
			     "SELECT tree, kconfig, toolchain, image_id, status, error, record "
			     "FROM kernels WHERE id = ?1",
			     id, "kernel", kernel_columns, err);
	if (!step)
		return NULL;
	json_object_set_new(step, "seconds", json_num(stmt_col_real(&s, 1)));
	json_object_set_new(step, "commit", commit_json(&c));
	return step;
}

json_t *step_report_state(int64_t id, const char *state)
{
	return json_pack("{s:s, s:I, s:s}", "do", "report-state", "id", (json_int_t)id, "state",
			 state);
}

json_t *step_mail_state(int64_t id, const char *state, const char *place)
{
	json_t *step = json_pack("{s:s, s:I, s:s}", "do", "mail-state", "id", (json_int_t)id,
				 "state", state);

	if (place)
		json_object_set_new(step, "place", step_text(place));
	return step;
}

json_t *step_import(const char *name, const char *sha256)
{
	return json_pack("{s:s, s:o, s:s}", "do", "import", "name", step_text(name), "sha256",
			 sha256);
}

static int apply_report(struct db *db, const json_t *step, struct err *err)
{
	return step_row_write(
		db,
		"INSERT INTO reports (id, base, head, tree, machine, kconfig, test_case, "
		"metric, verdict, state, facts, created) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) "
		"ON CONFLICT (id) DO UPDATE SET base = excluded.base, head = excluded.head, "
		"tree = excluded.tree, machine = excluded.machine, kconfig = excluded.kconfig, "
		"test_case = excluded.test_case, metric = excluded.metric, "
		"verdict = excluded.verdict, state = excluded.state, facts = excluded.facts, "
		"created = excluded.created",
		step, report_columns, err);
}

static int apply_mail(struct db *db, const json_t *step, struct err *err)
{
	return step_row_write(
		db,
		"INSERT INTO mails (id, report_id, nr, message_id, subject, sender, recipients, "
		"text, state, place, created) "
		"VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) "
		"ON CONFLICT (id) DO UPDATE SET report_id = excluded.report_id, nr = excluded.nr, "
		"message_id = excluded.message_id, subject = excluded.subject, "
		"sender = excluded.sender, recipients = excluded.recipients, text = excluded.text, "
		"state = excluded.state, place = excluded.place, created = excluded.created",
		step, mail_columns, err);
}

static int apply_report_state(struct db *db, const json_t *step, struct err *err)
{
	const char *state;
	int64_t id;

	if (json_get_int(step, "$", "id", true, &id, err) < 0 ||
	    json_get_str(step, "$", "state", true, &state, err) < 0)
		return -1;
	return db_report_set_state(db, id, state, err);
}

static int apply_mail_state(struct db *db, const json_t *step, struct err *err)
{
	_cleanup_free_ char *place = NULL;
	const char *state;
	int64_t id;

	if (json_get_int(step, "$", "id", true, &id, err) < 0 ||
	    json_get_str(step, "$", "state", true, &state, err) < 0 ||
	    (json_object_get(step, "place") && step_get_text(step, "place", &place, err) < 0))
		return -1;
	return db_mail_set_state(db, id, state, place, err);
}

static int read_commit(const json_t *json, struct db_commit *ret, struct err *err)
{
	json_t *parents, *parent;
	const char *id;
	size_t i;

	if (json_get_str(json, "$.commit", "id", true, &id, err) < 0 ||
	    json_get_array(json, "$.commit", "parents", true, &parents, err) < 0 ||
	    json_get_int(json, "$.commit", "date", true, &ret->date, err) < 0 ||
	    step_get_text(json, "subject", &ret->subject, err) < 0 ||
	    step_get_text(json, "author_name", &ret->author_name, err) < 0 ||
	    step_get_text(json, "author_email", &ret->author_email, err) < 0)
		return -1;
	snprintf(ret->id, sizeof(ret->id), "%s", id);
	json_array_foreach(parents, i, parent)
		strv_add(&ret->parents, json_string_value(parent) ? json_string_value(parent) : "");
	return 0;
}

static int apply_kernel(struct db *db, const json_t *step, struct err *err)
{
	_cleanup_(db_commit_done) struct db_commit c = {.id = ""};
	struct db_kernel k = {.commit = ""};
	const char **const texts[] = {&k.tree,	 &k.kconfig, &k.toolchain, &k.image_id,
				      &k.status, &k.error,   &k.record};
	char *owned[ARRAY_SIZE(texts)] = {NULL};
	json_t *commit;
	int64_t id;
	int status = 0;

	if (json_get_object(step, "$", "commit", true, &commit, err) < 0 ||
	    json_get_num(step, "$", "seconds", true, &k.seconds, err) < 0 ||
	    read_commit(commit, &c, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(texts) && status == 0; i++) {
		status = step_get_text(step, kernel_columns[i].name, &owned[i], err);
		*texts[i] = owned[i];
	}
	memcpy(k.commit, c.id, sizeof(k.commit));
	if (status == 0 && (db_commit_put(db, &c, err) < 0 || db_kernel_put(db, &k, &id, err) < 0))
		status = -1;
	for (size_t i = 0; i < ARRAY_SIZE(owned); i++)
		free(owned[i]);
	return status;
}

static int apply_import(struct db *db, const json_t *step, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_free_ char *name = NULL;
	const char *sha256;

	if (json_get_str(step, "$", "sha256", true, &sha256, err) < 0 ||
	    step_get_text(step, "name", &name, err) < 0)
		return -1;
	if (!db->keep)
		return err_set(err, ERR_USER, "an import outside of a journal");
	if (journal_doc_get(keep_journal(db), sha256, IMPORT_CAP, &text, err) < 0)
		return -1;
	return db_import_again(db, name, text.buf, text.len, err);
}

int step_apply(struct db *db, const json_t *step, struct err *err)
{
	static const struct {
		const char *name;
		int (*apply)(struct db *db, const json_t *step, struct err *err);
	} kinds[] = {
		{"report", apply_report}, {"report-state", apply_report_state},
		{"mail", apply_mail},	  {"mail-state", apply_mail_state},
		{"kernel", apply_kernel}, {"import", apply_import},
	};
	_cleanup_str_ struct str shown = STR_INIT;
	const char *what;

	if (json_get_str(step, "$", "do", true, &what, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (streq(kinds[i].name, what))
			return kinds[i].apply(db, step, err) < 0 ? err_wrap(err, "%s", what) : 0;
	str_add_safe(&shown, what, strnlen(what, 80));
	return err_set(err, ERR_USER, "unknown step \"%s\"; use the program that wrote it",
		       shown.buf);
}
