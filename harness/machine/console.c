/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/console.h"

#include <ctype.h>

#include "harness/machine/console_line.h"

#define AGENT "lkp-agent: "

void console_init(struct console *c, const struct console_limits *limits, double now)
{
	*c = (struct console){.limits = *limits, .start = now, .last = now, .forced = MACHINE_OK};
}

void console_rules(struct console *c, const struct machine_boot *boot)
{
	c->rules = (struct console_rules){.ignore = boot->ignore,
					  .fatal_warnings = boot->fatal_warnings};
}

static void copy_safe(char *to, size_t size, const char *text)
{
	_cleanup_str_ struct str safe = STR_INIT;

	str_add_safe(&safe, text, strlen(text));
	snprintf(to, size, "%s", safe.buf);
}

static void decide(struct console *c, double now)
{
	if (c->over_at <= 0)
		c->over_at = now;
}

static enum console_event agent_event(const char *said)
{
	static const struct {
		const char *text;
		enum console_event event;
	} words[] = {{"start", CONSOLE_START}, {"done", CONSOLE_DONE}, {"fail", CONSOLE_GAVE_UP}};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_starts(said, words[i].text))
			return words[i].event;
	return CONSOLE_ALIVE;
}

static enum console_event agent_says(struct console *c, const char *said, double now)
{
	enum console_event event = agent_event(said);

	if (c->init <= 0)
		c->init = now - c->start;
	if (c->agent == CONSOLE_NOTHING)
		c->agent = CONSOLE_START;
	copy_safe(c->doing, sizeof(c->doing), said);
	if (event == CONSOLE_DONE || event == CONSOLE_GAVE_UP) {
		c->agent = event;
		decide(c, now);
	}
	return event;
}

/* ---- what the kernel says ----------------------------------------------------------------------
 */

static bool is_ignored(const struct console *c, const char *title)
{
	for (char *const *text = c->rules.ignore; text && *text; text++)
		if (**text && strstr(title, *text))
			return true;
	return false;
}

static void begin(struct console *c, struct console_finding *f, uint32_t caller, double now)
{
	bool ignored = is_ignored(c, f->title);

	f->at = now;
	if (streq(f->kind->name, "warning"))
		f->fatal = c->rules.fatal_warnings;
	if (!findings_begin(&c->findings, f, caller, ignored) || ignored)
		return;
	if (f->fatal || console_is_echo(f->title))
		decide(c, now);
}

/* The kernel's banner: a second one means that the machine restarted. A console that is registered
 * late repeats all that was printed so far. */
static bool restarted(struct console *c)
{
	bool again = c->booted && !strstr(c->last_line, "] enabled");

	c->booted = true;
	return again;
}

static void reported(struct console *c, const struct console_match *m, const char *text,
		     uint32_t caller, size_t offset, double now)
{
	struct console_finding f = {.kind = m->kind, .fatal = m->fatal, .offset = offset};

	if (streq(m->kind->name, "unexpected-reboot")) {
		if (!restarted(c))
			return;
		/* The agent did not get to speak, as in any other boot that ends so. */
		if (c->agent == CONSOLE_NOTHING)
			f.kind = console_kind_find("no-init");
		f.at = now;
		snprintf(f.title, sizeof(f.title), "the machine restarted by itself");
		findings_add(&c->findings, &f);
		decide(c, now);
		return;
	}
	/* The last line of a panic's report names it once more. */
	if (str_starts(text, "---[ end ") && findings_has(&c->findings, m->kind))
		return;
	copy_safe(f.title, sizeof(f.title), text);
	begin(c, &f, caller, now);
}

static void garbled(struct console *c, const char *text, size_t n, uint32_t caller, size_t offset,
		    double now)
{
	const struct console_kind *kind = garble_feed(&c->garble, text, n);
	struct console_finding f = {.kind = kind, .fatal = true, .offset = offset};

	if (!kind || findings_has(&c->findings, kind))
		return;
	snprintf(f.title, sizeof(f.title), "%s, reported by CPUs that print over each other",
		 kind->name);
	begin(c, &f, caller, now);
}

