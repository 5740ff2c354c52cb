/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/util/mem.h"
#include "reports/fail_runs.h"
#include "reports/load.h"
#include "reports/total.h"

#define HEAD                                           \
	"0123456789abcde  abcdef0123456789abcdef012\n" \
	"---------------  -------------------------\n"
#define LEGEND "\nLegend:\n\t~XX%    - stddev percent\n\t[+-]XX% - change percent\n"
#define ROWS   6

struct figures {
	double base, base_sd, head, head_sd;
	bool decimals; /* not every sample is an integer */
	const char *machine, *name, *metric;
};

static struct report_side side_of(double mean, double sd, bool decimals)
{
	return (struct report_side){
		.mean = mean, .stddev = sd, .n = 5, .integer = !decimals, .present = !isnan(mean)};
}

static struct report *make(const struct figures *f, size_t n)
{
	struct report *r = xcalloc(1, sizeof(*r));

	snprintf(r->base.id, sizeof(r->base.id), "0123456789abcdef0123456789abcdef01234567");
	snprintf(r->head.id, sizeof(r->head.id), "abcdef0123456789abcdef0123456789abcdef01");
	r->verdict = "clean";
	r->rows = xcalloc(ROWS, sizeof(*r->rows));
	for (; r->n_rows < n && (f->base != 0 || f->head != 0 || f->metric); f++)
		r->rows[r->n_rows++] = (struct report_row){
			.machine = xstrdup(f->machine ? f->machine : "m"),
			.test_case = xstrdup(f->name ? f->name : "c"),
			.metric = xstrdup(f->metric ? f->metric : "x.y"),
			.def = metric_find("x.y"),
			.base = side_of(f->base, f->base_sd, f->decimals),
			.head = side_of(f->head, f->head_sd, f->decimals),
			.change_pct = report_change_pct(f->base, f->head),
			.verdict = "",
			.interval_lo = NAN,
			.interval_hi = NAN,
			.e_value = NAN,
		};
	return r;
}

static void expect(const struct report *r, const char *want)
{
	_cleanup_str_ struct str text = STR_INIT, whole = STR_INIT;
	struct err err = ERR_INIT;

	str_addf(&whole, "%s%s%s", HEAD, want, LEGEND);
	assert_int_equal(reporter_find("lkp")->render(r, &text, &err), 0);
	assert_string_equal(text.buf, whole.buf);
}

