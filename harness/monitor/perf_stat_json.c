/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/monitor/perf_stat_json.h"

#include <ctype.h>

#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"
#include "harness/util/units.h"

#define NAME_MAX_LEN 200
#define DERIVED_MAX  100 /* of one event */

/* A place in the text. */
struct cursor {
	const char *p, *end;
	int line; /* from 1 */
};

/* White space, commas between objects, and comments; true when something is left. */
static bool skip_blank(struct cursor *c)
{
	bool comment = false;

	for (; c->p < c->end; c->p++) {
		if (*c->p == '\n') {
			c->line++;
			comment = false;
		} else if (*c->p == '#') {
			comment = true;
		} else if (!comment && *c->p != ',' && !isspace((unsigned char)*c->p)) {
			return true;
		}
	}
	return false;
}

bool perf_stat_json_recognise(const char *text, size_t n)
{
	struct cursor c = {text, text + n, 1};

	return skip_blank(&c) && *c.p == '{';
}

/* perf ends a line behind each object, so a line is all that jansson ever sees at once. */
static json_t *next_object(struct cursor *c, struct err *err)
{
	const char *newline = memchr(c->p, '\n', c->end - c->p);
	size_t n = (newline ? newline : c->end) - c->p;
	_cleanup_str_ struct str what = STR_INIT;
	json_error_t fault;
	json_t *json;

	json = json_loadb(c->p, n, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &fault);
	if (json && json_is_object(json)) {
		c->p += fault.position;
		return json;
	}
	str_add_safe(&what, fault.text, strnlen(fault.text, sizeof(fault.text)));
	err_set(err, ERR_BENCH, "line %d: expected a JSON object of perf stat -j%s%s", c->line,
		json ? "" : ": ", json ? "" : what.buf);
	json_decref(json);
	return NULL;
}

/* Numbers come bare or, by version, as strings. 1: set; 0: absent or empty; -1: no number. */
static int get_number(const json_t *json, const char *key, double *ret)
{
	const json_t *value = json_object_get(json, key);

	if (!value || json_is_null(value))
		return 0;
	if (json_is_number(value)) {
		*ret = json_number_value(value);
		return 1;
	}
	if (!json_is_string(value))
		return -1;
	if (!*json_string_value(value))
		return 0;
	return units_parse_double(json_string_value(value), ret, NULL) < 0 ? -1 : 1;
}

static int bad(int line, const char *key, struct err *err)
{
	return err_set(err, ERR_BENCH, "line %d: \"%s\" has no value that perf stat would print",
		       line, key);
}

static int get_value(const json_t *json, struct perf_stat_event *event, int line, struct err *err)
{
	const char *text = json_string_value(json_object_get(json, "counter-value"));
	double value;

	if (streq(text, "<not supported>")) {
		event->status = PERF_STAT_NOT_SUPPORTED;
		return 0;
	}
	if (streq(text, "<not counted>")) {
		event->status = PERF_STAT_NOT_COUNTED;
		return 0;
	}
	if (get_number(json, "counter-value", &value) <= 0 || value < 0)
		return bad(line, "counter-value", err);
	event->value = value;
	return 0;
}

static int get_derived(const json_t *json, struct perf_stat_event *event, int line, struct err *err)
{
	const char *unit = json_string_value(json_object_get(json, "metric-unit"));
	double value;
	int found = get_number(json, "metric-value", &value);

	if (found < 0)
		return bad(line, "metric-value", err);
	if (found == 0 || !unit || !*unit || event->status != PERF_STAT_OK)
		return 0;
	if (event->n_derived == DERIVED_MAX)
		return err_set(err, ERR_BENCH, "line %d: more than %d values for one event", line,
			       DERIVED_MAX);
	perf_stat_add_derived(event, value, unit);
	return 0;
}

static bool good_name(const char *name)
{
	size_t n = strnlen(name, NAME_MAX_LEN + 1);

	for (size_t i = 0; i < n; i++)
		if (!isgraph((unsigned char)name[i]))
			return false;
	return n > 0 && n <= NAME_MAX_LEN;
}

/* Shares beside the value: absent is fine, else at least 0. */
static int get_share(const json_t *json, const char *key, double *ret, int line, struct err *err)
{
	double value = 0;
	int found = get_number(json, key, &value);

	if (found < 0 || value < 0)
		return bad(line, key, err);
	if (found)
		*ret = value;
	return 0;
}

static int add_event(const json_t *json, struct perf_stat *ps, int line, struct err *err)
{
	const char *name = json_string_value(json_object_get(json, "event"));
	const char *unit = json_string_value(json_object_get(json, "unit"));
	struct perf_stat_event *event;

	/* A line without an event continues the one before with another derived value. */
	if (!json_object_get(json, "event") && !json_object_get(json, "counter-value") && ps->n)
		return get_derived(json, &ps->events[ps->n - 1], line, err);
	if (!name || !good_name(name))
		return bad(line, "event", err);
	event = perf_stat_add(ps, xstrdup(name), xstrdup(unit ? unit : ""));
	if (!event)
		return err_set(err, ERR_BENCH, "line %d: more than %d events", line,
			       PERF_STAT_EVENTS_MAX);
	if (get_value(json, event, line, err) < 0 ||
	    get_share(json, "variance", &event->stderr_pct, line, err) < 0 ||
	    get_share(json, "pcnt-running", &event->running_pct, line, err) < 0)
		return -1;
	return get_derived(json, event, line, err);
}

int perf_stat_json_parse(const char *text, size_t n, struct perf_stat *ps, struct err *err)
{
	struct cursor c = {text, text + n, 1};

	while (skip_blank(&c)) {
		_cleanup_json_ json_t *json = next_object(&c, err);

		if (!json || add_event(json, ps, c.line, err) < 0)
			return -1;
	}
	return 0;
}
