/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/run.h"

#include <sys/wait.h>

#include "harness/agent/console.h"
#include "harness/agent/monitors.h"
#include "harness/agent/setup.h"
#include "harness/agent/watchdog.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/str.h"

#define GRACE_MS 500
#define SLACK_S	 20 /* beyond the timeout: killing what does not die takes 10 */

/* A run under way. */
struct run {
	const struct order *order;
	const struct order_run *what;
	size_t index;
	struct result *result;
	struct setup setup;
	json_t *iterations;
	struct str detail; /* why it failed; empty: it did not */
	bool failed;
};

static char *file_name(const struct run *run, int64_t k, const char *suffix)
{
	return xasprintf("runs/%zu/%lld.%s", run->index, (long long)k, suffix);
}

/* The whole command of iteration k: the monitors' in front, the first outermost. */
static int make_argv(struct run *run, int64_t k, char ***ret, struct err *err)
{
	_cleanup_strv_ char **argv = NULL;
	char **names = run->what->monitors;

	for (; names && *names; names++) {
		const struct agent_monitor *monitor = agent_monitor_find(*names);
		_cleanup_free_ char *name = NULL, *path = NULL;

		if (!monitor)
			return err_set(err, ERR_USER, "monitor \"%s\": this agent has none such",
				       *names);
		name = file_name(run, k, monitor->suffix);
		path = result_path(run->result, name, err);
		if (!path)
			return -1;
		if (monitor->wrap(run->order->toolbox, path, &argv) < 0 && k == 0)
			setup_add_missing(&run->setup, monitor->name);
	}
	for (char **word = run->what->argv; *word; word++)
		strv_add(&argv, *word);
	*ret = argv;
	argv = NULL;
	return 0;
}

static json_t *describe_end(const struct proc_result *end)
{
	json_t *json = json_object();
	bool exited = end->status == PROC_EXITED;

	json_object_set_new(json, "exit", exited ? json_integer(end->code) : json_null());
	json_object_set_new(json, "signal",
			    end->status == PROC_SIGNALED ? json_integer(end->code) : json_null());
	json_object_set_new(json, "timeout", json_boolean(end->status == PROC_DEADLINE));
	json_object_set_new(json, "seconds", json_num(end->seconds));
	return json;
}

static void add_last_line(struct str *detail, const struct str *errout)
{
	_cleanup_str_ struct str text = STR_INIT;
	const char *line;

	str_addn(&text, errout->buf, errout->len);
	str_trim(&text);
	if (!text.len)
		return;
	line = strrchr(text.buf, '\n');
	line = line ? line + 1 : text.buf;
	str_add(detail, ": ");
	str_add_safe(detail, line, strnlen(line, 300));
}

static void judge(struct run *run, int64_t k, const struct proc_result *end,
		  const struct str *errout)
{
	struct str *detail = &run->detail;

	run->failed = end->status != PROC_EXITED || end->code != 0;
	if (end->out_cut)
		str_addf(detail, "iteration %lld: output cut at %d bytes; ", (long long)k,
			 RESULT_FILE_CAP);
	if (!run->failed)
		return;
	str_addf(detail, "iteration %lld: ", (long long)k);
	if (end->status == PROC_EXITED)
		str_addf(detail, "exit status %d", end->code);
	else if (end->status == PROC_SIGNALED)
		str_addf(detail, "killed by signal %d", end->code);
	else if (end->status == PROC_DEADLINE)
		str_addf(detail, "not done after %g s", run->what->timeout_s);
	else
		str_add(detail, "cancelled");
	add_last_line(detail, errout);
}

static int keep_outputs(struct run *run, int64_t k, const struct str *out, const struct str *errout,
			struct err *err)
{
	_cleanup_free_ char *out_name = file_name(run, k, "out");
	_cleanup_free_ char *err_name = file_name(run, k, "err");

	if (result_write(run->result, out_name, out->buf, out->len, err) < 0 ||
	    result_write(run->result, err_name, errout->buf, errout->len, err) < 0)
		return -1;
	for (const struct agent_monitor *m = agent_monitors; m->name; m++) {
		_cleanup_free_ char *name = file_name(run, k, m->suffix);

		result_adopt(run->result, name);
	}
	return 0;
}

/* Children that the benchmark left behind become ours as PID 1; here they are only waited for. */
static void reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static int iterate(struct run *run, int64_t k, struct err *err)
{
	_cleanup_strv_ char **argv = NULL;
	_cleanup_str_ struct str out = STR_INIT;
	_cleanup_str_ struct str errout = STR_INIT;
	struct proc_spec spec = {
		.cwd = run->order->scratch,
		.deadline_ms = run->what->timeout_s * 1000,
		.grace_ms = GRACE_MS,
		.out = &out,
		.errout = &errout,
		.out_cap = RESULT_FILE_CAP,
	};
	struct proc_result end = {.status = PROC_EXITED, .code = 127};
	struct err start = ERR_INIT;

	if (make_argv(run, k, &argv, err) < 0)
		return -1;
	spec.argv = (const char *const *)argv;
	console_say("iteration %zu %lld", run->index, (long long)k);
	watchdog_feed(run->what->timeout_s + SLACK_S);
	if (proc_run(&spec, &end, &start) < 0)
		str_add(&errout, start.msg);
	reap();
	judge(run, k, &end, &errout);
	json_array_append_new(run->iterations, describe_end(&end));
	return keep_outputs(run, k, &out, &errout, err);
}

static int write_summary(struct run *run, struct err *err)
{
	_cleanup_free_ char *name = xasprintf("runs/%zu/run.json", run->index);
	_cleanup_json_ json_t *json = json_object();
	json_t *missing = json_array();

	for (char **word = run->setup.missing; word && *word; word++)
		json_array_append_new(missing, json_string(*word));
	json_object_set_new(json, "case", json_string(run->what->name));
	json_object_set_new(json, "status", json_string(run->failed ? "bench-failed" : "ok"));
	json_object_set_new(json, "detail", json_string(run->detail.buf));
	json_object_set_new(json, "setup_missing", missing);
	json_object_set(json, "iterations", run->iterations);
	return result_write_json(run->result, name, json, err);
}

static int run_all(struct run *run, struct err *err)
{
	if (setup_apply(&run->setup, run->what->setup, err) < 0)
		return -1;
	for (int64_t k = 0; k < run->what->iterations && !run->failed; k++) {
		if (iterate(run, k, err) < 0 || proc_check_cancel(err) < 0)
			return -1;
	}
	return write_summary(run, err);
}

int run_case(const struct order *order, size_t index, struct result *result, struct err *err)
{
	struct run run = {.order = order,
			  .what = &order->runs[index],
			  .index = index,
			  .result = result,
			  .setup = SETUP_INIT,
			  .iterations = json_array(),
			  .detail = STR_INIT};
	int rc;

	console_say("run %zu %s", index, run.what->name);
	rc = run_all(&run, err);
	setup_restore(&run.setup);
	json_decref(run.iterations);
	str_done(&run.detail);
	return rc < 0 ? err_wrap(err, "run %zu (%s)", index, run.what->name) : 0;
}
