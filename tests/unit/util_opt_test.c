/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/util/mem.h"
#include "harness/util/opt.h"

struct values {
	_Bool json, quiet;
	const char *base;
	int64_t blocks;
	double ratio;
	char **cases;
};

/* Parses the words and returns the arguments joined by '|', or the message. */
static char *parse(struct values *v, const char *const *words)
{
	const struct opt opts[] = {
		{"base", 'b', OPT_STR, "COMMIT", "what to compare with", &v->base, 0, 0},
		{"blocks", 0, OPT_INT, "N", "how many", &v->blocks, 1, 50},
		{"ratio", 0, OPT_REAL, "X", "a number", &v->ratio, 0, 0},
		{"case", 'c', OPT_LIST, "GLOB", "which", &v->cases, 0, 0},
		{0},
	};
	const struct opt global[] = {
		{"json", 0, OPT_FLAG, NULL, "as JSON", &v->json, 0, 0},
		{"quiet", 'q', OPT_FLAG, NULL, "less", &v->quiet, 0, 0},
		{0},
	};
	_cleanup_free_ char **args = NULL;
	struct str s = STR_INIT;
	struct err err = ERR_INIT;
	char *argv[12] = {(char *)"lkpctl"};
	int argc = 1, n = -7;

	for (; words[argc - 1]; argc++)
		argv[argc] = (char *)words[argc - 1];
	if (opt_parse(opts, global, argc, argv, &args, &n, &err) < 0) {
		assert_int_equal(err.kind, ERR_USER);
		assert_null(args);
		assert_int_equal(n, -7);
		str_add(&s, err.msg);
		return str_detach(&s);
	}
	assert_int_equal(strv_len(args), n);
	for (int i = 0; i < n; i++)
		str_addf(&s, "%s|", args[i]);
	return str_detach(&s);
}

static void words(void **state)
{
	static const struct {
		const char *words[8], *want;
	} cases[] = {
		{{NULL}, ""},
		{{"a", "--json", "b"}, "a|b|"},
		{{"-b", "x", "a"}, "a|"},
		{{"--base=x=y", "a", "-"}, "a|-|"},
		{{"--", "--json", "-x", "--"}, "--json|-x|--|"},
		{{"--base", "--json"}, ""},
		{{"--jsno"}, "unknown option --jsno; did you mean --json?"},
		{{"--bas=x"}, "unknown option --bas; did you mean --base?"},
		{{"--entirely-else"}, "unknown option --entirely-else; --help lists them"},
		{{"-x"}, "unknown option -x; --help lists them"},
		{{"-qb"}, "unknown option -qb; --help lists them"},
		{{"-bx"}, "unknown option -bx; --help lists them"},
		{{"--=x"}, "unknown option --; --help lists them"},
		{{"--x\x1b"}, "unknown option --x\\x1b; --help lists them"},
		{{"--json=1"}, "--json takes no value"},
		{{"a", "--base"}, "--base needs a value: --base COMMIT"},
		{{"--blocks", "0"}, "--blocks: \"0\" is out of range: 1 to 50 is allowed"},
		{{"--blocks=5x"}, "--blocks: \"5x\" is not a whole number"},
		{{"--blocks="}, "--blocks: \"\" is not a whole number"},
		{{"--ratio", "1,5"}, "--ratio: \"1,5\" is not a number"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct values v = {0};
		_cleanup_free_ char *got = parse(&v, cases[i].words);

		assert_string_equal(got, cases[i].want);
		strv_free(v.cases);
	}
}

static void values(void **state)
{
	static const char *const argv[] = {"-c",	   "a*",   "--case=", "--blocks=50",
					   "--ratio=-1.5", "-b=x", "--quiet", NULL};
	static const char *const good[] = {"-c", "a*", "--case=", "--blocks=50", "--ratio=-1.5",
					   "-b", "x",  "-q",	  NULL};
	struct values v = {0}, w = {0};
	_cleanup_free_ char *got = parse(&v, argv), *fine = parse(&w, good);

	(void)state;
	assert_string_equal(got, "unknown option -b=x; --help lists them");
	assert_string_equal(fine, "");
	assert_string_equal(w.base, "x");
	assert_int_equal(w.blocks, 50);
	assert_true(w.ratio == -1.5 && w.quiet && !w.json);
	assert_int_equal(strv_len(w.cases), 2);
	assert_string_equal(w.cases[0], "a*");
	assert_string_equal(w.cases[1], "");
	strv_free(v.cases);
	strv_free(w.cases);
}

static void help(void **state)
{
	const struct opt opts[] = {
		{"base", 'b', OPT_STR, "COMMIT", "what to compare with", NULL, 0, 0},
		{"json", 0, OPT_FLAG, NULL, "as JSON", NULL, 0, 0},
		{0},
	};
	_cleanup_str_ struct str s = STR_INIT;

	(void)state;
	opt_add_help(&s, opts);
	assert_string_equal(s.buf, "  -b, --base COMMIT   what to compare with\n"
				   "      --json          as JSON\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(values),
		cmocka_unit_test(help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
