/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/opt.h"

#include "harness/util/mem.h"
#include "harness/util/units.h"

struct parser {
	const struct opt *tables[2];
	char **argv; /* what is left; argv[0] is the next word */
	int argc;
};

static const struct opt *find(const struct parser *p, const char *name, size_t n, char letter)
{
	for (size_t i = 0; i < ARRAY_SIZE(p->tables); i++) {
		for (const struct opt *o = p->tables[i]; o && o->name; o++) {
			if (letter ? o->letter == letter
				   : strlen(o->name) == n && memcmp(o->name, name, n) == 0)
				return o;
		}
	}
	return NULL;
}

static int unknown(const struct parser *p, const char *word, size_t n, struct err *err)
{
	_cleanup_strv_ char **names = NULL;
	_cleanup_free_ char *name = xstrndup(word, n);
	_cleanup_str_ struct str shown = STR_INIT;
	const char *near = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(p->tables); i++)
		for (const struct opt *o = p->tables[i]; o && o->name; o++)
			strv_add(&names, o->name);
	str_add_safe(&shown, name, strnlen(name, 80));
	if (str_starts(name, "--") && names)
		near = str_nearest(name + 2, (const char *const *)names);
	if (near)
		return err_set(err, ERR_USER, "unknown option %s; did you mean --%s?", shown.buf,
			       near);
	return err_set(err, ERR_USER, "unknown option %s; --help lists them", shown.buf);
}

static int store_int(const struct opt *o, const char *text, struct err *err)
{
	bool any = !o->min && !o->max;

	return units_parse_int(text, any ? INT64_MIN : o->min, any ? INT64_MAX : o->max, o->value,
			       err);
}

static int store(const struct opt *o, const char *text, struct err *err)
{
	int status = 0;

	switch (o->type) {
	case OPT_FLAG:
		*(bool *)o->value = true;
		break;
	case OPT_STR:
		*(const char **)o->value = text;
		break;
	case OPT_INT:
		status = store_int(o, text, err);
		break;
	case OPT_REAL:
		status = units_parse_double(text, o->value, err);
		break;
	case OPT_LIST:
		strv_add(o->value, text);
		break;
	}
	return status < 0 ? err_wrap(err, "--%s", o->name) : 0;
}

/* The next word is an option. */
static int take_option(struct parser *p, struct err *err)
{
	const char *word = *p->argv, *equals, *value = NULL;
	bool is_long = word[1] == '-';
	size_t n = strlen(word);
	const struct opt *o = NULL;

	p->argv++;
	p->argc--;
	if (is_long) {
		equals = strchr(word, '=');
		n = equals ? (size_t)(equals - word) : n;
		value = equals ? equals + 1 : NULL;
		o = find(p, word + 2, n - 2, 0);
	} else if (n == 2) {
		o = find(p, NULL, 0, word[1]);
	}
	if (!o)
		return unknown(p, word, n, err);
	if (o->type == OPT_FLAG && value)
		return err_set(err, ERR_USER, "--%s takes no value", o->name);
	if (o->type != OPT_FLAG && !value) {
		if (!p->argc)
			return err_set(err, ERR_USER, "--%s needs a value: --%s %s", o->name,
				       o->name, o->arg ? o->arg : "VALUE");
		value = *p->argv++;
		p->argc--;
	}
	return store(o, value, err);
}

int opt_parse(const struct opt *opts, const struct opt *global, int argc, char **argv,
	      char ***ret_args, int *ret_n, struct err *err)
{
	struct parser p = {{opts, global}, argv + 1, argc > 0 ? argc - 1 : 0};
	_cleanup_free_ char **args = xcalloc((size_t)p.argc + 1, sizeof(*args));
	bool ended = false;
	int n = 0;

	while (p.argc) {
		char *word = *p.argv;

		if (!ended && word[0] == '-' && word[1] && !streq(word, "--")) {
			if (take_option(&p, err) < 0)
				return -1;
			continue;
		}
		p.argv++;
		p.argc--;
		if (!ended && streq(word, "--"))
			ended = true;
		else
			args[n++] = word;
	}
	*ret_args = args;
	args = NULL;
	*ret_n = n;
	return 0;
}

static void add_left(struct str *s, const struct opt *o)
{
	if (o->letter)
		str_addf(s, "  -%c, --%s", o->letter, o->name);
	else
		str_addf(s, "      --%s", o->name);
	if (o->arg)
		str_addf(s, " %s", o->arg);
}

void opt_add_help(struct str *s, const struct opt *opts)
{
	size_t widest = 0;

	for (const struct opt *o = opts; o->name; o++) {
		_cleanup_str_ struct str left = STR_INIT;

		add_left(&left, o);
		if (left.len > widest)
			widest = left.len;
	}
	for (const struct opt *o = opts; o->name; o++) {
		_cleanup_str_ struct str left = STR_INIT;

		add_left(&left, o);
		str_addf(s, "%-*s   %s\n", (int)widest, left.buf, o->help);
	}
}
