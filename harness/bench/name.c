/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/bench/name.h"

#include "harness/util/mem.h"
#include "harness/util/str.h"

#define NAME_CAP   1000
#define SETUP_MARK '+' /* between a case and how it is set up */

static int wrong_choice(const struct bench_param *param, const char *text, struct err *err)
{
	const char *near = str_nearest(text, param->choices);
	_cleanup_str_ struct str list = STR_INIT;
	_cleanup_str_ struct str shown = STR_INIT;

	str_add_safe(&shown, text, strnlen(text, 80));
	for (const char *const *word = param->choices; *word; word++)
		str_addf(&list, "%s%s", list.len ? ", " : "", *word);
	return err_set(err, ERR_USER, "%s: \"%s\" is none of %s%s%s%s", param->name, shown.buf,
		       list.buf, near ? "; did you mean \"" : "", near ? near : "",
		       near ? "\"?" : "");
}

int bench_value(const struct bench_param *param, const char *text, char **ret, struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT;

	if (param->check) {
		if (param->check(text, ret, err) == 0)
			return 0;
		str_add_safe(&shown, text, strnlen(text, 80));
		return err_wrap(err, "%s: \"%s\"", param->name, shown.buf);
	}
	for (const char *const *word = param->choices; *word; word++) {
		if (streq(*word, text)) {
			*ret = xstrdup(text);
			return 0;
		}
	}
	return wrong_choice(param, text, err);
}

/* "+taskset=0": a run that is set up differently is another test, with another history. */
static void add_setup(struct str *name, const struct job *job)
{
	_cleanup_str_ struct str lines = STR_INIT;

	if (!job)
		return;
	job_setup_add(&lines, &job->setup);
	for (char *line = lines.buf, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		size_t key = strcspn(line, ":");
		_cleanup_str_ struct str value = STR_INIT;

		str_add_safe(&value, line + key + 2, (size_t)(end - line) - key - 2);
		for (char *blank = value.buf; (blank = strchr(blank, ' '));)
			*blank = ',';
		str_addf(name, "%c%.*s=%s", SETUP_MARK, (int)key, line, value.buf);
		end += *end == '\n';
	}
}

/* perf runs around every iteration and takes its time: without it, or with more, it is another
 * test. */
static void add_monitors(struct str *name, const struct job *job)
{
	char *const *m = job ? job->monitors : NULL;

	if (!m || (m[0] && streq(m[0], "perf-stat") && !m[1]))
		return;
	str_addf(name, "%cmonitors=%s", SETUP_MARK, m[0] ? m[0] : "none");
	for (size_t i = 1; m[0] && m[i]; i++)
		str_addf(name, ",%s", m[i]);
}

char *bench_name_make(const struct bench_case *c)
{
	struct str name = STR_INIT;

	str_add(&name, c->bench->name);
	for (size_t i = 0; c->bench->params[i].name; i++) {
		const struct bench_param *param = &c->bench->params[i];

		if (!param->late)
			str_addf(&name, "/%s", c->values[i]);
		else if (!streq(c->values[i], param->def))
			str_addf(&name, "/%s=%s", param->name, c->values[i]);
	}
	add_setup(&name, c->job);
	add_monitors(&name, c->job);
	return str_detach(&name);
}

/* The next "/part" of the name, or NULL at its end. */
static char *next_part(char **rest)
{
	return *rest ? strsep(rest, "/") : NULL;
}

/* The value of a late parameter when `part` is "name=value" of it, else NULL. */
static const char *late_value(const struct bench_param *param, const char *part)
{
	size_t n = strlen(param->name);

	return part && strncmp(part, param->name, n) == 0 && part[n] == '=' ? part + n + 1 : NULL;
}

static int parse_values(struct bench_case *c, char *rest, struct err *err)
{
	char *part = next_part(&rest);

	for (size_t i = 0; c->bench->params[i].name; i++) {
		const struct bench_param *param = &c->bench->params[i];
		const char *text = param->late ? late_value(param, part) : part;

		if (!text && !param->late)
			return err_set(err, ERR_USER, "the value of \"%s\" is missing",
				       param->name);
		if (bench_value(param, text ? text : param->def, &c->values[i], err) < 0)
			return -1;
		if (text)
			part = next_part(&rest);
	}
	if (part)
		return err_set(err, ERR_USER, "%s has no more parameters", c->bench->name);
	return 0;
}

int bench_case_parse(const char *name, struct bench_case *ret, struct err *err)
{
	size_t setup = strcspn(name, (const char[]){SETUP_MARK, '\0'});
	_cleanup_free_ char *copy = xstrndup(name, setup < NAME_CAP ? setup : NAME_CAP);
	_cleanup_str_ struct str shown = STR_INIT;
	struct bench_case c = {0};
	char *rest = copy;

	str_add_safe(&shown, name, strnlen(name, 200));
	c.bench = bench_find(next_part(&rest));
	if (!c.bench)
		return err_set(err, ERR_USER, "case \"%s\": no such benchmark", shown.buf);
	if (parse_values(&c, rest, err) < 0) {
		bench_case_done(&c);
		return err_wrap(err, "case \"%s\"", shown.buf);
	}
	_cleanup_free_ char *plain = bench_name_make(&c);
	c.name = xasprintf("%s%s", plain, name + setup);
	*ret = c;
	return 0;
}
