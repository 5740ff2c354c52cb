/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/util/mem.h"
#include "harness/util/str.h"
#include "harness/util/time.h"

#define REDRAW_S  0.2
#define REPRINT_S 30

struct progress {
	char *what;
	bool quiet, tty;
	double rest; /* seconds of work behind the current step; 0: unknown */
	double step_expected, step_start;
	double fraction; /* of the step that is done; < 0: unknown */
	double shown;	 /* when it was last written */
	struct str step;
};

static void emit(const struct str *s)
{
	int code = errno;

	/* Progress that cannot be shown is no reason to fail. */
	if (write(STDERR_FILENO, s->buf, s->len) < 0)
		errno = code;
	errno = code;
}

struct progress *progress_new(const char *what, double expected_s, bool quiet)
{
	struct progress *p = xcalloc(1, sizeof(*p));

	p->what = xstrdup(what);
	p->quiet = quiet;
	p->tty = isatty(STDERR_FILENO) && !streq(getenv("TERM"), "dumb");
	p->rest = expected_s;
	p->fraction = -1;
	str_init(&p->step);
	return p;
}

/* Seconds until the step ends; < 0: unknown. */
static double step_left(const struct progress *p, double now)
{
	double spent = now - p->step_start, left;

	if (p->fraction >= 0.1)
		return spent / p->fraction * (1 - p->fraction);
	if (p->step_expected <= 0)
		return -1;
	left = p->step_expected - spent;
	return left > 0 ? left : 0;
}

/* Seconds until all ends; < 0: unknown. */
static double all_left(const struct progress *p, double now)
{
	double left = step_left(p, now);

	return p->rest <= 0 ? left : (left > 0 ? left : 0) + p->rest;
}

static void add_text(struct str *s, const struct progress *p, double now)
{
	double left = all_left(p, now);

	str_add_safe(s, p->what, strlen(p->what));
	str_add(s, ": ");
	str_addn(s, p->step.buf, p->step.len);
	if (p->fraction >= 0)
		str_addf(s, ", %d %%", (int)(p->fraction * 100));
	if (left < 0)
		return;
	str_add(s, ", ");
	/* Whole seconds: tenths would only flicker. */
	if (left < 1)
		left = 1;
	if (left < 59.5)
		str_addf(s, "%d s", (int)(left + 0.5));
	else
		time_add_duration(s, left);
	str_add(s, " left");
}

/* Cuts to the terminal's width less one, at a character's start. */
static void fit(struct str *s)
{
	struct winsize ws = {0};
	size_t most, n = 0;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) < 0 || ws.ws_col < 2)
		ws.ws_col = 80;
	most = ws.ws_col - 1u;
	for (size_t i = 0; i < s->len; i++) {
		if (((unsigned char)s->buf[i] & 0xc0) == 0x80)
			continue;
		if (n++ == most) {
			str_cut(s, i);
			return;
		}
	}
}

static void show(struct progress *p, bool now_at_once)
{
	_cleanup_str_ struct str text = STR_INIT, line = STR_INIT;
	double now = time_monotonic();

	if (p->quiet || !p->step.len)
		return;
	if (!now_at_once && now - p->shown < (p->tty ? REDRAW_S : REPRINT_S))
		return;
	p->shown = now;
	add_text(&text, p, now);
	if (p->tty)
		fit(&text);
	str_addf(&line, p->tty ? "\r%s\033[K" : "%s\n", text.buf);
	emit(&line);
}

void progress_step(struct progress *p, double expected_s, const char *fmt, ...)
{
	_cleanup_str_ struct str text = STR_INIT;
	va_list ap;

	if (!p)
		return;
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	p->rest = p->rest > expected_s ? p->rest - expected_s : 0;
	p->step_expected = expected_s;
	p->step_start = time_monotonic();
	p->fraction = -1;
	str_reset(&p->step);
	str_add_safe(&p->step, text.buf, text.len);
	show(p, true);
}

void progress_expect(struct progress *p, double rest_s)
{
	if (p)
		p->rest = rest_s > 0 ? rest_s : 0;
}

void progress_update(struct progress *p, double done, double total)
{
	if (!p)
		return;
	if (total > 0) {
		double fraction = done / total;

		p->fraction = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
	}
	show(p, false);
}

static void clear_line(struct progress *p)
{
	_cleanup_str_ struct str s = STR_INIT;

	if (p->quiet || !p->tty || p->shown <= 0)
		return;
	str_add(&s, "\r\033[K");
	emit(&s);
}

void progress_say(struct progress *p, const char *fmt, ...)
{
	_cleanup_str_ struct str text = STR_INIT, line = STR_INIT;
	va_list ap;

	if (!p || p->quiet)
		return;
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	clear_line(p);
	str_add_safe(&line, text.buf, text.len);
	str_addc(&line, '\n');
	emit(&line);
	if (p->tty)
		show(p, true);
}

void progress_free(struct progress *p)
{
	if (!p)
		return;
	clear_line(p);
	str_done(&p->step);
	free(p->what);
	free(p);
}
