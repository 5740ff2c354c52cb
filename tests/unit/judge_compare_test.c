/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tests/unit/judge_report.h"

static void verdicts(void **state)
{
	static const struct {
		const char *metric;
		double percent, noise;
		int blocks;
		const char *verdict, *reason;
	} cases[] = {
		{OPS, -9.2, 0.1, 5, "regression", NULL},
		{OPS, 9.2, 0.1, 5, "improvement", NULL},
		{TIME, 9.2, 0.1, 5, "regression", NULL},
		{TIME, -9.2, 0.1, 5, "improvement", NULL},
		{OPS, 0, 0.1, 5, "clean", NULL},
		{OPS, -0.5, 0.05, 5, "clean", NULL}, /* sure, but less than matters */
		{OPS, -9.2, 0.1, 3, "inconclusive", "too few blocks: 3"},
		{OPS, -9.2, 0.1, 1, "inconclusive", "too few blocks: 1"},
		{OPS, -1, 3, 5, "inconclusive", "reaches beyond the +-2 %"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		setup(state);
		put_blocks((struct how){.metric = cases[i].metric}, cases[i].blocks,
			   cases[i].percent, cases[i].noise);
		struct report *r = compare();
		const struct report_row *row = &r->rows[0];
		assert_int_equal(r->n_rows, 1);
		if (!streq(row->verdict, cases[i].verdict))
			fail_msg("case %zu: %s (%s)", i, row->verdict,
				 row->reason ? row->reason : "");
		assert_string_equal(r->verdict, cases[i].verdict);
		assert_true(row->paired);
		assert_true(row->kpi);
		assert_int_equal(row->blocks, cases[i].blocks);
		if (cases[i].reason)
			assert_non_null(strstr(row->reason, cases[i].reason));
		else
			assert_null(row->reason);
		/* The words never contradict the figures. */
		assert_true(row->interval_lo <= row->change_pct + 0.5 &&
			    row->change_pct <= row->interval_hi + 0.5);
		report_free(r);
		teardown(state);
	}
}

static void a_boot_counts_as_its_median(void **state)
{
	static const double base[] = {990, 1000, 5000}, head[] = {1, 900, 905};

	(void)state;
	for (int i = 1; i <= 5; i++) {
		const struct how h = {.block = i};
		put_values(BASE, &h, base, 3);
		put_values(HEAD, &h, head, 3);
	}
	struct report *r = compare();
	assert_true(r->rows[0].base.mean == 1000);
	assert_true(r->rows[0].head.mean == 900);
	assert_true(r->rows[0].base.stddev == 0);
	assert_int_equal(r->rows[0].base.n, 5);
	assert_true(fabs(r->rows[0].change_pct + 10) < 1e-9);
	report_free(r);
}

static void hackbench_on_icount_counts_as_its_lower_quartile(void **state)
{
	static const double values[] = {5, 1, 2, 3, 4};

	(void)state;
	for (int i = 1; i <= 2; i++) {
		const struct how h = {.block = i, .accel = "icount", .metric = TIME};
		put_values(BASE, &h, values, 5);
		put_values(HEAD, &h, values, 5);
	}
	struct report *r = compare();
	assert_true(r->rows[0].base.mean == 2);
	report_free(r);
}

static void a_single_boot_shows_its_iterations(void **state)
{
	static const double values[] = {990, 1000, 1010.5};
	const struct how h = {.block = 1};

	(void)state;
	put_values(BASE, &h, values, 3);
	put_values(HEAD, &h, values, 3);
	struct report *r = compare();
	assert_true(fabs(r->rows[0].base.mean - 1000.1666) < 1e-3);
	assert_true(r->rows[0].base.stddev > 10);
	assert_int_equal(r->rows[0].base.n, 1);
	assert_false(r->rows[0].base.integer);
	report_free(r);
}

static void without_blocks_it_is_unpaired(void **state)
{
	(void)state;
	for (int i = 0; i < 6; i++) {
		put(BASE, (struct how){.purpose = "import"}, 1000 + i % 3);
		put(HEAD, (struct how){.purpose = "import"}, 900 + i % 3);
	}
	struct report *r = compare();
	assert_false(r->rows[0].paired);
	assert_int_equal(r->rows[0].blocks, 0);
	assert_true(isnan(r->rows[0].e_value));
	assert_string_equal(r->rows[0].verdict, "regression");
	assert_true(r->rows[0].interval_lo < -9.9 && r->rows[0].interval_hi > -10.1);
	assert_false(r->rows[0].confirmed);
	report_free(r);
}

static void one_boot_a_side_without_blocks(void **state)
{
	(void)state;
	put(BASE, (struct how){.block = 0}, 1000);
	put(HEAD, (struct how){.block = 0}, 500);
	struct report *r = compare();
	assert_string_equal(r->rows[0].verdict, "inconclusive");
	assert_non_null(strstr(r->rows[0].reason, "1 and 1 boots"));
	report_free(r);
}

static void a_block_with_two_boots_on_a_side_is_none(void **state)
{
	(void)state;
	put_blocks((struct how){.block = 0}, 5, -9, 0.1);
	put(BASE, (struct how){.block = 3}, 1000);
	struct report *r = compare();
	assert_int_equal(r->rows[0].blocks, 4);
	assert_int_equal(r->rows[0].base.n, 6); /* the table shows all boots */
	report_free(r);
}

static void confirming_blocks_only_confirm(void **state)
{
	(void)state;
	put_blocks((struct how){.block = 0}, 5, -9, 0.1);
	put_blocks((struct how){.block = 10, .purpose = "confirm"}, 5, -9, 0.1);
	struct report *r = compare();
	const struct report_row *row = &r->rows[0];
	assert_int_equal(row->blocks, 5);
	assert_int_equal(row->confirm_blocks, 5);
	assert_true(row->confirmed);
	assert_true(row->confirm_e_value >= 1000);
	assert_int_equal(row->base.n, 10);
	report_free(r);
}

static void what_does_not_come_again_is_not_confirmed(void **state)
{
	(void)state;
	put_blocks((struct how){.block = 0}, 5, -9, 0.1);
	put_blocks((struct how){.block = 10, .purpose = "confirm"}, 5, 0, 0.1);
	struct report *r = compare();
	assert_string_equal(r->rows[0].verdict, "regression");
	assert_false(r->rows[0].confirmed);
	report_free(r);
}

/* Blocks say +9 %; boots outside them pull the mean the other way. */
static void words_that_the_table_contradicts_are_taken_back(void **state)
{
	(void)state;
	put_blocks((struct how){.block = 0}, 5, 9, 0.1);
	for (int i = 0; i < 5; i++)
		put(HEAD, (struct how){.block = 0}, 500);
	struct report *r = compare();
	assert_string_equal(r->rows[0].verdict, "inconclusive");
	assert_non_null(strstr(r->rows[0].reason, "belong to no whole block"));
	report_free(r);
}

static void more_kpis_need_more_evidence(void **state)
{
	(void)state;
	put_blocks((struct how){.block = 0}, 4, -9, 0.01);
	struct report *r = compare();
	assert_string_equal(r->rows[0].verdict, "regression");
	report_free(r);
	for (int i = 0; i < 20; i++) {
		char name[20];
		snprintf(name, sizeof(name), "other/%d", i);
		put_blocks((struct how){.name = name}, 4, 0, 0.01);
	}
	r = compare();
	assert_int_equal(r->n_rows, 21);
	for (size_t i = 0; i < r->n_rows; i++)
		if (streq(r->rows[i].test_case, WIS))
			assert_string_equal(r->rows[i].verdict, "inconclusive");
	report_free(r);
}

static void equal_images_are_clean(void **state)
{
	(void)state;
	put_blocks((struct how){.image = "same"}, 5, -9, 0.1);
	struct report *r = compare();
	assert_true(r->equal_images);
	assert_string_equal(r->rows[0].verdict, "clean");
	assert_non_null(strstr(r->rows[0].reason, "same image"));
	assert_string_equal(r->verdict, "clean");
	report_free(r);
}

static void explaining_metrics_show_once_a_kpi_rejects(void **state)
{
	(void)state;
	put_blocks((struct how){.metric = "perf-stat.instructions"}, 5, 5, 0.01);
	put_blocks((struct how){.metric = "perf-stat.cycles"}, 5, 0, 1);
	put_blocks((struct how){.metric = "mine"}, 5, 50, 0.01);
	put_blocks((struct how){.metric = OPS}, 5, 0, 0.1);
	struct report *r = compare();
	assert_int_equal(r->n_rows, 1); /* the KPI, which is clean */
	report_free(r);
	r = compare_with(&(const struct compare_spec){.all = true});
	assert_int_equal(r->n_rows, 4);
	assert_true(r->rows[0].kpi);
	for (size_t i = 1; i < 4; i++)
		assert_string_equal(r->rows[i].verdict, "");
	report_free(r);

	put_blocks((struct how){.metric = TIME, .name = "h"}, 5, 20, 0.01);
	r = compare();
	assert_int_equal(r->n_rows, 4); /* and not cycles */
	assert_string_equal(r->rows[2].metric, "mine");
	assert_string_equal(r->rows[2].verdict, ""); /* its direction is not known */
	assert_string_equal(r->rows[3].metric, "perf-stat.instructions");
	assert_string_equal(r->rows[3].verdict, "regression");
	report_free(r);
}

static void zeroes_have_no_ratio(void **state)
{
	(void)state;
	for (int i = 1; i <= 5; i++) {
		put(BASE, (struct how){.block = i}, 1000);
		put(HEAD, (struct how){.block = i}, 0);
	}
	struct report *r = compare();
	assert_string_equal(r->rows[0].verdict, "inconclusive");
	assert_non_null(strstr(r->rows[0].reason, "no ratio"));
	assert_true(r->rows[0].change_pct == -100);
	report_free(r);
}

static void counts_from_zero(void **state)
{
	struct report *r;

	(void)state;
	for (int i = 1; i <= 5; i++) {
		put(BASE, (struct how){.block = i, .metric = "mine"}, 0);
		put(HEAD, (struct how){.block = i, .metric = "mine"}, 7);
		put(BASE, (struct how){.block = i, .metric = "none"}, 0);
		put(HEAD, (struct how){.block = i, .metric = "none"}, 0);
	}
	r = compare_with(&(const struct compare_spec){.all = true});
	assert_int_equal(r->n_rows, 2);
	assert_true(isinf(r->rows[0].change_pct));
	assert_true(isnan(r->rows[0].interval_lo));
	assert_true(r->rows[1].change_pct == 0);
	report_free(r);
}

static void effect_of_the_job(void **state)
{
	static const struct {
		struct effect effect;
		const char *verdict;
	} cases[] = {
		{{.test_case = (char *)WIS, .theta = 0.3}, "clean"}, /* 9 % do not matter here */
		{{.test_case = (char *)"other", .theta = 0.3}, "regression"},
		{{.test_case = (char *)WIS, .min_effect = 0.2}, "inconclusive"},
		{{.test_case = (char *)WIS, .min_effect = 0.05}, "regression"},
	};

	(void)state;
	put_blocks((struct how){.block = 0}, 5, -9, 0.1);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct effect effect = cases[i].effect;
		const struct effects effects = {.v = &effect, .n = 1};
		struct compare_spec spec = {.effects = &effects};
		struct report *r = compare_with(&spec);
		assert_string_equal(r->rows[0].verdict, cases[i].verdict);
		report_free(r);
	}
}

static void chaos_is_named(void **state)
{
	(void)state;
	put_blocks((struct how){.accel = "icount",
				.metric = TIME,
				.name = "hackbench/process/socket/1"},
		   5, 0, 10);
	struct report *r = compare();
	assert_string_equal(r->rows[0].verdict, "inconclusive");
	assert_non_null(strstr(r->rows[0].reason, "one chaotic schedule per seed"));
	report_free(r);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts),
		T(a_boot_counts_as_its_median),
		T(hackbench_on_icount_counts_as_its_lower_quartile),
		T(a_single_boot_shows_its_iterations),
		T(without_blocks_it_is_unpaired),
		T(one_boot_a_side_without_blocks),
		T(a_block_with_two_boots_on_a_side_is_none),
		T(confirming_blocks_only_confirm),
		T(what_does_not_come_again_is_not_confirmed),
		T(words_that_the_table_contradicts_are_taken_back),
		T(more_kpis_need_more_evidence),
		T(equal_images_are_clean),
		T(explaining_metrics_show_once_a_kpi_rejects),
		T(zeroes_have_no_ratio),
		T(counts_from_zero),
		T(effect_of_the_job),
		T(chaos_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
