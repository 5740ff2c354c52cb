/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/watch.h"

#include "harness/machine/console.h"
#include "harness/machine/console_log.h"
#include "harness/machine/console_report.h"
#include "harness/machine/share.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"

#define TICK_MS	     200
#define SHARE_LOOK_S 1.0
#define LINGER_S     10 /* for a better message, and for the guest to end by itself */
#define BELT_S	     30 /* behind the deadline that the console's rules keep */

struct watch {
	struct console console;
	struct console_log log;
	const char *share;   /* folder that must not grow too large; NULL: none */
	double share_looked; /* when */
	bool share_over;
};

/* Looks about once a second; true when the machine must be stopped for it. */
static bool share_expired(struct watch *w, double now)
{
	if (!w->share || now - w->share_looked < SHARE_LOOK_S)
		return w->share_over;
	w->share_looked = now;
	w->share_over = share_over(w->share);
	return w->share_over;
}

static bool on_output(const char *data, size_t n, void *arg)
{
	struct watch *w = arg;
	double now = time_monotonic();

	if (data) {
		console_log_add(&w->log, data, n);
		console_feed(&w->console, data, n, now);
	}
	return console_expired(&w->console, now) || share_expired(w, now);
}

static bool failed_by_itself(const struct watch_spec *spec, const struct watch *w,
			     const struct proc_result *result)
{
	if (w->console.over_at > 0)
		return false;
	if (result->status == PROC_EXITED)
		return !spec->guest || result->code != 0;
	return result->status == PROC_SIGNALED;
}

static const struct watch_exit *explain(const struct watch_spec *spec, const struct watch *w,
					const struct proc_result *result, const char *errout,
					const char *detail)
{
	bool silent = w->console.over_at <= 0, ended = result->status == PROC_EXITED;

	for (const struct watch_exit *row = spec->exits; row && row->text; row++)
		if (row->on_console
			    ? !!strstr(detail, row->text)
			    : silent && (ended || row->stopped_too) && strstr(errout, row->text))
			return row;
	return NULL;
}

static void judge(const struct watch_spec *spec, struct watch *w, const struct proc_result *result,
		  struct str *errout, struct machine_end *end)
{
	_cleanup_str_ struct str line = STR_INIT;
	const struct watch_exit *why;
	const char *last;

	end->seconds = result->seconds;
	console_end(&w->console, end);
	if (w->console.agent == CONSOLE_DONE || w->console.agent == CONSOLE_GAVE_UP)
		end->done_seconds = w->console.over_at - w->console.start;
	if (result->status == PROC_CANCELLED) {
		console_overrule(end, MACHINE_CANCELLED, "cancelled", "cancelled");
		return;
	}
	if (w->share_over) {
		console_overrule(
			end, MACHINE_BENCH_FAILED, "bad-result",
			"the guest wrote more into its result folder than any answer holds");
		return;
	}
	why = explain(spec, w, result, errout->buf, end->detail);
	if (why && why->status == end->status) {
		snprintf(end->detail, sizeof(end->detail), "%s", why->detail);
		return;
	}
	if (why) {
		console_overrule(end, why->status, machine_status_name(why->status), why->detail);
		return;
	}
	if (!failed_by_itself(spec, w, result))
		return;
	str_rtrim(errout);
	last = strrchr(errout->buf, '\n');
	last = last ? last + 1 : errout->buf;
	str_addf(&line, "%s ended with %s %d%s", spec->name,
		 result->status == PROC_SIGNALED ? "signal" : "status", result->code,
		 *last ? ": " : "");
	str_add_safe(&line, last, strlen(last));
	console_overrule(end, MACHINE_INFRA_FAILED,
			 w->console.bytes ? "lost-connection"
					  : machine_status_name(MACHINE_INFRA_FAILED),
			 line.buf);
}

int watch_run(const struct watch_spec *spec, struct machine_end *end, struct err *err)
{
	const struct machine_boot *boot = spec->boot;
	const struct console_limits limits = {
		.boot = boot->machine->boot_timeout,
		.deadline = boot->deadline_s,
		.silence = boot->silence_s,
		.linger = LINGER_S,
	};
	_cleanup_str_ struct str errout = STR_INIT;
	struct watch w;
	const struct proc_spec proc = {
		.argv = (const char *const *)spec->argv,
		.env = spec->env,
		.cwd = boot->folder,
		.deadline_ms = (int)((boot->deadline_s + BELT_S) * 1000),
		.tick_ms = TICK_MS,
		.errout = &errout,
		.on_output = on_output,
		.arg = &w,
	};
	struct proc_result result;
	int status;

	w.share = spec->share;
	w.share_looked = 0;
	w.share_over = false;
	console_init(&w.console, &limits, time_monotonic());
	console_rules(&w.console, boot);
	if (console_log_open(&w.log, boot->folder, err) < 0)
		return -1;
	status = proc_run(&proc, &result, err);
	if (console_log_close(&w.log, status < 0 ? NULL : err) < 0 || status < 0)
		return -1;
	judge(spec, &w, &result, &errout, end);
	return console_report(boot->folder, end, err);
}
