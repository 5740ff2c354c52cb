/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/monitor/perf_stat.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define CLOCK                                                                                  \
	"{\"counter-value\" : \"0.483238\", \"unit\" : \"msec\", \"event\" : \"task-clock\", " \
	"\"event-runtime\" : 483238, \"pcnt-running\" : 100.00, \"metric-value\" : 0.360316, " \
	"\"metric-unit\" : \"CPUs utilized\"}"
#define SWITCHES \
	"{\"counter-value\" : \"1.000000\", \"unit\" : \"\", \"event\" : \"context-switches\"}"
#define CYCLES                                                                                \
	"{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : \"cycles\", " \
	"\"metric-value\" : 0.000000, \"metric-unit\" : \"\"}"
#define BRANCHES \
	"{\"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" : \"branches\"}"

static int parse(const char *text, struct perf_stat *ps, struct err *err)
{
	return perf_stat_parse(text, strlen(text), ps, err);
}

static void all_of_a_record(void **state)
{
	_cleanup_(perf_stat_done) struct perf_stat ps = {0};

	(void)state;
	assert_int_equal(parse("# started on Wed Jan  1 00:00:01 2020\n\n" CLOCK "\n" CYCLES "\n",
			       &ps, NULL),
			 0);
	assert_int_equal(ps.n, 2);
	assert_string_equal(ps.events[0].event, "task-clock");
	assert_string_equal(ps.events[0].unit, "msec");
	assert_int_equal(ps.events[0].status, PERF_STAT_OK);
	assert_true(ps.events[0].value == 0.483238);
	assert_true(ps.events[0].running_pct == 100);
	assert_true(isnan(ps.events[0].stderr_pct));
	assert_int_equal(ps.events[0].n_derived, 1);
	assert_true(ps.events[0].derived[0].value == 0.360316);
	assert_string_equal(ps.events[0].derived[0].unit, "CPUs utilized");
	assert_int_equal(ps.events[1].status, PERF_STAT_NOT_SUPPORTED);
	assert_true(isnan(ps.events[1].value));
	assert_int_equal(ps.events[1].n_derived, 0);
	assert_true(isnan(ps.elapsed_s) && isnan(ps.elapsed_stderr_pct));
	assert_int_equal(ps.runs, 0);
	assert_null(ps.command);
}

static void shapes_that_occur(void **state)
{
	static const struct {
		const char *text;
		size_t n, derived; /* of the last event */
		double value, stderr_pct;
	} cases[] = {
		{CLOCK CLOCK, 2, 1, 0.483238, NAN},
		{CLOCK ", " SWITCHES "\n", 2, 0, 1, NAN},
		{"{\"counter-value\" : 17, \"event\" : \"a\"}", 1, 0, 17, NAN},
		{"{\"counter-value\" : \"5\", \"event\" : \"a:u\", \"variance\" : 0.25}", 1, 0, 5,
		 0.25},
		{"{\"counter-value\" : \"5\", \"event\" : \"cpu_core/cycles/\"}\n"
		 "{\"metric-value\" : \"1.5\", \"metric-unit\" : \"insn per cycle\"}\n"
		 "{\"metric-value\" : \"0.2\", \"metric-unit\" : \"stalled cycles per insn\"}\n",
		 1, 2, 5, NAN},
		{"{\"counter-value\" : \"0.000000\", \"event\" : \"a\", \"metric-value\" : \"\"}",
		 1, 0, 0, NAN},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(perf_stat_done) struct perf_stat ps = {0};
		struct err err = ERR_INIT;
		const struct perf_stat_event *last;

		if (parse(cases[i].text, &ps, &err) < 0)
			fail_msg("%zu: %s", i, err.msg);
		assert_int_equal(ps.n, cases[i].n);
		last = &ps.events[ps.n - 1];
		assert_int_equal(last->n_derived, cases[i].derived);
		assert_true(last->value == cases[i].value);
		assert_true(last->stderr_pct == cases[i].stderr_pct ||
			    (isnan(last->stderr_pct) && isnan(cases[i].stderr_pct)));
	}
}

