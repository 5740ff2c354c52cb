/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/judge/fails.h"

#include <math.h>

#include "harness/stats/failures.h"
#include "harness/util/mem.h"

#define RUNS_MAX 1000000 /* what the e-value takes */

/* Rows under way; a row's runs are those of its machine, and of its case when it has one. */
struct fails {
	struct report_failure *rows;
	const char **cases; /* "" for boots */
	size_t n, cap, cap_cases;
};

static bool of_boot(const struct db_outcome *o)
{
	return !*o->test_case;
}

/* Is it a result at all? A run that its boot took along is counted with the boot. */
static bool counts(const struct db_outcome *o)
{
	if (of_boot(o))
		return !streq(o->status, "infra-failed");
	return streq(o->status, "ok") || streq(o->status, "bench-failed");
}

static char *what_failed(const struct db_outcome *o)
{
	if (of_boot(o))
		return streq(o->status, "build-failed") ? xstrdup(o->status)
							: xasprintf("boot %s", o->status);
	return xasprintf("%s %s", o->test_case, o->status);
}

static struct report_failure *find_row(struct fails *f, const struct db_outcome *o)
{
	_cleanup_free_ char *what = what_failed(o);

	for (size_t i = 0; i < f->n; i++)
		if (streq(f->rows[i].machine, o->machine) && streq(f->rows[i].what, what))
			return &f->rows[i];
	mem_grow(&f->rows, &f->cap, f->n + 1, sizeof(*f->rows));
	mem_grow(&f->cases, &f->cap_cases, f->n + 1, sizeof(*f->cases));
	f->cases[f->n] = o->test_case;
	f->rows[f->n] =
		(struct report_failure){.machine = xstrdup(o->machine), .what = xstrdup(what)};
	return &f->rows[f->n++];
}

static void count_failed(struct fails *f, const struct side *s, bool head)
{
	for (size_t i = 0; i < s->n_outcomes; i++) {
		const struct db_outcome *o = s->outcomes[i];
		if (!counts(o) || streq(o->status, "ok"))
			continue;
		struct report_failure *row = find_row(f, o);
		*(head ? &row->head_failed : &row->base_failed) += 1;
	}
}

static void count_runs(struct fails *f, const struct side *s, bool head)
{
	for (size_t i = 0; i < s->n_outcomes; i++) {
		const struct db_outcome *o = s->outcomes[i];
		for (size_t k = 0; k < f->n && counts(o); k++)
			if (streq(f->rows[k].machine, o->machine) &&
			    streq(f->cases[k], o->test_case))
				*(head ? &f->rows[k].head_runs : &f->rows[k].base_runs) += 1;
	}
}

static int is_worse(const struct report_failure *f, double alpha, bool *ret, struct err *err)
{
	const struct stats_fails base = {(int)f->base_failed, (int)f->base_runs};
	const struct stats_fails head = {(int)f->head_failed, (int)f->head_runs};
	double log_e;
	int status;

	*ret = false;
	if (!f->base_runs || !f->head_runs || f->base_runs > RUNS_MAX || f->head_runs > RUNS_MAX ||
	    (double)f->head_failed / (double)f->head_runs <=
		    (double)f->base_failed / (double)f->base_runs)
		return 0;
	/* A base that fails, too, has no healthy rate: only the stricter question is fair. */
	status = f->base_failed ? stats_fails_log_e_any(base, head, &log_e, err)
				: stats_fails_log_e(base, head, &log_e, err);
	if (status == 0)
		*ret = log_e >= -log(alpha);
	return status;
}

int fails_compare(const struct sides *s, double alpha, struct report *report, bool *ret_worse,
		  struct err *err)
{
	struct fails f = {.n = 0};
	bool worse = false, one;
	int status = 0;

	count_failed(&f, &s->base, false);
	count_failed(&f, &s->head, true);
	count_runs(&f, &s->base, false);
	count_runs(&f, &s->head, true);
	free(f.cases);
	report->failures = f.rows;
	report->n_failures = f.n;
	for (size_t i = 0; i < f.n && status == 0; i++) {
		status = is_worse(&f.rows[i], alpha, &one, err);
		worse = worse || (status == 0 && one);
	}
	if (status == 0)
		*ret_worse = worse;
	return status;
}
