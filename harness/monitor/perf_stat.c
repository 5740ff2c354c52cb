/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/monitor/perf_stat.h"

#include <math.h>

#include "harness/monitor/perf_stat_json.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

/* perf has printed its counters in many forms; the first that recognises the text reads it. */
static const struct perf_stat_form {
	const char *name;
	bool (*recognise)(const char *text, size_t n);
	int (*parse)(const char *text, size_t n, struct perf_stat *ps, struct err *err);
} forms[] = {
	{"JSON (perf stat -j)", perf_stat_json_recognise, perf_stat_json_parse},
};

const char *perf_stat_status_name(enum perf_stat_status status)
{
	static const char *const names[] = {
		[PERF_STAT_OK] = "ok",
		[PERF_STAT_NOT_COUNTED] = "not counted",
		[PERF_STAT_NOT_SUPPORTED] = "not supported",
	};

	return names[status];
}

struct perf_stat_event *perf_stat_add(struct perf_stat *ps, char *event, char *unit)
{
	if (ps->n == PERF_STAT_EVENTS_MAX) {
		free(event);
		free(unit);
		return NULL;
	}
	mem_grow(&ps->events, &ps->cap, ps->n + 1, sizeof(*ps->events));
	ps->events[ps->n] = (struct perf_stat_event){
		.event = event,
		.value = NAN,
		.unit = unit,
		.stderr_pct = NAN,
		.running_pct = NAN,
	};
	return &ps->events[ps->n++];
}

void perf_stat_add_derived(struct perf_stat_event *event, double value, const char *unit)
{
	mem_grow(&event->derived, &event->cap_derived, event->n_derived + 1,
		 sizeof(*event->derived));
	event->derived[event->n_derived++] = (struct perf_stat_derived){value, xstrdup(unit)};
}

static void event_done(struct perf_stat_event *event)
{
	for (size_t i = 0; i < event->n_derived; i++)
		free(event->derived[i].unit);
	free(event->derived);
	free(event->event);
	free(event->unit);
}

void perf_stat_done(struct perf_stat *ps)
{
	for (size_t i = 0; i < ps->n; i++)
		event_done(&ps->events[i]);
	free(ps->events);
	free(ps->command);
	*ps = (struct perf_stat){0};
}

int perf_stat_parse(const char *text, size_t n, struct perf_stat *ret, struct err *err)
{
	struct perf_stat ps = {.elapsed_s = NAN, .elapsed_stderr_pct = NAN};
	_cleanup_str_ struct str known = STR_INIT;

	if (n > PERF_STAT_CAP)
		return err_set(err, ERR_BENCH, "more than %d bytes of perf stat output",
			       PERF_STAT_CAP);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		str_addf(&known, "%s%s", i ? ", " : "", forms[i].name);
		if (!forms[i].recognise(text, n))
			continue;
		if (forms[i].parse(text, n, &ps, err) < 0) {
			perf_stat_done(&ps);
			return -1;
		}
		*ret = ps;
		return 0;
	}
	return err_set(err, ERR_BENCH, "line 1: not an output of perf stat that is known here: %s",
		       known.buf);
}

static int add_event(const struct perf_stat_event *event, struct metric_set *set, char ***absent,
		     struct err *err)
{
	_cleanup_free_ char *name = xasprintf("perf-stat.%s", event->event);
	_cleanup_free_ char *text = NULL;

	if (event->status != PERF_STAT_OK) {
		text = xasprintf("%s: %s", name, perf_stat_status_name(event->status));
		strv_add(absent, text);
		return 0;
	}
	if (metric_set_find(set, name) >= 0)
		return err_set(err, ERR_BENCH, "event \"%s\" is there twice", event->event);
	metric_set_add(set, name, event->value);
	return 0;
}

static int parse_metrics(const char *text, size_t n, struct metric_set *ret, char ***ret_absent,
			 struct err *err)
{
	_cleanup_(perf_stat_done) struct perf_stat ps = {0};
	_cleanup_(metric_set_done) struct metric_set set = {0};
	_cleanup_strv_ char **absent = NULL;

	if (perf_stat_parse(text, n, &ps, err) < 0)
		return -1;
	for (size_t i = 0; i < ps.n; i++)
		if (add_event(&ps.events[i], &set, &absent, err) < 0)
			return -1;
	for (size_t i = 0; i < set.n; i++)
		metric_set_add(ret, set.values[i].name, set.values[i].value);
	for (char **word = absent; word && *word; word++)
		strv_add(ret_absent, *word);
	return 0;
}

const struct monitor monitor_perf_stat = {
	.name = "perf-stat",
	.summary = "Counts hardware and kernel events of the benchmark and all its tasks",
	.suffix = "perf",
	.parse = parse_metrics,
};