static void hostile_text(void **state)
{
	static const char *const cases[][2] = {
		{"", "line 1: not an output of perf stat"},
		{"# only a comment {", "not an output of perf stat"},
		{"[1, 2]", "not an output of perf stat"},
		{"hello", "not an output of perf stat"},
		{CLOCK "\nhello", "line 2: expected a JSON object"},
		{CLOCK "\n\n{\"counter-value\" : ", "line 3: expected a JSON object"},
		{CLOCK "\n[]", "line 2: expected a JSON object"},
		{CLOCK "}", "line 1: expected a JSON object"},
		{"{}", "\"event\""},
		{"{\"event\" : \"a\"}", "\"counter-value\""},
		{"{\"event\" : 5, \"counter-value\" : \"1\"}", "\"event\""},
		{"{\"event\" : \"\", \"counter-value\" : \"1\"}", "\"event\""},
		{"{\"event\" : \"a b\", \"counter-value\" : \"1\"}", "\"event\""},
		{"{\"event\" : \"a\\n\", \"counter-value\" : \"1\"}", "\"event\""},
		{"{\"event\" : \"a\", \"event\" : \"a\", \"counter-value\" : \"1\"}", "duplicate"},
		{"{\"event\" : \"a\", \"counter-value\" : \"\"}", "\"counter-value\""},
		{"{\"event\" : \"a\", \"counter-value\" : \"-1\"}", "\"counter-value\""},
		{"{\"event\" : \"a\", \"counter-value\" : -1}", "\"counter-value\""},
		{"{\"event\" : \"a\", \"counter-value\" : \"nan\"}", "\"counter-value\""},
		{"{\"event\" : \"a\", \"counter-value\" : \"1e999\"}", "\"counter-value\""},
		{"{\"event\" : \"a\", \"counter-value\" : [1]}", "\"counter-value\""},
		{"{\"event\" : \"a\", \"counter-value\" : \"<what?>\"}", "\"counter-value\""},
		{"{\"event\" : \"a\", \"counter-value\" : \"1\", \"pcnt-running\" : -3}",
		 "\"pcnt-running\""},
		{"{\"event\" : \"a\", \"counter-value\" : \"1\", \"variance\" : {}}",
		 "\"variance\""},
		{"{\"metric-value\" : 1, \"metric-unit\" : \"x\"}", "\"event\""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct perf_stat ps = {.runs = 77};
		struct err err = ERR_INIT;

		if (parse(cases[i][0], &ps, &err) == 0)
			fail_msg("%zu: \"%s\" was read", i, cases[i][0]);
		assert_int_equal(err.kind, ERR_BENCH);
		if (!strstr(err.msg, cases[i][1]))
			fail_msg("%zu: \"%s\" without \"%s\"", i, err.msg, cases[i][1]);
		assert_int_equal(ps.runs, 77);
	}
}

static void more_events_than_a_set_holds(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;
	struct perf_stat ps;
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i <= PERF_STAT_EVENTS_MAX; i++)
		str_addf(&text, "{\"event\" : \"e%d\", \"counter-value\" : \"1\"}\n", i);
	assert_int_equal(parse(text.buf, &ps, &err), -1);
	assert_non_null(strstr(err.msg, "line 1001: more than 1000 events"));
}

static void absent_counters_are_no_values(void **state)
{
	static const char text[] = CLOCK "\n" CYCLES "\n" BRANCHES "\n" SWITCHES "\n";
	_cleanup_(metric_set_done) struct metric_set set = {0};
	_cleanup_strv_ char **absent = NULL;
	const struct monitor *monitor = monitor_find("perf-stat");

	(void)state;
	assert_non_null(monitor);
	assert_int_equal(monitor->parse(text, strlen(text), &set, &absent, NULL), 0);
	assert_int_equal(set.n, 2);
	assert_string_equal(set.values[0].name, "perf-stat.task-clock");
	assert_string_equal(set.values[1].name, "perf-stat.context-switches");
	assert_int_equal(strv_len(absent), 2);
	assert_string_equal(absent[0], "perf-stat.cycles: not supported");
	assert_string_equal(absent[1], "perf-stat.branches: not counted");
}

static void an_event_twice_is_no_metric(void **state)
{
	static const char text[] = CLOCK "\n" CYCLES "\n" CLOCK "\n";
	struct metric_set set = {0};
	char **absent = NULL;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(monitor_perf_stat.parse(text, strlen(text), &set, &absent, &err), -1);
	assert_non_null(strstr(err.msg, "task-clock"));
	assert_int_equal(set.n, 0);
	assert_null(absent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_a_record),
		cmocka_unit_test(shapes_that_occur),
		cmocka_unit_test(hostile_text),
		cmocka_unit_test(more_events_than_a_set_holds),
		cmocka_unit_test(absent_counters_are_no_values),
		cmocka_unit_test(an_event_twice_is_no_metric),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
