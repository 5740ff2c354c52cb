/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/query.h"

#include "db/pack.h"
#include "db/stmt.h"
#include "harness/util/mem.h"

#define VALUES_MAX 10000000 /* in one run and metric */

/* The filter's terms on boots b and machines m; parameters 2 to 4. */
#define FILTER_BOOT                                                           \
	" AND (?2 IS NULL OR m.name = ?2) AND (?3 IS NULL OR b.kconfig = ?3)" \
	" AND (?4 IS NULL OR b.toolbox_id = ?4)"
#define OF_COMMIT " WHERE b.commit_id = (SELECT id FROM commits WHERE hash = ?1)"

static int open_query(struct db *db, const char *text, const char *commit,
		      const struct db_filter *f, struct stmt *ret, struct err *err)
{
	if (stmt_open(db, text, ret, err) < 0)
		return -1;
	stmt_text(ret, 1, commit);
	stmt_text(ret, 2, f ? f->machine : NULL);
	stmt_text(ret, 3, f ? f->kconfig : NULL);
	stmt_text(ret, 4, f ? f->toolbox_id : NULL);
	stmt_text(ret, 5, f ? f->case_glob : NULL);
	return 0;
}

static void sample_done(struct db_sample *s)
{
	char *const texts[] = {s->boot,	       s->machine,    s->test_case, s->metric,
			       s->kconfig,     s->toolbox_id, s->image_id,  s->accel,
			       s->clocksource, s->purpose};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(texts[i]);
	free(s->values);
}

static int read_sample(const struct stmt *s, struct db_sample *ret, struct err *err)
{
	char **const texts[] = {&ret->boot,	   &ret->machine,    &ret->test_case, &ret->metric,
				&ret->kconfig,	   &ret->toolbox_id, &ret->image_id,  &ret->accel,
				&ret->clocksource, &ret->purpose};
	int64_t n = stmt_col_int(s, 13);
	size_t size;
	const void *data = stmt_col_blob(s, 14, &size);

	ret->boot_id = stmt_col_int(s, 0);
	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		*texts[i] = stmt_col_dup(s, 1 + i);
	ret->block = stmt_col_int(s, 11);
	ret->started = stmt_col_int(s, 12);
	if (n < 1 || n > VALUES_MAX)
		return err_set(err, ERR_USER, "%s: a row of samples is damaged", db_path(s->db));
	ret->n = (size_t)n;
	ret->values = xcalloc(ret->n, sizeof(*ret->values));
	return pack_read(data, size, ret->n, ret->values, err);
}

int db_samples(struct db *db, const char *commit, const struct db_filter *filter,
	       struct db_sample **ret, size_t *ret_n, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	struct db_sample *all = NULL;
	size_t n = 0, cap = 0;
	int got;

	if (open_query(db,
		       "SELECT b.id, b.boot, m.name, c.name, t.name, b.kconfig, b.toolbox_id, "
		       "b.image_id, b.accel, b.clocksource, b.purpose, r.block, b.started, s.n, "
		       "s.data FROM boots b JOIN machines m ON m.id = b.machine_id "
		       "JOIN runs r ON r.boot_id = b.id JOIN cases c ON c.id = r.case_id "
		       "JOIN samples s ON s.run_id = r.id JOIN metrics t ON t.id = "
		       "s.metric_id" OF_COMMIT FILTER_BOOT
		       " AND (?5 IS NULL OR c.name GLOB ?5) AND (?6 IS NULL OR t.name GLOB ?6)"
		       " AND r.status = 'ok' ORDER BY m.name, c.name, t.name, b.id",
		       commit, filter, &s, err) < 0)
		return -1;
	stmt_text(&s, 6, filter ? filter->metric_glob : NULL);
	while ((got = stmt_step(&s, err)) > 0) {
		mem_grow(&all, &cap, n + 1, sizeof(*all));
		all[n] = (struct db_sample){.n = 0};
		if (read_sample(&s, &all[n++], err) < 0) {
			got = -1;
			break;
		}
	}
	if (got < 0) {
		db_samples_free(all, n);
		return -1;
	}
	*ret = all;
	*ret_n = n;
	return 0;
}

void db_samples_free(struct db_sample *samples, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sample_done(&samples[i]);
	free(samples);
}

int db_outcomes(struct db *db, const char *commit, const struct db_filter *filter,
		struct db_outcome **ret, size_t *ret_n, struct err *err)
{
	_cleanup_stmt_ struct stmt s = STMT_INIT;
	struct db_outcome *all = NULL;
	size_t n = 0, cap = 0;
	int got;

	if (open_query(db,
		       "SELECT b.id AS id, b.boot, m.name, '' AS test_case, b.kconfig, b.status, "
		       "b.detail, 0, b.toolbox_id, b.accel, b.purpose FROM boots b "
		       "JOIN machines m ON m.id = b.machine_id" OF_COMMIT FILTER_BOOT " UNION ALL "
		       "SELECT b.id, b.boot, m.name, c.name, b.kconfig, r.status, r.detail, "
		       "r.block, b.toolbox_id, b.accel, b.purpose FROM boots b "
		       "JOIN machines m ON m.id = b.machine_id "
		       "JOIN runs r ON r.boot_id = b.id JOIN cases c ON c.id = "
		       "r.case_id" OF_COMMIT FILTER_BOOT " AND (?5 IS NULL OR c.name GLOB ?5)"
		       " ORDER BY id, test_case",
		       commit, filter, &s, err) < 0)
		return -1;
	while ((got = stmt_step(&s, err)) > 0) {
		mem_grow(&all, &cap, n + 1, sizeof(*all));
		all[n++] = (struct db_outcome){
			.boot_id = stmt_col_int(&s, 0),
			.boot = stmt_col_dup(&s, 1),
			.machine = stmt_col_dup(&s, 2),
			.test_case = stmt_col_dup(&s, 3),
			.kconfig = stmt_col_dup(&s, 4),
			.status = stmt_col_dup(&s, 5),
			.detail = stmt_col_dup(&s, 6),
			.block = stmt_col_int(&s, 7),
			.toolbox_id = stmt_col_dup(&s, 8),
			.accel = stmt_col_dup(&s, 9),
			.purpose = stmt_col_dup(&s, 10),
		};
	}
	if (got < 0) {
		db_outcomes_free(all, n);
		return -1;
	}
	*ret = all;
	*ret_n = n;
	return 0;
}

void db_outcomes_free(struct db_outcome *outcomes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(outcomes[i].boot);
		free(outcomes[i].machine);
		free(outcomes[i].test_case);
		free(outcomes[i].kconfig);
		free(outcomes[i].status);
		free(outcomes[i].detail);
		free(outcomes[i].toolbox_id);
		free(outcomes[i].accel);
		free(outcomes[i].purpose);
	}
	free(outcomes);
}