static const struct {
	struct figures rows[ROWS];
	const char *want;
} cases[] = {
	{{{773859, 1106.8, 702704, 1106.8, .metric = NULL}},
	 "    773859 ~ 0%      -9.2%     702704 ~ 0%  TOTAL x.y\n"},
	/* integers, decimals, and 1000 as the border */
	{{{12, 0.3, 13, 1, .metric = NULL}},
	 "        12 ~ 3%      +8.3%         13 ~ 8%  TOTAL x.y\n"},
	{{{12, 0.3, 13, 1, true, .metric = NULL}},
	 "     12.00 ~ 3%      +8.3%      13.00 ~ 8%  TOTAL x.y\n"},
	{{{999.994, 0, 1000.4, 0, true, .metric = NULL}},
	 "    999.99 ~ 0%      +0.0%       1000 ~ 0%  TOTAL x.y\n"},
	{{{0.004, 0, -0.004, 0, true, .metric = NULL}},
	 "      0.00 ~ 0%    -200.0%       0.00 ~ 0%  TOTAL x.y\n"},
	/* from nothing, to nothing, nothing */
	{{{0, 0, 7, 1, .metric = NULL}}, "         0           +Inf%          7 ~14%  TOTAL x.y\n"},
	{{{0, 0, 7.5, 1, true, .metric = NULL}},
	 "      0.00           +Inf%       7.50 ~13%  TOTAL x.y\n"},
	{{{0, 0, -7, 0, .metric = NULL}},
	 "         0           -Inf%         -7 ~ 0%  TOTAL x.y\n"},
	{{{7.5, 1, 0, 0, true, .metric = NULL}},
	 "      7.50 ~13%    -100.0%       0.00 ~ 0%  TOTAL x.y\n"},
	{{{7, 1, 0, 0, .metric = NULL}}, "         7 ~14%    -100.0%          0 ~ 0%  TOTAL x.y\n"},
	{{{0, 0, 0, 0, .metric = "x.y"}}, ""},
	/* a side that is missing is missing, not 0 */
	{{{5, 0, NAN, 0, .metric = NULL}}, ""},
	/* stddev rounds to whole percent; a wild one does not break the row */
	{{{1000, 4.9, 1000, 5.1, .metric = NULL}},
	 "      1000 ~ 0%      +0.0%       1000 ~ 1%  TOTAL x.y\n"},
	{{{1000, 1234, 1000, 1e9, .metric = NULL}},
	 "      1000 ~123%      +0.0%       1000 ~1e+08%  TOTAL x.y\n"},
	{{{-50, 5, -25, 5, .metric = NULL}},
	 "       -50 ~10%     -50.0%        -25 ~20%  TOTAL x.y\n"},
	/* huge and tiny */
	{{{99999999, 0, 1e8, 0, .metric = NULL}},
	 "  99999999 ~ 0%      +0.0%      1e+08 ~ 0%  TOTAL x.y\n"},
	{{{2.412e18, 0, 2.4e18, 0, true, .metric = NULL}},
	 " 2.412e+18 ~ 0%      -0.5%    2.4e+18 ~ 0%  TOTAL x.y\n"},
	{{{10, 0, 4.7e13, 0, .metric = NULL}},
	 "        10 ~ 0%  +4.7e+14%    4.7e+13 ~ 0%  TOTAL x.y\n"},
	{{{1, 0, 1000.9, 0, true, .metric = NULL}},
	 "      1.00 ~ 0%  +99990.0%       1001 ~ 0%  TOTAL x.y\n"},
	{{{1, 0, 1001, 0, .metric = NULL}},
	 "         1 ~ 0%    +1e+05%       1001 ~ 0%  TOTAL x.y\n"},
	{{{1e-12, 0, 1e-13, 0, true, .metric = NULL}},
	 "      0.00 ~ 0%     -90.0%       0.00 ~ 0%  TOTAL x.y\n"},
	/* several tests: the total is the geometric mean, its stddev sqrt(sum r^2) / n */
	{{{100, 3, 200, 6, .name = "c1"}, {400, 20, 200, 10, .name = "c2"}},
	 "       100 ~ 3%    +100.0%        200 ~ 3%  m/c1\n"
	 "       400 ~ 5%     -50.0%        200 ~ 5%  m/c2\n"
	 "       200 ~ 3%      +0.0%        200 ~ 3%  TOTAL x.y\n"},
	{{{100, 0, 100, 0, .machine = "a"}, {100, 0, 25, 0, .machine = "b"}},
	 "       100 ~ 0%      +0.0%        100 ~ 0%  a/c\n"
	 "       100 ~ 0%     -75.0%         25 ~ 0%  b/c\n"
	 "       100 ~ 0%     -50.0%         50 ~ 0%  TOTAL x.y\n"},
	/* one of them 0: no geometric mean, so the plain one on both sides */
	{{{0, 0, 10, 0, .name = "c1"}, {100, 0, 30, 0, .name = "c2"}},
	 "         0           +Inf%         10 ~ 0%  m/c1\n"
	 "       100 ~ 0%     -70.0%         30 ~ 0%  m/c2\n"
	 "        50 ~ 0%     -60.0%         20 ~ 0%  TOTAL x.y\n"},
	/* two metrics, whose rows do not lie together */
	{{{10, 0, 20, 0, .name = "c1"},
	  {10, 0, 30, 0, .name = "c1", .metric = "z"},
	  {40, 0, 20, 0, .name = "c2"}},
	 "        10 ~ 0%    +100.0%         20 ~ 0%  m/c1\n"
	 "        40 ~ 0%     -50.0%         20 ~ 0%  m/c2\n"
	 "        20 ~ 0%      +0.0%         20 ~ 0%  TOTAL x.y\n"
	 "        10 ~ 0%    +200.0%         30 ~ 0%  m/c1\n"
	 "        10 ~ 0%    +200.0%         30 ~ 0%  TOTAL z\n"},
	/* names from outside cannot move the cursor */
	{{{1, 0, 2, 0, .metric = "x\x1b[2J"}},
	 "         1 ~ 0%    +100.0%          2 ~ 0%  TOTAL x\\x1b[2J\n"},
};

static void goldens(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct report *r = make(cases[i].rows, ROWS);
		expect(r, cases[i].want);
		report_free(r);
	}
}

/* Six values near 1e300 have a finite mean. */
static void totals_do_not_overflow(void **state)
{
	static const struct figures rows[] = {{1e308, 0, 1e308, 0, .name = "1"},
					      {1e308, 0, 1e308, 0, .name = "2"},
					      {1e308, 0, -1e308, 0, .name = "3"}};
	struct report *r = make(rows, 3);
	const struct report_row *const list[] = {&r->rows[0], &r->rows[1], &r->rows[2]};
	struct report_row total;

	(void)state;
	report_total(list, 2, &total);
	assert_true(isfinite(total.base.mean));
	report_total(list, 3, &total); /* no geometric mean */
	assert_true(isfinite(total.base.mean));
	assert_true(total.base.mean > 0.99e308);
	report_free(r);
}

static void fail_runs(void **state)
{
	struct report_failure failures[] = {
		{(char *)"m", (char *)"boot panic", 0, 6, 6, 6},
		{(char *)"m", (char *)"c bench-failed", 1, 4, 0, 5},
	};
	const struct report r = {.failures = failures, .n_failures = 2};
	const struct report none = {.n_failures = 0};
	_cleanup_str_ struct str text = STR_INIT, empty = STR_INIT;

	(void)state;
	report_add_fail_runs(&text, &r);
	assert_string_equal(text.buf,
			    "       fail:runs  %reproduction    fail:runs\n"
			    "           |             |             |\n"
			    "           :6          100%           6:6     m/boot panic\n"
			    "          1:4          -25%            :5     m/c bench-failed\n");
	report_add_fail_runs(&empty, &none);
	assert_int_equal(empty.len, 0);
}

static void found_by_name(void **state)
{
	(void)state;
	assert_non_null(reporter_find("lkp"));
	assert_non_null(reporter_find("json"));
	assert_null(reporter_find("nothing"));
	for (size_t i = 0; reporters[i]; i++)
		assert_ptr_equal(reporter_find(reporters[i]->name), reporters[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goldens),
		cmocka_unit_test(totals_do_not_overflow),
		cmocka_unit_test(fail_runs),
		cmocka_unit_test(found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
