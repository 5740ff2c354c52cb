/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/commits.h"

#include "db/stmt.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define PREFIX_MIN 4
#define LIST_MAX   5 /* candidates named in a message */

void db_commit_done(struct db_commit *c)
{
	free(c->subject);
	free(c->author_name);
	free(c->author_email);
	strv_free(c->parents);
	*c = (struct db_commit){.id = ""};
}

bool db_commit_id_ok(const char *id)
{
	return strlen(id) == DB_HEX_LEN && strspn(id, "0123456789abcdef") == DB_HEX_LEN;
}

static int check_id(const char *id, const char *what, struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT;

	if (db_commit_id_ok(id))
		return 0;
	str_add_safe(&shown, id, strnlen(id, 80));
	return err_set(err, ERR_USER, "%s \"%s\" is not 40 digits of hex", what, shown.buf);
}

int db_commit_row(struct db *db, const char *id, int64_t *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	int64_t row = 0;

	if (stmt_open(db, "SELECT id FROM commits WHERE hash = ?1", &s, err) < 0)
		return -1;
	stmt_text(&s, 1, id);
	if (stmt_one_int(&s, &row, NULL, err) < 0)
		return -1;
	*ret = row;
	return 0;
}

static int put_parents(struct db *db, int64_t row, char *const *parents, struct err *err)
{
	_cleanup_stmt_ struct stmt known = STMT_INIT, s = STMT_INIT;
	bool found;
	int64_t one;

	if (stmt_open(db, "SELECT 1 FROM commit_parents WHERE commit_id = ?1 LIMIT 1", &known,
		      err) < 0)
		return -1;
	stmt_int(&known, 1, row);
	if (stmt_one_int(&known, &one, &found, err) < 0)
		return -1;
	if (found)
		return 0;
	if (stmt_open(db, "INSERT INTO commit_parents (commit_id, nr, parent) VALUES (?1, ?2, ?3)",
		      &s, err) < 0)
		return -1;
	for (size_t i = 0; i < strv_len(parents); i++) {
		stmt_int(&s, 1, row);
		stmt_int(&s, 2, (int64_t)i);
		stmt_text(&s, 3, parents[i]);
		if (stmt_run(&s, err) < 0)
			return -1;
	}
	return 0;
}

static int put_row(struct db *db, const struct db_commit *c, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db,
		      "INSERT INTO commits (hash, subject, author_name, author_email, date) "
		      "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (hash) DO UPDATE SET "
		      "subject = iif(subject = '', excluded.subject, subject), "
		      "author_name = iif(author_name = '', excluded.author_name, author_name), "
		      "author_email = iif(author_email = '', excluded.author_email, author_email), "
		      "date = iif(date = 0, excluded.date, date)",
		      &s, err) < 0)
		return -1;
	stmt_text(&s, 1, c->id);
	stmt_text(&s, 2, c->subject ? c->subject : "");
	stmt_text(&s, 3, c->author_name ? c->author_name : "");
	stmt_text(&s, 4, c->author_email ? c->author_email : "");
	stmt_int(&s, 5, c->date);
	return stmt_run(&s, err);
}

int db_commit_put(struct db *db, const struct db_commit *c, struct err *err)
{
	int64_t row = 0;

	if (check_id(c->id, "commit", err) < 0)
		return -1;
	for (size_t i = 0; i < strv_len(c->parents); i++)
		if (check_id(c->parents[i], "parent", err) < 0)
			return -1;
	/* A savepoint, because the caller may or may not be in a transaction. */
	if (stmt_exec(db, "SAVEPOINT commit_put", err) < 0)
		return -1;
	if (put_row(db, c, err) < 0 || db_commit_row(db, c->id, &row, err) < 0 ||
	    put_parents(db, row, c->parents, err) < 0) {
		struct err ignored = ERR_INIT;
		stmt_exec(db, "ROLLBACK TO commit_put; RELEASE commit_put", &ignored);
		return -1;
	}
	return stmt_exec(db, "RELEASE commit_put", err);
}

static int load_parents(struct db *db, int64_t row, char ***ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	_cleanup_strv_ char **parents = NULL;
	int got;

	if (stmt_open(db, "SELECT parent FROM commit_parents WHERE commit_id = ?1 ORDER BY nr", &s,
		      err) < 0)
		return -1;
	stmt_int(&s, 1, row);
	while ((got = stmt_step(&s, err)) > 0)
		strv_add(&parents, stmt_col_text(&s, 0));
	if (got < 0)
		return -1;
	*ret = parents;
	parents = NULL;
	return 0;
}

