/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/watch.h"

#include "harness/machine/console.h"
#include "harness/machine/console_log.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"

#define TICK_MS	 200
#define LINGER_S 10 /* for a better message, and for the guest to end by itself */
#define BELT_S	 30 /* behind the deadline that the console's rules keep */

struct watch {
	struct console console;
	struct console_log log;
};

static bool on_output(const char *data, size_t n, void *arg)
{
	struct watch *w = arg;
	double now = time_monotonic();

	if (data) {
		console_log_add(&w->log, data, n);
		console_feed(&w->console, data, n, now);
	}
	return console_expired(&w->console, now);
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

static void judge(const struct watch_spec *spec, struct watch *w, const struct proc_result *result,
		  struct str *errout, struct machine_end *end)
{
	_cleanup_str_ struct str line = STR_INIT;
	const char *last;

	end->seconds = result->seconds;
	end->status = console_verdict(&w->console, end->detail);
	end->init_seconds = w->console.init;
	if (result->status == PROC_CANCELLED) {
		end->status = MACHINE_CANCELLED;
		snprintf(end->detail, sizeof(end->detail), "cancelled");
		return;
	}
	if (!failed_by_itself(spec, w, result))
		return;
	str_rtrim(errout);
	last = strrchr(errout->buf, '\n');
	last = last ? last + 1 : errout->buf;
	str_add_safe(&line, last, strlen(last));
	end->status = MACHINE_INFRA_FAILED;
	snprintf(end->detail, sizeof(end->detail), "%s ended with %s %d%s%s", spec->name,
		 result->status == PROC_SIGNALED ? "signal" : "status", result->code,
		 line.len ? ": " : "", line.buf);
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

	console_init(&w.console, &limits, time_monotonic());
	if (console_log_open(&w.log, boot->folder, err) < 0)
		return -1;
	status = proc_run(&proc, &result, err);
	if (console_log_close(&w.log, status < 0 ? NULL : err) < 0 || status < 0)
		return -1;
	judge(spec, &w, &result, &errout, end);
	return 0;
}