/* One line, or a piece of an endless one. */
static void look_at(struct console *c, size_t offset, double now)
{
	struct console_match match;
	uint32_t caller = 0;
	bool cut = c->seen > 0;
	const char *text = cut ? c->line : console_line_text(c->line, &caller);
	const char *agent = strstr(text, AGENT);
	size_t n = c->len - (size_t)(text - c->line);

	if (agent && agent_says(c, agent + strlen(AGENT), now) == CONSOLE_GAVE_UP)
		return;
	if (console_match(text, n, c->seen, cut, &match))
		reported(c, &match, text, caller, offset, now);
	else if (c->findings.n_open)
		findings_line(&c->findings, text, caller);
	garbled(c, c->line + c->seen, c->len - c->seen, caller, offset, now);
	if (n) {
		size_t part = n < sizeof(c->last_line) - 1 ? n : sizeof(c->last_line) - 1;

		memcpy(c->last_line, text, part);
		c->last_line[part] = '\0';
	}
}

/* ---- lines --------------------------------------------------------------------------------------
 * The offset of a line in the log is that of its first byte; `end` is that behind its last.
 */

static void end_line(struct console *c, size_t end, double now)
{
	size_t begin_at = end > c->len ? end - c->len : 0;

	c->line[c->len] = '\0';
	if (c->len > c->seen)
		look_at(c, begin_at, now);
	c->len = c->seen = 0;
}

/* A line without an end: look at what there is and keep enough for a word that is cut in two. */
static void shift_line(struct console *c, size_t end, double now)
{
	end_line(c, end, now);
	memmove(c->line, c->line + CONSOLE_LINE_MAX - CONSOLE_WORD_MAX, CONSOLE_WORD_MAX);
	c->len = c->seen = CONSOLE_WORD_MAX;
}

/* Text without an end of line and without a NUL. */
static void add_text(struct console *c, const char *text, size_t n, size_t at, double now)
{
	while (n) {
		size_t room, part;

		if (c->len == CONSOLE_LINE_MAX)
			shift_line(c, at, now);
		room = CONSOLE_LINE_MAX - c->len;
		part = n < room ? n : room;
		memcpy(c->line + c->len, text, part);
		c->len += part;
		text += part;
		at += part;
		n -= part;
	}
}

static size_t until(const char *text, char c, size_t n)
{
	const char *found = memchr(text, c, n);

	return found ? (size_t)(found - text) : n;
}

void console_feed(struct console *c, const char *data, size_t n, double now)
{
	size_t i = 0, at = c->bytes;

	if (!n)
		return;
	c->bytes += n;
	c->last = now;
	while (i < n) {
		size_t part = until(data + i, '\n', n - i);

		part = until(data + i, '\r', part);
		part = until(data + i, '\0', part);
		add_text(c, data + i, part, at + i, now);
		i += part;
		if (i < n && data[i])
			end_line(c, at + i, now);
		i++;
	}
}

/* ---- the end -----------------------------------------------------------------------------------
 */

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

static const char *forced_kind(const struct console *c)
{
	if (!c->bytes)
		return "early-silence";
	return c->forced == MACHINE_SILENCE ? "silence" : "deadline";
}

static void forced_title(const struct console *c, const char *last_line, struct console_finding *f)
{
	size_t size = sizeof(f->title);

	if (!c->bytes)
		snprintf(f->title, size, "no console output at all");
	else if (c->forced == MACHINE_SILENCE)
		snprintf(f->title, size, "no console output for %g s; the last line was: %s",
			 c->limits.silence, last_line);
	else if (c->agent == CONSOLE_NOTHING)
		snprintf(f->title, size,
			 "the agent had not started after %g s; the last line was: %s", allowed(c),
			 last_line);
	else
		snprintf(f->title, size, "not done after %g s; the agent was at: %s",
			 c->limits.deadline, c->doing);
}

