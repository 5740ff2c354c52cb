/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/usage.h"

#include "db/stmt.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

/* Every table; names cannot be bound, so each has its own text. */
#define TABLE(name)                                  \
	{                                            \
#name, "SELECT count(*) FROM " #name \
	}
static const struct {
	const char *name, *count;
} tables[] = {
	TABLE(machines), TABLE(cases), TABLE(metrics),	     TABLE(commits), TABLE(commit_parents),
	TABLE(kernels),	 TABLE(boots), TABLE(boot_findings), TABLE(runs),    TABLE(samples),
	TABLE(reports),	 TABLE(mails), TABLE(journal_state),
};

static int one(struct db *db, const char *text, const char *arg, int64_t *ret, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;

	if (stmt_open(db, text, &s, err) < 0)
		return -1;
	if (arg)
		stmt_text(&s, 1, arg);
	return stmt_one_int(&s, ret, NULL, err);
}

static int count_tables(struct db *db, struct usage *u, struct err *err)
{
	struct err none = ERR_INIT;

	u->tables = xcalloc(ARRAY_SIZE(tables), sizeof(*u->tables));
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct usage_table *t = &u->tables[u->n_tables++];
		t->name = xstrdup(tables[i].name);
		if (one(db, tables[i].count, NULL, &t->rows, err) < 0)
			return -1;
		if (one(db,
			"SELECT ifnull(sum(d.pgsize), 0) FROM dbstat d JOIN sqlite_master s "
			"ON s.name = d.name WHERE s.tbl_name = ?1",
			t->name, &t->bytes, &none) < 0)
			t->bytes = -1;
		if (streq(t->name, "samples"))
			u->sample_bytes = t->bytes;
	}
	return 0;
}

static int count_statuses(struct db *db, struct usage *u, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	size_t cap = 0;
	int got;

	if (stmt_open(db,
		      "SELECT status, count(*) FROM boots GROUP BY status ORDER BY count(*) DESC, "
		      "status",
		      &s, err) < 0)
		return -1;
	while ((got = stmt_step(&s, err)) > 0) {
		mem_grow(&u->statuses, &cap, u->n_statuses + 1, sizeof(*u->statuses));
		u->statuses[u->n_statuses++] =
			(struct usage_status){stmt_col_dup(&s, 0), stmt_col_int(&s, 1)};
	}
	return got;
}

int db_usage(struct db *db, struct usage *ret, struct err *err)
{
	struct usage u = {.sample_bytes = -1};
	int64_t page = 0, pages = 0, free_pages = 0;

	if (count_tables(db, &u, err) < 0 || count_statuses(db, &u, err) < 0 ||
	    one(db, "PRAGMA page_size", NULL, &page, err) < 0 ||
	    one(db, "PRAGMA page_count", NULL, &pages, err) < 0 ||
	    one(db, "PRAGMA freelist_count", NULL, &free_pages, err) < 0 ||
	    one(db, "SELECT ifnull(sum(n), 0) FROM samples", NULL, &u.values, err) < 0 ||
	    one(db, "SELECT ifnull(min(started), 0) FROM boots WHERE started > 0", NULL, &u.oldest,
		err) < 0 ||
	    one(db, "SELECT ifnull(max(started), 0) FROM boots", NULL, &u.newest, err) < 0) {
		usage_done(&u);
		return -1;
	}
	u.bytes = page * pages;
	u.free_bytes = page * free_pages;
	*ret = u;
	return 0;
}

void usage_done(struct usage *u)
{
	for (size_t i = 0; i < u->n_tables; i++)
		free(u->tables[i].name);
	for (size_t i = 0; i < u->n_statuses; i++)
		free(u->statuses[i].status);
	free(u->tables);
	free(u->statuses);
	*u = (struct usage){.bytes = 0};
}