/* The rows that match, as lines for a message; *ret_n counts them up to LIST_MAX + 1. */
static int match(struct db *db, const char *prefix, struct str *lines, int64_t *ret_row,
		 size_t *ret_n, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	size_t n = 0;
	int got = 1;

	if (stmt_open(db,
		      "SELECT id, hash, subject FROM commits WHERE hash >= ?1 AND hash < ?1 || 'g' "
		      "ORDER BY hash LIMIT ?2",
		      &s, err) < 0)
		return -1;
	stmt_text(&s, 1, prefix);
	stmt_int(&s, 2, LIST_MAX + 1);
	for (; (got = stmt_step(&s, err)) > 0; n++) {
		const char *subject = stmt_col_text(&s, 2);
		*ret_row = stmt_col_int(&s, 0);
		if (n == LIST_MAX) {
			str_add(lines, "\n  ...");
			continue;
		}
		str_addf(lines, "\n  %s ", stmt_col_text(&s, 1));
		str_add_safe(lines, subject, strnlen(subject, 72));
	}
	*ret_n = n;
	return got;
}

static int load(struct db *db, int64_t row, struct db_commit *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	struct db_commit c = {.id = ""};

	if (stmt_open(db,
		      "SELECT hash, subject, author_name, author_email, date FROM commits "
		      "WHERE id = ?1",
		      &s, err) < 0)
		return -1;
	stmt_int(&s, 1, row);
	if (stmt_step(&s, err) < 0 || load_parents(db, row, &c.parents, err) < 0)
		return -1;
	snprintf(c.id, sizeof(c.id), "%s", stmt_col_text(&s, 0));
	c.subject = stmt_col_dup(&s, 1);
	c.author_name = stmt_col_dup(&s, 2);
	c.author_email = stmt_col_dup(&s, 3);
	c.date = stmt_col_int(&s, 4);
	*ret = c;
	return 0;
}

/* Lower-case hex of the prefix, or a USER error. */
static int clean_prefix(const char *prefix, char ret[DB_HEX_LEN + 1], struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT;
	size_t n = strlen(prefix);
	bool hex = strspn(prefix, "0123456789abcdefABCDEF") == n;

	str_add_safe(&shown, prefix, strnlen(prefix, 80));
	if (!hex || n < PREFIX_MIN || n > DB_HEX_LEN)
		return err_set(err, ERR_USER,
			       "\"%s\" is not %d to %d digits of hex, as a commit's id needs",
			       shown.buf, PREFIX_MIN, DB_HEX_LEN);
	for (size_t i = 0; i <= n; i++)
		ret[i] =
			prefix[i] >= 'A' && prefix[i] <= 'F' ? (char)(prefix[i] | 0x20) : prefix[i];
	return 0;
}

int db_commit_find(struct db *db, const char *prefix, struct db_commit *ret, struct err *err)
{
	_cleanup_str_ struct str lines = STR_INIT;
	char clean[DB_HEX_LEN + 1];
	int64_t row = 0;
	size_t n = 0;

	if (clean_prefix(prefix, clean, err) < 0 || match(db, clean, &lines, &row, &n, err) < 0)
		return -1;
	if (n == 0)
		return err_set(err, ERR_USER, "no commit %s in %s", clean, db->path);
	if (n > 1)
		return err_set_cause(err, ERR_USER, "ambiguous",
				     "%s fits more than one commit; give more digits:%s", clean,
				     lines.buf);
	return load(db, row, ret, err);
}

int db_commit_list(struct db *db, char ***ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	_cleanup_strv_ char **ids = xcalloc(1, sizeof(*ids));
	int got;

	if (stmt_open(db,
		      "SELECT hash FROM commits c WHERE EXISTS "
		      "(SELECT 1 FROM boots b WHERE b.commit_id = c.id) ORDER BY date, hash",
		      &s, err) < 0)
		return -1;
	while ((got = stmt_step(&s, err)) > 0)
		strv_add(&ids, stmt_col_text(&s, 0));
	if (got < 0)
		return -1;
	*ret = ids;
	ids = NULL;
	return 0;
}
