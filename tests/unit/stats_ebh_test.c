/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/ebh.h"

#include "tests/unit/stats_near.h"

#define MOST 6

/* Thresholds m / (k q); for m = 4 and q = 5 %: 80, 40, 26.7, 20. */
static void selections(void **state)
{
	static const struct {
		double e[MOST];
		size_t m;
		double q;
		const char *selected;
	} rows[] = {
		{{0}, 0, 0.05, ""},
		{{21}, 1, 0.05, "y"},
		{{19}, 1, 0.05, "n"},
		{{81, 1, 1, 1}, 4, 0.05, "ynnn"},
		{{79, 1, 1, 1}, 4, 0.05, "nnnn"},
		{{1, 41, 2, 41}, 4, 0.05, "nyny"},
		{{41, 39, 1, 1}, 4, 0.05, "nnnn"},
		{{21, 21, 21, 21}, 4, 0.05, "yyyy"},
		{{21, 21, 21, 19}, 4, 0.05, "nnnn"},
		{{27, 1e9, 27, 0}, 4, 0.05, "yyyn"},
		/* The largest alone would not do, all four together do. */
		{{50, 22, 30, 23}, 4, 0.05, "yyyy"},
		{{50, 22, 30, 23, 1, 1},
		 6,
		 0.05,
		 "nnnn"
		 "nn"},
		{{50, 22, 30, 23, 1, 1}, 6, 0.2, "yyyynn"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double log_e[MOST];
		bool selected[MOST] = {false};
		size_t k = 99, want = 0;

		for (size_t j = 0; j < rows[i].m; j++)
			log_e[j] = log(rows[i].e[j]);
		assert_int_equal(stats_ebh(log_e, rows[i].m, rows[i].q, selected, &k, NULL), 0);
		for (size_t j = 0; j < rows[i].m; j++) {
			assert_int_equal(selected[j], rows[i].selected[j] == 'y');
			want += selected[j];
		}
		assert_int_equal(k, want);
	}
}

static void beyond_doubles(void **state)
{
	static const double log_e[] = {1e6, -1e6, -INFINITY};
	bool selected[3];

	(void)state;
	assert_int_equal(stats_ebh(log_e, 3, 0.05, selected, NULL, NULL), 0);
	assert_true(selected[0] && !selected[1] && !selected[2]);
}

/* A larger q never takes a selected one away. */
static void grows_with_q(void **state)
{
	static const double e[] = {3, 500, 70, 9, 31, 12};
	double log_e[COUNT(e)];
	bool before[COUNT(e)] = {false}, now[COUNT(e)];
	size_t k = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(e); i++)
		log_e[i] = log(e[i]);
	for (double q = 0.001; q < 1; q += 0.001) {
		assert_int_equal(stats_ebh(log_e, COUNT(e), q, now, &k, NULL), 0);
		for (size_t i = 0; i < COUNT(e); i++)
			assert_true(now[i] || !before[i]);
		memcpy(before, now, sizeof(before));
	}
	assert_int_equal(k, COUNT(e));
}

static void bad_input_is_refused(void **state)
{
	static const double bad[] = {NAN, INFINITY};
	static const double not_q[] = {0, 1, -1, NAN};
	double log_e[] = {1, 2};
	bool selected[2] = {true, true};
	size_t k = 99;
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(not_q); i++)
		assert_int_equal(stats_ebh(log_e, 2, not_q[i], selected, &k, NULL), -1);
	for (size_t i = 0; i < COUNT(bad); i++) {
		log_e[1] = bad[i];
		assert_int_equal(stats_ebh(log_e, 2, 0.05, selected, &k, &err), -1);
		assert_int_equal(err.kind, ERR_USER);
	}
	assert_true(selected[0] && selected[1] && k == 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selections),
		cmocka_unit_test(beyond_doubles),
		cmocka_unit_test(grows_with_q),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
