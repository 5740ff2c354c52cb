/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/console.h"

#include <ctype.h>

#define FAILED(words, kind)                                                \
	{                                                                  \
		.text = (words), .event = CONSOLE_FAILED, .status = (kind) \
	}

/* What is more special stands first: "BUG: soft lockup" is a hang, any other "BUG: " an oops. A
 * user program's fault reads "general protection fault ip:" and is none of the kernel's. */
const struct console_mark console_marks[] = {
	{.text = "lkp-agent: start", .event = CONSOLE_START},
	{.text = "lkp-agent: done", .event = CONSOLE_DONE},
	{.text = "lkp-agent: fail", .event = CONSOLE_GAVE_UP, .status = MACHINE_BENCH_FAILED},
	{.text = "lkp-agent: ", .event = CONSOLE_ALIVE},

	FAILED("Kernel panic - not syncing: No working init found", MACHINE_NO_INIT),
	FAILED("Kernel panic - not syncing: No init found", MACHINE_NO_INIT),
	FAILED("Kernel panic - not syncing: Requested init", MACHINE_NO_INIT),
	FAILED("Kernel panic - not syncing: VFS: Unable to mount root", MACHINE_NO_INIT),
	FAILED("Kernel panic - not syncing", MACHINE_PANIC),

	FAILED("BUG: soft lockup", MACHINE_HANG),
	FAILED("BUG: workqueue lockup", MACHINE_HANG),
	FAILED("Watchdog detected hard LOCKUP", MACHINE_HANG),
	FAILED("self-detected stall on CPU", MACHINE_HANG),
	FAILED("detected stalls on CPUs/tasks", MACHINE_HANG),
	FAILED("detected expedited stalls on CPUs/tasks", MACHINE_HANG),
	FAILED("blocked for more than", MACHINE_HANG),

	FAILED("BUG: ", MACHINE_OOPS),
	FAILED("kernel BUG at ", MACHINE_OOPS),
	FAILED("Oops: ", MACHINE_OOPS),
	FAILED("general protection fault: ", MACHINE_OOPS),
	FAILED("general protection fault, ", MACHINE_OOPS),
	FAILED("Unable to handle kernel", MACHINE_OOPS),
	FAILED("invalid opcode: ", MACHINE_OOPS),
	FAILED("divide error: ", MACHINE_OOPS),
	FAILED("stack segment: ", MACHINE_OOPS),
	FAILED("traps: PANIC: double fault", MACHINE_OOPS),
	FAILED("Internal error: ", MACHINE_OOPS),
	{.text = NULL},
};

#define MARK_MAX 64 /* longer than any text above */

void console_init(struct console *c, const struct console_limits *limits, double now)
{
	*c = (struct console){.limits = *limits, .start = now, .last = now, .forced = MACHINE_OK};
}

static void copy_safe(char *to, size_t size, const char *text)
{
	_cleanup_str_ struct str safe = STR_INIT;

	str_add_safe(&safe, text, strlen(text));
	snprintf(to, size, "%s", safe.buf);
}

/* "<6>[    1.234567][    T1] " off the front. */
static const char *cut_prefix(const char *line)
{
	const char *p = line, *end;

	if (*p == '<' && isdigit((unsigned char)p[1]) && (end = strchr(p, '>')) && end - p <= 4)
		p = end + 1;
	for (;; p = end + 1) {
		while (*p == ' ')
			p++;
		end = *p == '[' ? p + 1 + strspn(p + 1, " .0123456789TC") : p;
		if (*end != ']')
			return p;
	}
}

static void decide(struct console *c, double now)
{
	if (c->over_at <= 0)
		c->over_at = now;
}

static void agent_says(struct console *c, const struct console_mark *mark, const char *text,
		       double now)
{
	if (c->init <= 0)
		c->init = now - c->start;
	if (c->agent == CONSOLE_NOTHING)
		c->agent = CONSOLE_START;
	copy_safe(c->doing, sizeof(c->doing), text + strlen("lkp-agent: "));
	if (mark->event != CONSOLE_DONE && mark->event != CONSOLE_GAVE_UP)
		return;
	c->agent = mark->event;
	decide(c, now);
}

