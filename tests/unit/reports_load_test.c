/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "reports/load.h"
#include "reports/total.h"

static struct report_row row_of(void)
{
	return (struct report_row){
		.machine = xstrdup("m"),
		.test_case = xstrdup("c"),
		.metric = xstrdup("pipe-test.usecs_per_op"),
		.def = metric_find("pipe-test.usecs_per_op"),
		.base = {.mean = 2.5, .stddev = 0.1, .n = 5, .present = true},
		.head = {.mean = 3.5, .stddev = 0.2, .n = 6, .present = true},
		.change_pct = report_change_pct(2.5, 3.5),
		.interval_lo = 38.5,
		.interval_hi = INFINITY,
		.verdict = "regression",
		.e_value = 1e5,
		.blocks = 5,
		.paired = true,
		.kpi = true,
		.confirm_blocks = 5,
		.confirm_e_value = 2e4,
		.confirmed = true,
		.noise_pct = 0.5,
		.reason = xstrdup("because"),
	};
}

static struct report *sample(void)
{
	struct report *r = xcalloc(1, sizeof(*r));

	snprintf(r->base.id, sizeof(r->base.id), "%040d", 1);
	snprintf(r->head.id, sizeof(r->head.id), "%040d", 2);
	r->head.subject = xstrdup("mm: slower");
	r->head.author_name = xstrdup("A. Author");
	r->head.author_email = xstrdup("a@example.org");
	r->head.date = 1403700000;
	r->kconfig = xstrdup("k");
	r->verdict = "regression";
	r->rows = xcalloc(2, sizeof(*r->rows));
	r->n_rows = 2;
	r->rows[0] = row_of();
	r->rows[1] = (struct report_row){.machine = xstrdup("m"),
					 .test_case = xstrdup("c"),
					 .metric = xstrdup("x"),
					 .def = metric_find("x"),
					 .base = {.mean = 0, .n = 1, .present = true},
					 .change_pct = NAN,
					 .interval_lo = NAN,
					 .interval_hi = NAN,
					 .verdict = "",
					 .e_value = NAN,
					 .confirm_e_value = NAN,
					 .noise_pct = NAN};
	r->failures = xcalloc(1, sizeof(*r->failures));
	r->n_failures = 1;
	r->failures[0] = (struct report_failure){xstrdup("m"), xstrdup("boot panic"), 0, 5, 2, 6};
	return r;
}

static void there_and_back(void **state)
{
	struct report *r = sample(), *back;
	_cleanup_json_ json_t *first = report_json(r), *second = NULL;
	struct err err = ERR_INIT;

	(void)state;
	if (report_load(first, &back, &err) < 0)
		fail_msg("%s", err.msg);
	second = report_json(back);
	/* The base's subject and author, which were not known, are empty now. */
	json_object_del(first, "base");
	json_object_del(second, "base");
	assert_true(json_equal(first, second));
	assert_string_equal(back->rows[0].verdict, "regression");
	assert_true(isinf(back->rows[0].interval_hi));
	assert_true(back->rows[0].interval_lo == 38.5);
	assert_true(fabs(back->rows[0].change_pct - 40) < 1e-9);
	assert_int_equal(back->rows[0].head.n, 6);
	assert_true(back->rows[0].confirmed);
	assert_string_equal(back->rows[0].reason, "because");
	assert_false(back->rows[1].head.present);
	assert_true(isnan(back->rows[1].interval_lo));
	assert_true(isnan(back->rows[1].e_value));
	assert_string_equal(back->head.subject, "mm: slower");
	assert_int_equal(back->failures[0].head_runs, 6);
	report_free(back);
	report_free(r);
}

/* Without one key after the other, and with one that is of the wrong type. */
static void every_key_is_checked(void **state)
{
	static const char *const keys[] = {"base",	   "head",  "verdict",
					   "equal_images", "tests", "failures"};
	struct report *r = sample(), *back;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		for (int wrong = 0; wrong < 2; wrong++) {
			_cleanup_json_ json_t *json = report_json(r);
			struct err err = ERR_INIT;
			json_object_del(json, keys[i]);
			if (wrong)
				json_object_set_new(json, keys[i], json_integer(1));
			assert_int_equal(report_load(json, &back, &err), -1);
			assert_int_equal(err.kind, ERR_USER);
			assert_non_null(strstr(err.msg, keys[i]));
		}
	}
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(every_key_is_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
