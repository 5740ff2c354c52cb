/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/config/yaml.h"
#include "harness/util/mem.h"

/* A document in one line: maps as {k:v}, lists as [v], texts as they are, plain ones with a dot
 * before. */
static void flatten(struct str *s, const struct yaml_node *node)
{
	if (node->kind == YAML_TEXT) {
		str_addf(s, "%s%s", node->plain ? "." : "", node->text);
		return;
	}
	str_addc(s, node->kind == YAML_MAP ? '{' : '[');
	for (size_t i = 0; i < node->n; i++) {
		str_add(s, i ? "," : "");
		if (node->kind == YAML_MAP)
			str_addf(s, "%s:", node->pairs[i].key->text);
		flatten(s, node->kind == YAML_MAP ? node->pairs[i].value : node->items[i]);
	}
	str_addc(s, node->kind == YAML_MAP ? '}' : ']');
}

/* The flat document, or all faults. */
static char *parse(const char *text, size_t n)
{
	struct faults faults = {.n = 0};
	struct str out = STR_INIT;
	struct yaml_doc *doc = yaml_parse("f", text, n, &faults);

	assert_true(doc || faults.n);
	if (faults_report(&faults, &out, NULL) == 0)
		flatten(&out, yaml_root(doc));
	faults_done(&faults);
	yaml_doc_free(doc);
	return str_detach(&out);
}

static void test_documents(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"a: b\n", "{a:.b}"},
		{"---\na: [x, 'y', \"z\"]\n...\n", "{a:[.x,y,z]}"},
		{"a:\nb: ~\n", "{a:.,b:.~}"},
		{"a: !!str no\n", "{a:no}"},
		{"a: |\n  two\n  lines\n", "{a:two\nlines\n}"},
		{"x: &v [1]\ny: *v\n", "{x:[.1],y:[.1]}"},
		{"a: &k key\n*k : 1\n", "{a:.key,key:.1}"},
		/* merge: what the mapping says itself wins, wherever it stands */
		{"b: &b {p: 1, q: 2}\nm:\n  q: 3\n  <<: *b\n", "{b:{p:.1,q:.2},m:{q:.3,p:.1}}"},
		{"b: &b {p: 1, q: 2}\nm:\n  <<: *b\n  q: 3\n", "{b:{p:.1,q:.2},m:{q:.3,p:.1}}"},
		/* of several, the earlier one */
		{"a: &a {p: 1}\nb: &b {p: 2, q: 3}\nm: {<<: [*a, *b]}\n",
		 "{a:{p:.1},b:{p:.2,q:.3},m:{p:.1,q:.3}}"},
		/* in turn */
		{"a: &a {p: 1}\nb: &b {<<: *a, q: 2}\nm: {<<: *b}\n",
		 "{a:{p:.1},b:{q:.2,p:.1},m:{q:.2,p:.1}}"},
		{"m: {'<<': x}\n", "{m:{<<:.x}}"},
		{"\xef\xbb\xbf"
		 "a: b\n",
		 "{a:.b}"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *got = parse(cases[i].text, strlen(cases[i].text));

		assert_string_equal(got, cases[i].expected);
	}
}

static void test_faults(void **state)
{
	static const struct {
		const char *text, *expected; /* expected: how the faults start */
	} cases[] = {
		{"", "f:1:1: the file says nothing\n"},
		{"# only a comment\n", "f:2:1: the file says nothing\n"},
		{"a: 1\nb: 2\na: 3\n", "f:3:1: duplicate key \"a\", first at line 1\n"},
		{"a: {x: 1, x: 2}\nb: {y: 1, y: 2}\n",
		 "f:1:11: duplicate key \"x\", first at line 1\n"
		 "f:2:11: duplicate key \"y\", first at line 2\n"},
		{"a: &a {p: 1}\nm:\n  <<: *a\n  <<: *a\n",
		 "f:4:3: duplicate key \"<<\", first at line 3"},
		{"a:\n\tb: 1\n", "f:2:1: a tab in the indentation"},
		{"a:\n  b: 1\n \t c: 2\n", "f:3:2: a tab in the indentation"},
		{"a: b\n\tc: d\n", "f:2:1: a tab in the indentation"},
		{"a:\n  - x\n\t- y\n", "f:3:1: a tab in the indentation"},
		{"a: [1, 2\nb: 3\n", "f:2:2: "},
		{"a: 'x\n", "f:2:1: "},
		{"a: b: c\n", "f:1:5: mapping values are not allowed in this context"},
		{"a: *nowhere\n", "f:1:4: no anchor &nowhere comes before this alias\n"},
		{"a: &x [*x]\n", "f:1:8: alias *x is inside the value it stands for\n"},
		{"a: !!int 3\n", "f:1:4: tags (!...) have no meaning here\n"},
		{"a: !x {}\n", "f:1:4: tags (!...) have no meaning here\n"},
		{"a: 1\n---\nb: 2\n", "f:2:1: a second document"},
		{"[x]: 1\n", "f:1:1: a key must be text\n"},
		{"a: {<<: 3}\n",
		 "f:1:9: a merge key (<<) takes a mapping or a list of mappings, found the "
		 "number 3\n"},
		{"a: {<<: [{p: 1}, [2]]}\n", "f:1:18: a merge key (<<) takes"},
		{"a: \"x\\0y\"\n", "f:1:4: a NUL byte in a string\n"},
		{"a: b\nc: \xff\n", "f:2:4: "},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *got = parse(cases[i].text, strlen(cases[i].text));

		if (!str_starts(got, cases[i].expected))
			fail_msg("case %zu:\n%s\ninstead of\n%s", i, got, cases[i].expected);
	}
}