static void look_at(struct console *c, double now)
{
	const struct console_mark *mark;
	const char *line = cut_prefix(c->line), *found = NULL;

	if (*line)
		copy_safe(c->last_line, sizeof(c->last_line), line);
	for (mark = console_marks; mark->text && !(found = strstr(line, mark->text)); mark++)
		;
	if (!found)
		return;
	if (mark->event != CONSOLE_FAILED) {
		agent_says(c, mark, found, now);
	} else if (!c->failure) {
		c->failure = mark;
		copy_safe(c->detail, sizeof(c->detail), line);
		decide(c, now);
	}
}

static void end_line(struct console *c, double now)
{
	c->line[c->len] = '\0';
	look_at(c, now);
	c->len = 0;
}

/* A line without an end: look at what there is and keep enough for a mark that is cut in two. */
static void shift_line(struct console *c, double now)
{
	end_line(c, now);
	memmove(c->line, c->line + CONSOLE_LINE_MAX - MARK_MAX, MARK_MAX);
	c->len = MARK_MAX;
}

void console_feed(struct console *c, const char *data, size_t n, double now)
{
	if (!n)
		return;
	c->bytes += n;
	c->last = now;
	for (size_t i = 0; i < n; i++) {
		if (data[i] == '\n' || data[i] == '\r') {
			end_line(c, now);
			continue;
		}
		if (!data[i])
			continue;
		if (c->len == CONSOLE_LINE_MAX)
			shift_line(c, now);
		c->line[c->len++] = data[i];
	}
}

/* From the start until when this boot may go on. */
static double allowed(const struct console *c)
{
	const struct console_limits *l = &c->limits;
	bool waiting = c->agent == CONSOLE_NOTHING && l->boot > 0;

	return waiting && l->boot < l->deadline ? l->boot : l->deadline;
}

bool console_expired(struct console *c, double now)
{
	if (c->over_at > 0)
		return now - c->over_at >= c->limits.linger;
	if (now - c->start >= allowed(c))
		c->forced = MACHINE_DEADLINE;
	else if (now - c->last >= c->limits.silence)
		c->forced = MACHINE_SILENCE;
	return c->forced != MACHINE_OK;
}

static void forced_detail(const struct console *c, char *ret_detail)
{
	if (!c->bytes)
		snprintf(ret_detail, 400, "no console output at all");
	else if (c->forced == MACHINE_SILENCE)
		snprintf(ret_detail, 400, "no console output for %g s; the last line was: %s",
			 c->limits.silence, c->last_line);
	else if (c->agent == CONSOLE_NOTHING)
		snprintf(ret_detail, 400,
			 "the agent had not started after %g s; the last line was: %s", allowed(c),
			 c->last_line);
	else
		snprintf(ret_detail, 400, "not done after %g s; the agent was at: %s",
			 c->limits.deadline, c->doing);
}

/* The machine ended by itself and neither the agent nor the kernel said why. */
static enum machine_status unexplained(const struct console *c, char *ret_detail)
{
	if (c->agent == CONSOLE_START) {
		snprintf(ret_detail, 400, "the machine restarted by itself; the agent was at: %s",
			 c->doing);
		return MACHINE_PANIC;
	}
	if (c->bytes)
		snprintf(ret_detail, 400,
			 "the machine restarted before the agent started; the last line was: %s",
			 c->last_line);
	else
		snprintf(ret_detail, 400, "the machine restarted without any console output");
	return MACHINE_NO_INIT;
}

enum machine_status console_verdict(struct console *c, char *ret_detail)
{
	if (c->len)
		end_line(c, c->last);
	if (c->failure) {
		snprintf(ret_detail, 400, "%s", c->detail);
		return c->failure->status;
	}
	if (c->agent == CONSOLE_DONE) {
		*ret_detail = '\0';
		return MACHINE_OK;
	}
	if (c->agent == CONSOLE_GAVE_UP) {
		snprintf(ret_detail, 400, "%s", c->doing);
		return MACHINE_BENCH_FAILED;
	}
	if (c->forced == MACHINE_OK)
		return unexplained(c, ret_detail);
	forced_detail(c, ret_detail);
	return c->forced;
}