/* The machine ended by itself and neither the agent nor the kernel said why. */
static const char *unexplained(const struct console *c, const char *last_line,
			       struct console_finding *f)
{
	size_t size = sizeof(f->title);

	if (c->agent == CONSOLE_START) {
		snprintf(f->title, size, "the machine restarted by itself; the agent was at: %s",
			 c->doing);
		return "unexpected-reboot";
	}
	if (c->bytes)
		snprintf(f->title, size,
			 "the machine restarted before the agent started; the last line was: %s",
			 last_line);
	else
		snprintf(f->title, size, "the machine restarted without any console output");
	return "no-init";
}

/* Adds the finding of an end that no word explains. */
static void explain(struct console *c)
{
	struct console_finding f = {.fatal = true, .offset = c->bytes, .at = c->last};
	char last_line[200];

	copy_safe(last_line, sizeof(last_line), c->last_line);
	if (c->forced != MACHINE_OK) {
		forced_title(c, last_line, &f);
		f.kind = console_kind_find(forced_kind(c));
	} else {
		f.kind = console_kind_find(unexplained(c, last_line, &f));
	}
	snprintf(f.signature, sizeof(f.signature), "%s", f.kind->name);
	findings_add(&c->findings, &f);
}

static void set_end(struct machine_end *end, enum machine_status status, const char *kind,
		    const char *detail)
{
	end->status = status;
	snprintf(end->kind, sizeof(end->kind), "%s", kind);
	*end->frame = '\0';
	snprintf(end->detail, sizeof(end->detail), "%s", detail);
}

static void keep_findings(const struct findings *fs, struct machine_end *end)
{
	end->n_findings = fs->n;
	end->findings = xcalloc(fs->n + 1, sizeof(*end->findings));
	memcpy(end->findings, fs->v, fs->n * sizeof(*end->findings));
}

/* The finding that decides; NULL: the agent does. */
static const struct console_finding *decider(struct console *c)
{
	const struct console_finding *f = findings_decider(&c->findings, c->limits.linger);

	if (!f && c->agent != CONSOLE_DONE && c->forced == MACHINE_OK)
		f = findings_explain(&c->findings);
	if (!f && c->agent != CONSOLE_DONE && c->agent != CONSOLE_GAVE_UP) {
		explain(c);
		f = findings_decider(&c->findings, c->limits.linger);
	}
	return f;
}

void console_end(struct console *c, struct machine_end *end)
{
	bool gave_up = c->agent == CONSOLE_GAVE_UP;
	enum machine_status status = gave_up ? MACHINE_BENCH_FAILED : MACHINE_OK;
	const struct console_finding *f;

	if (c->len)
		end_line(c, c->bytes, c->last);
	findings_close(&c->findings);
	f = decider(c);
	set_end(end, status, machine_status_name(status), gave_up ? c->doing : "");
	if (f) {
		status = gave_up && f->kind->explains ? MACHINE_BENCH_FAILED : f->kind->status;
		set_end(end, status, f->kind->name, f->title);
		snprintf(end->frame, sizeof(end->frame), "%s", f->frame);
	}
	end->init_seconds = c->init;
	keep_findings(&c->findings, end);
}

void console_overrule(struct machine_end *end, enum machine_status status, const char *kind,
		      const char *detail)
{
	struct console_finding f = {.kind = console_kind_find(kind), .fatal = true};
	_cleanup_free_ struct findings *fs = xcalloc(1, sizeof(*fs));

	set_end(end, status, kind, detail);
	for (size_t i = 0; i < end->n_findings; i++) {
		f.offset = end->findings[i].offset;
		/* That of an end which no word explained is its kind's name. */
		if (!streq(end->findings[i].signature, end->findings[i].kind->name))
			fs->v[fs->n++] = end->findings[i];
	}
	copy_safe(f.title, sizeof(f.title), detail);
	if (f.kind)
		findings_add(fs, &f);
	free(end->findings);
	keep_findings(fs, end);
}