static void assert_refused(const struct str *text, const char *why)
{
	_cleanup_free_ char *got = parse(text->buf, text->len);

	if (!str_starts(got, "f:") || !strstr(got, why))
		fail_msg("\"%.200s\" has no \"%s\"", got, why);
}

static void repeat(struct str *s, const char *text, int n)
{
	while (n-- > 0)
		str_add(s, text);
}

static void test_caps(void **state)
{
	_cleanup_str_ struct str s = STR_INIT;

	(void)state;
	repeat(&s, "[", YAML_DEPTH_MAX);
	repeat(&s, "]", YAML_DEPTH_MAX);
	_cleanup_free_ char *fine = parse(s.buf, s.len);
	assert_int_equal(fine[0], '[');

	str_reset(&s);
	repeat(&s, "[", YAML_DEPTH_MAX + 1);
	assert_refused(&s, "nested deeper than 32 levels");

	str_reset(&s);
	repeat(&s, "- x\n", YAML_NODES_MAX + 1);
	assert_refused(&s, "more than 100000 values");

	str_reset(&s);
	for (int i = 0; i <= YAML_KEYS_MAX; i++)
		str_addf(&s, "k%d: x\n", i);
	assert_refused(&s, "more than 1000 keys");

	str_reset(&s);
	for (int i = 0; i <= YAML_ANCHORS_MAX; i++)
		str_addf(&s, "- &a%d x\n", i);
	assert_refused(&s, "more than 250 anchors");

	str_reset(&s);
	repeat(&s, "#", YAML_BYTES_MAX + 1);
	assert_refused(&s, "longer than 1048576 bytes");
}

static void test_billion_laughs_are_refused(void **state)
{
	_cleanup_str_ struct str s = STR_INIT;

	(void)state;
	str_add(&s, "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
	for (int i = 1; i < 10; i++) {
		str_addf(&s, "a%d: &a%d [", i, i);
		for (int k = 0; k < 9; k++)
			str_addf(&s, "%s*a%d", k ? ", " : "", i - 1);
		str_add(&s, "]\n");
	}
	assert_refused(&s, "more than 100000 values (aliases count as what they stand for)");
}

static void test_merging_is_bounded(void **state)
{
	_cleanup_str_ struct str s = STR_INIT;

	(void)state;
	for (int map = 0; map < 2; map++) {
		str_addf(&s, "m%d: &m%d\n", map, map);
		for (int i = 0; i < 600; i++)
			str_addf(&s, "  k%d_%d: x\n", map, i);
	}
	str_add(&s, "all: {<<: [*m0, *m1]}\n");
	assert_refused(&s, "merging makes a mapping of more than 1000 keys");
}

static void test_marks_and_descriptions(void **state)
{
	static const char text[] = "a: yes\nb:\n  - \"no\"\n  - 5\n  - {}\n  -\n";
	static const char *const found[] = {"the string \"no\"", "the number 5", "a mapping",
					    "nothing"};
	struct faults faults = {.n = 0};
	struct yaml_doc *doc = yaml_parse("f", text, strlen(text), &faults);
	const struct yaml_node *a, *b;
	bool on = false;

	(void)state;
	assert_non_null(doc);
	a = yaml_get(yaml_root(doc), "a");
	b = yaml_get(yaml_root(doc), "b");
	assert_true(yaml_is_bool(a, &on) && on);
	assert_int_equal(b->items[1]->mark.line, 4);
	assert_int_equal(b->items[1]->mark.column, 5);
	assert_string_equal(b->items[1]->mark.file, "f");
	assert_null(yaml_get(yaml_root(doc), "c"));
	assert_null(yaml_get(a, "c"));
	for (size_t i = 0; i < ARRAY_SIZE(found); i++) {
		_cleanup_str_ struct str s = STR_INIT;

		yaml_describe(&s, b->items[i]);
		assert_string_equal(s.buf, found[i]);
	}
	yaml_doc_free(doc);
}

static void test_only_fifty_faults_in_the_order_of_the_file(void **state)
{
	struct faults faults = {.n = 0};
	_cleanup_str_ struct str lines = STR_INIT;
	struct err err = ERR_INIT;
	size_t n = 0;

	(void)state;
	for (int i = 60; i > 0; i--)
		fault_add(&faults, (struct config_mark){"f", i, 1}, "number %d", i);
	assert_int_equal(faults_report(&faults, &lines, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_string_equal(err.msg, "f:11:1: number 11");
	for (const char *p = lines.buf; *p; p++)
		n += *p == '\n';
	assert_int_equal(n, FAULTS_MAX);
	assert_true(str_starts(lines.buf, "f:11:1: number 11\nf:12:1: number 12\n"));
	faults_done(&faults);
}

static void test_a_file_that_cannot_be_read(void **state)
{
	struct faults faults = {.n = 0};

	(void)state;
	assert_null(yaml_read("/nonexistent/x.yaml", &faults));
	assert_int_equal(faults.n, 1);
	assert_int_equal(faults.list[0].mark.line, 1);
	assert_non_null(strstr(faults.list[0].text, "/nonexistent/x.yaml"));
	faults_done(&faults);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_documents),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_billion_laughs_are_refused),
		cmocka_unit_test(test_merging_is_bounded),
		cmocka_unit_test(test_marks_and_descriptions),
		cmocka_unit_test(test_only_fifty_faults_in_the_order_of_the_file),
		cmocka_unit_test(test_a_file_that_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
