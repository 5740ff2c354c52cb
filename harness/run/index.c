/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/run/index.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "db/boots.h"
#include "db/commits.h"
#include "db/findings.h"
#include "db/runs.h"
#include "harness/bench/bench.h"
#include "harness/monitor/monitor.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define JSON_CAP   (1 << 20)
#define OUTPUT_CAP (1 << 20)
#define RUNS_MAX   1000
#define ITERS_MAX  1000

/* A folder that is being indexed. */
struct index {
	struct db *db;
	int dirfd;
	json_t *boot;  /* boot.json */
	json_t *facts; /* facts.json, or an empty object */
	json_t *job;   /* job.json */
	int64_t boot_id;
	struct index_counts counts;
};

/* The values of one metric over a run's iterations. */
struct series {
	char *name;
	double *values;
	size_t n, cap;
};

struct series_set {
	struct series *v;
	size_t n, cap;
};

static void series_done(struct series_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		free(set->v[i].name);
		free(set->v[i].values);
	}
	free(set->v);
	memset(set, 0, sizeof(*set));
}

static void series_add(struct series_set *set, const struct metric_value *value)
{
	size_t i = 0;
	while (i < set->n && !streq(set->v[i].name, value->name))
		i++;
	if (i == set->n) {
		mem_grow(&set->v, &set->cap, set->n + 1, sizeof(*set->v));
		set->v[set->n++] = (struct series){.name = xstrdup(value->name)};
	}
	struct series *s = &set->v[i];
	mem_grow(&s->values, &s->cap, s->n + 1, sizeof(*s->values));
	s->values[s->n++] = value->value;
}

static int load(const struct index *ix, const char *path, json_t **ret, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	if (fs_read_beneath(ix->dirfd, path, JSON_CAP, &text, err) < 0)
		return -1;
	return json_load(path, text.buf, text.len, ret, err);
}

static const char *text_of(const json_t *obj, const char *key)
{
	const char *text = json_string_value(json_object_get(obj, key));
	return text ? text : "";
}

static int put_commit(struct index *ix, struct err *err)
{
	const json_t *c = json_object_get(ix->boot, "commit");
	const json_t *author = json_object_get(c, "author");
	struct db_commit row = {
		.subject = (char *)text_of(c, "subject"),
		.author_name = (char *)text_of(author, "name"),
		.author_email = (char *)text_of(author, "email"),
		.date = json_integer_value(json_object_get(c, "date")),
	};
	_cleanup_strv_ char **parents = NULL;
	size_t i;
	json_t *parent;
	snprintf(row.id, sizeof(row.id), "%s", text_of(c, "id"));
	json_array_foreach(json_object_get(c, "parents"), i, parent)
		strv_add(&parents, json_string_value(parent) ? json_string_value(parent) : "");
	row.parents = parents;
	return db_commit_put(ix->db, &row, err);
}

static int put_boot(struct index *ix, const char *folder, bool *ret_new, struct err *err)
{
	_cleanup_free_ char *facts = json_dumps(ix->facts, JSON_COMPACT);
	struct db_boot row = {
		.boot = text_of(ix->boot, "boot"),
		.machine = text_of(ix->boot, "machine"),
		.kconfig = text_of(ix->boot, "kconfig"),
		.image_id = text_of(ix->boot, "image_id"),
		.toolbox_id = text_of(ix->boot, "toolbox_id"),
		.accel = text_of(ix->boot, "accel"),
		.clocksource = text_of(ix->facts, "clocksource"),
		.status = text_of(ix->boot, "status"),
		.kind = text_of(ix->boot, "kind"),
		.detail = text_of(ix->boot, "detail"),
		.folder = folder,
		.purpose = text_of(ix->boot, "purpose"),
		.seed = (uint64_t)json_integer_value(json_object_get(ix->boot, "seed")),
		.started = json_integer_value(json_object_get(ix->boot, "started")),
		.seconds = json_number_value(json_object_get(ix->boot, "seconds")),
		.facts = facts,
	};
	snprintf(row.commit, sizeof(row.commit), "%s",
		 text_of(json_object_get(ix->boot, "commit"), "id"));
	return db_boot_put(ix->db, &row, &ix->boot_id, ret_new, err);
}

