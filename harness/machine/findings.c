/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/findings.h"

#include "harness/machine/console_line.h"

#define SWALLOW_LINES 12  /* of one report, from its title to the last line that reads like one */
#define TRACE_LINES   300 /* behind which no frame is expected any more */

static void sign(struct console_finding *f)
{
	char plain[sizeof(f->title)] = "";

	if (*f->signature)
		return;
	if (*f->frame || !f->kind->words[0]) {
		snprintf(f->signature, sizeof(f->signature), "%s%s%s", f->kind->name,
			 *f->frame ? " in " : "", f->frame);
		return;
	}
	console_line_plain(f->title, plain, sizeof(plain));
	snprintf(f->signature, sizeof(f->signature), "%s: %.150s", f->kind->name, plain);
}

/* Room for one more, by dropping what decides nothing. */
static bool make_room(struct findings *fs, const struct console_finding *f)
{
	size_t i = fs->n;

	if (fs->n < FINDINGS_MAX)
		return true;
	if (!f->fatal)
		return false;
	while (i > 0 && fs->v[i - 1].fatal)
		i--;
	if (i == 0)
		return false;
	memmove(&fs->v[i - 1], &fs->v[i], (fs->n - i) * sizeof(*fs->v));
	fs->n--;
	return true;
}

void findings_add(struct findings *fs, const struct console_finding *add)
{
	struct console_finding f = *add;
	size_t i;

	f.count = 1;
	sign(&f);
	for (i = 0; i < fs->n; i++)
		if (streq(fs->v[i].signature, f.signature)) {
			fs->v[i].count++;
			fs->v[i].fatal |= f.fatal;
			return;
		}
	if (!make_room(fs, &f))
		return;
	for (i = fs->n; i > 0 && fs->v[i - 1].offset > f.offset; i--)
		fs->v[i] = fs->v[i - 1];
	fs->v[i] = f;
	fs->n++;
}

static void close_one(struct findings *fs, size_t i)
{
	if (!fs->open[i].ignored)
		findings_add(fs, &fs->open[i].f);
	fs->n_open--;
	memmove(&fs->open[i], &fs->open[i + 1], (fs->n_open - i) * sizeof(*fs->open));
}

void findings_close(struct findings *fs)
{
	while (fs->n_open)
		close_one(fs, 0);
}

static bool same_caller(const struct findings_open *o, uint32_t caller)
{
	return o->caller == caller || !o->caller || !caller;
}

/* The fault that an echo speaks of was taken for fatal by the kernel itself. */
static void blame_last(struct findings *fs)
{
	for (size_t i = fs->n_open; i > 0; i--)
		if (!fs->open[i - 1].ignored && !fs->open[i - 1].f.echo) {
			fs->open[i - 1].f.fatal = true;
			return;
		}
	if (fs->n && !fs->v[fs->n - 1].echo)
		fs->v[fs->n - 1].fatal = true;
}

bool findings_begin(struct findings *fs, const struct console_finding *f, uint32_t caller,
		    bool ignored)
{
	struct findings_open *o;

	for (size_t i = fs->n_open; i > 0; i--) {
		o = &fs->open[i - 1];
		if (same_caller(o, caller) && !o->traced && o->lines <= SWALLOW_LINES &&
		    f->kind->rank <= o->f.kind->rank && (o->f.fatal || !f->fatal))
			return false;
	}
	if (fs->n_open == FINDINGS_OPEN)
		close_one(fs, 0);
	o = &fs->open[fs->n_open++];
	*o = (struct findings_open){.f = *f, .caller = caller, .ignored = ignored};
	o->f.echo = console_is_echo(f->title);
	if (o->f.echo)
		blame_last(fs);
	if (console_frame_in_title(f->title, f->kind->in_title, o->f.frame) ||
	    (f->kind->trace_first && !f->fatal))
		close_one(fs, fs->n_open - 1);
	return true;
}

/* The open finding that a line of this caller's belongs to; SIZE_MAX: none. */
static size_t owner(const struct findings *fs, uint32_t caller)
{
	for (size_t i = fs->n_open; i > 0; i--)
		if (fs->open[i - 1].caller == caller)
			return i - 1;
	for (size_t i = fs->n_open; i > 0; i--)
		if (same_caller(&fs->open[i - 1], caller) || fs->open[i - 1].f.kind->remote)
			return i - 1;
	return SIZE_MAX;
}

static void read_trace(struct findings *fs, size_t i, const char *text)
{
	struct findings_open *o = &fs->open[i];
	enum console_frame is = console_frame_read(text, o->f.frame);

	if (is != CONSOLE_NO_FRAME || strstr(text, "Call Trace:") || strstr(text, "Call trace:"))
		o->traced = true;
	if (is == CONSOLE_FRAME_OWN || str_starts(text, "---[ end "))
		close_one(fs, i);
}

void findings_line(struct findings *fs, const char *text, uint32_t caller)
{
	size_t i = owner(fs, caller);

	if (i != SIZE_MAX)
		read_trace(fs, i, text);
	for (i = fs->n_open; i > 0; i--)
		if (++fs->open[i - 1].lines > TRACE_LINES)
			close_one(fs, i - 1);
}

bool findings_has(const struct findings *fs, const struct console_kind *kind)
{
	for (size_t i = 0; i < fs->n; i++)
		if (fs->v[i].kind == kind)
			return true;
	for (size_t i = 0; i < fs->n_open; i++)
		if (fs->open[i].f.kind == kind)
			return true;
	return false;
}

const struct console_finding *findings_decider(const struct findings *fs, double linger)
{
	const struct console_finding *first = NULL, *best = NULL;

	for (size_t i = 0; i < fs->n; i++) {
		const struct console_finding *f = &fs->v[i];

		if (!f->fatal)
			continue;
		if (!first)
			first = best = f;
		else if (f->kind->rank > best->kind->rank && *f->frame && !f->echo &&
			 f->at - first->at <= linger)
			best = f;
	}
	return best;
}

const struct console_finding *findings_explain(struct findings *fs)
{
	for (size_t i = fs->n; i > 0; i--)
		if (fs->v[i - 1].kind->explains) {
			fs->v[i - 1].fatal = true;
			return &fs->v[i - 1];
		}
	return NULL;
}
