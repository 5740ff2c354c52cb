/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/bench/bench.h"

#include "harness/bench/name.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define CASES_MAX 1000

static int wrap_mark(struct err *err, const struct config_mark *mark)
{
	return err_wrap(err, "%s:%d:%d", mark->file, mark->line, mark->column);
}

/* "no suite "x"; did you mean "y"?" with the names there are. */
static int unknown(const char *what, const char *name, const char *const *names,
		   const struct config_mark *mark, struct err *err)
{
	const char *near = str_nearest(name, names);
	_cleanup_str_ struct str shown = STR_INIT;
	_cleanup_str_ struct str list = STR_INIT;

	str_add_safe(&shown, name, strnlen(name, 80));
	for (; names && *names; names++)
		str_addf(&list, "%s%s", list.len ? ", " : "", *names);
	err_set(err, ERR_USER, "unknown %s \"%s\"%s%s%s; there are: %s", what, shown.buf,
		near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", list.buf);
	return wrap_mark(err, mark);
}

static int find_suite(const struct job *job, const struct bench **ret, struct err *err)
{
	_cleanup_strv_ char **names = NULL;

	*ret = bench_find(job->suite);
	if (*ret)
		return 0;
	for (const struct bench *const *b = benches; *b; b++)
		strv_add(&names, (*b)->name);
	return unknown("suite", job->suite, (const char *const *)names, &job->suite_mark, err);
}

static const struct job_param *job_param(const struct job *job, const char *name)
{
	for (size_t i = 0; i < job->n_params; i++)
		if (streq(job->params[i].name, name))
			return &job->params[i];
	return NULL;
}

/* Every parameter of the job must be one of the suite's. */
static int check_params(const struct job *job, const struct bench *bench, struct err *err)
{
	_cleanup_strv_ char **names = NULL;

	for (const struct bench_param *p = bench->params; p->name; p++)
		strv_add(&names, p->name);
	for (size_t i = 0; i < job->n_params; i++) {
		const struct bench_param *p = bench->params;

		while (p->name && !streq(p->name, job->params[i].name))
			p++;
		if (!p->name)
			return unknown("parameter", job->params[i].name, (const char *const *)names,
				       &job->params[i].mark, err);
	}
	return 0;
}

/* The normal forms of the values of one parameter, without repetition. */
static int param_values(const struct job *job, const struct bench_param *param, char ***ret,
			struct err *err)
{
	const struct job_param *given = job_param(job, param->name);
	_cleanup_strv_ char **values = NULL;

	if (!given && !param->def) {
		err_set(err, ERR_USER, "the parameter \"%s\" must be given: %s", param->name,
			param->summary);
		return wrap_mark(err, &job->suite_mark);
	}
	if (!given)
		strv_add(&values, param->def);
	for (size_t i = 0; given && i < given->n_values; i++) {
		_cleanup_free_ char *value = NULL;

		if (bench_value(param, given->values[i].text, &value, err) < 0)
			return wrap_mark(err, &given->values[i].mark);
		for (size_t k = 0; values && values[k]; k++) {
			if (!streq(values[k], value))
				continue;
			err_set(err, ERR_USER, "%s: \"%s\" is given twice", param->name, value);
			return wrap_mark(err, &given->values[i].mark);
		}
		strv_add(&values, value);
	}
	if (!values) {
		err_set(err, ERR_USER, "%s: the list is empty", param->name);
		return wrap_mark(err, &given->mark);
	}
	*ret = values;
	values = NULL;
	return 0;
}

/* The lists of all parameters, and the number of their combinations. */
struct product {
	char **values[BENCH_PARAMS_MAX];
	size_t n;
};

static void product_done(struct product *p)
{
	for (size_t i = 0; i < BENCH_PARAMS_MAX; i++)
		strv_free(p->values[i]);
}

static int make_product(const struct job *job, const struct bench *bench, struct product *p,
			struct err *err)
{
	p->n = 1;
	for (size_t i = 0; bench->params[i].name; i++) {
		if (param_values(job, &bench->params[i], &p->values[i], err) < 0)
			return -1;
		p->n *= strv_len(p->values[i]);
		if (p->n <= CASES_MAX)
			continue;
		err_set(err, ERR_USER, "the job has more than %d cases: split it", CASES_MAX);
		return wrap_mark(err, &job->suite_mark);
	}
	return 0;
}

/* Case number `index` of the product: the last parameter varies fastest. */
static struct bench_case product_case(const struct product *p, const struct job *job,
				      const struct bench *bench, size_t index)
{
	struct bench_case c = {.bench = bench, .job = job};
	size_t n_params = 0;

	while (bench->params[n_params].name)
		n_params++;
	for (size_t i = n_params; i-- > 0;) {
		size_t n = strv_len(p->values[i]);

		/* param_values() gives at least one. */
		c.values[i] = xstrdup(p->values[i][index % n]); // NOLINT(clang-analyzer-*)
		index /= n;
	}
	c.name = bench_name_make(&c);
	return c;
}

int bench_expand(const struct job *job, struct bench_case **ret, size_t *ret_n, struct err *err)
{
	_cleanup_(product_done) struct product p = {0};
	const struct bench *bench;
	struct bench_case *cases;

	if (find_suite(job, &bench, err) < 0 || check_params(job, bench, err) < 0 ||
	    make_product(job, bench, &p, err) < 0)
		return -1;
	cases = xcalloc(p.n, sizeof(*cases));
	for (size_t i = 0; i < p.n; i++)
		cases[i] = product_case(&p, job, bench, i);
	*ret = cases;
	*ret_n = p.n;
	return 0;
}