static int parse_output(const struct index *ix, const char *path, const struct bench_case *c,
			struct metric_set *set, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	if (fs_read_beneath(ix->dirfd, path, OUTPUT_CAP, &text, err) < 0)
		return -1;
	return c->bench->parse(text.buf, text.len, c, set, err);
}

/* What the monitors of this run wrote for the iteration; a monitor without output is no fault. */
static int parse_monitors(const struct index *ix, const json_t *order, const char *stem,
			  struct metric_set *set, char ***absent, struct err *err)
{
	size_t i;
	json_t *name;
	json_array_foreach(json_object_get(order, "monitors"), i, name)
	{
		const struct monitor *m = monitor_find(json_string_value(name));
		if (!m)
			continue;
		_cleanup_free_ char *path = xasprintf("%s.%s", stem, m->suffix);
		_cleanup_str_ struct str text = STR_INIT;
		struct err missing = ERR_INIT;
		if (fs_read_beneath(ix->dirfd, path, OUTPUT_CAP, &text, &missing) < 0)
			continue;
		if (m->parse(text.buf, text.len, set, absent, err) < 0)
			return err_wrap(err, "%s", path);
	}
	return 0;
}

static int read_iterations(const struct index *ix, size_t run, const json_t *order,
			   const struct bench_case *c, size_t iterations, struct series_set *ret,
			   struct str *ret_absent, struct err *err)
{
	for (size_t k = 0; k < iterations; k++) {
		_cleanup_(metric_set_done) struct metric_set set = {0};
		_cleanup_strv_ char **absent = NULL;
		_cleanup_free_ char *stem = xasprintf("result/runs/%zu/%zu", run, k);
		_cleanup_free_ char *out = xasprintf("%s.out", stem);
		if (parse_output(ix, out, c, &set, err) < 0)
			return err_wrap(err, "%s", out);
		if (parse_monitors(ix, order, stem, &set, &absent, err) < 0)
			return -1;
		for (size_t i = 0; i < set.n; i++)
			series_add(ret, &set.values[i]);
		for (size_t i = 0; k == 0 && absent && absent[i]; i++)
			str_addf(ret_absent, "%s%s", ret_absent->len ? "; " : "", absent[i]);
	}
	return 0;
}

static int put_run(struct index *ix, const char *name, const char *status, const char *detail,
		   const struct series_set *series, struct err *err)
{
	int64_t run_id;
	struct db_run row = {
		.boot_id = ix->boot_id,
		.test_case = name,
		.block = json_integer_value(json_object_get(ix->boot, "block")),
		.status = status,
		.detail = detail,
	};
	if (db_run_put(ix->db, &row, &run_id, err) < 0)
		return -1;
	for (size_t i = 0; series && i < series->n; i++) {
		if (db_samples_put(ix->db, run_id, series->v[i].name, series->v[i].values,
				   series->v[i].n, err) < 0)
			return err_wrap(err, "metric %s", series->v[i].name);
		ix->counts.samples += series->v[i].n;
	}
	ix->counts.runs++;
	ix->counts.failed += !streq(status, "ok");
	return 0;
}

/* What of the setup this machine could not give, into the run's detail. True when the case's name
 * promises it: pinned tasks that were not pinned are another case. */
static bool setup_broken(const json_t *answer, const char *name, struct str *detail)
{
	const json_t *missing = json_object_get(answer, "setup_missing"), *item;
	bool broken = false;
	size_t i;

	json_array_foreach(missing, i, item)
	{
		const char *word = json_string_value(item) ? json_string_value(item) : "";
		str_addf(detail, "%s%.100s", i ? ", " : "this machine could not set ", word);
		broken |= streq(word, "taskset") && strstr(name, "+taskset=");
	}
	return broken;
}

