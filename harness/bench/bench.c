/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/bench/suites.h"

#include <ctype.h>

#include "harness/util/mem.h"
#include "harness/util/str.h"
#include "harness/util/units.h"

#define TASKS_MAX   1000000
#define PERCENT_MAX 10000
#define COUNT_MAX   1000000000

const struct bench *const benches[] = {
	&bench_will_it_scale,
	&bench_hackbench,
	&bench_pipe_test,
	NULL,
};

const char *const bench_modes[] = {"process", "thread", NULL};

const struct bench *bench_find(const char *name)
{
	for (const struct bench *const *b = benches; *b; b++)
		if (streq((*b)->name, name))
			return *b;
	return NULL;
}

const char *bench_case_param(const struct bench_case *c, const char *param)
{
	for (size_t i = 0; c->bench->params[i].name; i++)
		if (streq(c->bench->params[i].name, param))
			return c->values[i];
	return NULL;
}

void bench_case_done(struct bench_case *c)
{
	free(c->name);
	for (size_t i = 0; i < BENCH_PARAMS_MAX; i++)
		free(c->values[i]);
	*c = (struct bench_case){0};
}

void bench_cases_free(struct bench_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bench_case_done(&cases[i]);
	free(cases);
}

/* Splits "50%" into 50 and true. */
static int parse_tasks(const char *text, int64_t *ret, bool *ret_percent, struct err *err)
{
	size_t n = strlen(text);
	bool percent = n > 0 && text[n - 1] == '%';
	_cleanup_free_ char *digits = xstrndup(text, percent ? n - 1 : n);
	int64_t value;

	if (!isdigit((unsigned char)digits[0]) ||
	    units_parse_int(digits, 1, percent ? PERCENT_MAX : TASKS_MAX, &value, NULL) < 0)
		return err_set(err, ERR_USER,
			       "expected a number of tasks (4) or a share of the CPUs (50%%)");
	*ret = value;
	*ret_percent = percent;
	return 0;
}

int bench_tasks(const char *text, int cpus, int *ret, struct err *err)
{
	int64_t value, tasks;
	bool percent;

	if (parse_tasks(text, &value, &percent, err) < 0)
		return -1;
	tasks = percent ? (cpus * value + 50) / 100 : value;
	*ret = (int)(tasks < 1 ? 1 : tasks);
	return 0;
}

int bench_check_tasks(const char *text, char **ret, struct err *err)
{
	int64_t value;
	bool percent;

	if (parse_tasks(text, &value, &percent, err) < 0)
		return -1;
	*ret = xasprintf("%lld%s", (long long)value, percent ? "%" : "");
	return 0;
}

int bench_check_count(const char *text, char **ret, struct err *err)
{
	int64_t value;

	if (!isdigit((unsigned char)text[0]) ||
	    units_parse_int(text, 1, COUNT_MAX, &value, NULL) < 0)
		return err_set(err, ERR_USER, "expected a number of 1 to %d", COUNT_MAX);
	*ret = xasprintf("%lld", (long long)value);
	return 0;
}

int64_t bench_case_count(const struct bench_case *c, const char *param)
{
	int64_t value = 1;

	units_parse_int(bench_case_param(c, param), 1, COUNT_MAX, &value, NULL);
	return value;
}

bool bench_case_is(const struct bench_case *c, const char *param, const char *word)
{
	return c && streq(bench_case_param(c, param), word);
}

int64_t bench_share(int64_t total, int64_t tasks)
{
	return total / tasks < 1 ? 1 : total / tasks;
}