static int index_run(struct index *ix, size_t run, const json_t *order, struct err *err)
{
	_cleanup_json_ json_t *answer = NULL;
	_cleanup_(bench_case_done) struct bench_case c = {0};
	_cleanup_(series_done) struct series_set series = {0};
	_cleanup_str_ struct str absent = STR_INIT;
	_cleanup_free_ char *path = xasprintf("result/runs/%zu/run.json", run);
	const char *name = text_of(order, "case");
	struct err bad = ERR_INIT;

	if (load(ix, path, &answer, &bad) < 0 || bench_case_parse(name, &c, &bad) < 0)
		return put_run(ix, name, "bench-failed", bad.msg, NULL, err);
	if (!streq(text_of(answer, "case"), name) || !streq(text_of(answer, "status"), "ok"))
		return put_run(ix, name, "bench-failed", text_of(answer, "detail"), NULL, err);
	if (setup_broken(answer, name, &absent))
		return put_run(ix, name, "bench-failed", absent.buf, NULL, err);
	size_t n = json_array_size(json_object_get(answer, "iterations"));
	if (n == 0 || n > ITERS_MAX)
		return put_run(ix, name, "bench-failed", "no iterations", NULL, err);
	if (read_iterations(ix, run, order, &c, n, &series, &absent, &bad) < 0)
		return put_run(ix, name, "bench-failed", bad.msg, NULL, err);
	return put_run(ix, name, "ok", absent.buf, &series, err);
}

static int index_rows(struct index *ix, const char *folder, struct err *err)
{
	bool is_new;
	size_t i;
	json_t *order;
	const json_t *runs = json_object_get(ix->job, "runs");
	if (put_commit(ix, err) < 0 || put_boot(ix, folder, &is_new, err) < 0)
		return -1;
	if (is_new && db_findings_put(ix->db, ix->boot_id, json_object_get(ix->boot, "findings"),
				      "boot.json: findings", err) < 0)
		return -1;
	if (!is_new || !streq(text_of(ix->boot, "status"), "ok"))
		return 0;
	if (json_array_size(runs) > RUNS_MAX)
		return err_set(err, ERR_INFRA, "%s/job.json: over %d runs", folder, RUNS_MAX);
	json_array_foreach(runs, i, order) if (index_run(ix, i, order, err) < 0) return -1;
	return 0;
}

static int load_all(struct index *ix, struct err *err)
{
	struct err missing = ERR_INIT;
	if (load(ix, "boot.json", &ix->boot, err) < 0 || load(ix, "job.json", &ix->job, err) < 0)
		return -1;
	if (load(ix, "result/facts.json", &ix->facts, &missing) < 0)
		ix->facts = json_object();
	if (!streq(text_of(ix->boot, "format"), "lkp-boot/1"))
		return err_set(err, ERR_INFRA, "boot.json: format is not lkp-boot/1");
	return 0;
}

int index_boot(struct db *db, const char *folder, struct index_counts *ret, struct err *err)
{
	_cleanup_close_ int dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_json_ json_t *boot = NULL, *facts = NULL, *job = NULL;
	struct index ix = {.db = db, .dirfd = dirfd};
	int status;
	if (dirfd < 0)
		return err_errno(err, "%s", folder);
	status = load_all(&ix, err);
	boot = ix.boot;
	facts = ix.facts;
	job = ix.job;
	if (status < 0)
		return err_wrap(err, "%s", folder);
	if (db_begin(db, err) < 0)
		return -1;
	if (index_rows(&ix, folder, err) < 0 || db_commit(db, err) < 0) {
		db_rollback(db);
		return err_wrap(err, "cannot index %s", folder);
	}
	*ret = ix.counts;
	return 0;
}
