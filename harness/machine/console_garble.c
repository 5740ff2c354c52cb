/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/console_garble.h"

/* Two CPUs make a text twice as long, and their times come on top. */
#define SPREAD 3

/* Long, and with a rare first letter: no sound text holds one by chance. */
#define PATTERN(words, of)                                            \
	{                                                             \
		.text = (words), .n = sizeof(words) - 1, .kind = (of) \
	}
static const struct pattern {
	const char *text;
	size_t n;
	const char *kind;
} patterns[GARBLE_PATTERNS] = {
	PATTERN("Kernel panic - not syncing", "panic"),
	PATTERN("BUG: kernel NULL pointer dereference", "oops"),
	PATTERN("BUG: unable to handle page fault", "oops"),
	PATTERN("BUG: soft lockup - CPU#", "soft-lockup"),
	PATTERN("Watchdog detected hard LOCKUP", "hard-lockup"),
};

/* One letter more. True: the pattern is complete with it, in less than SPREAD times its length. */
static bool step(struct garble_state *s, const struct pattern *p, char c, size_t at)
{
	if (c == p->text[0]) {
		s->until = at + SPREAD * p->n;
	} else if (at >= s->until) {
		*s = (struct garble_state){.until = 0};
		return false;
	}
	/* began[k] is that of the latest piece with the first k letters. */
	for (size_t k = s->far < p->n ? s->far + 1 : p->n; k > 1; k--)
		if (p->text[k - 1] == c) {
			s->began[k] = s->began[k - 1];
			s->far = k > s->far ? k : s->far;
		}
	if (c == p->text[0]) {
		s->began[1] = at;
		s->far = s->far ? s->far : 1;
	}
	return s->far == p->n && at - s->began[p->n] < SPREAD * p->n;
}

static const struct console_kind *look(struct garble *g, char c)
{
	const struct console_kind *found = NULL;

	g->at++;
	for (size_t i = 0; i < GARBLE_PATTERNS; i++) {
		const struct pattern *p = &patterns[i];
		struct garble_state *s = &g->states[i];

		if ((!s->until && c != p->text[0]) || !step(s, p, c, g->at))
			continue;
		if (g->at - s->began[p->n] + 1 > p->n)
			found = console_kind_find(p->kind);
		*s = (struct garble_state){.until = 0};
	}
	return found;
}

static bool any_near(const struct garble *g)
{
	for (size_t i = 0; i < GARBLE_PATTERNS; i++)
		if (g->states[i].until)
			return true;
	return false;
}

/* Up to the next letter that a pattern begins with. */
static size_t dull(const char *text, size_t n)
{
	for (const char *f = "KBW"; *f; f++) {
		const char *next = memchr(text, *f, n);

		n = next ? (size_t)(next - text) : n;
	}
	return n;
}

const struct console_kind *garble_feed(struct garble *g, const char *text, size_t n)
{
	const struct console_kind *found = NULL, *one;

	for (size_t i = 0; i < n; i++) {
		if (!any_near(g)) {
			size_t skip = dull(text + i, n - i);

			g->at += skip;
			i += skip;
			if (i == n)
				break;
		}
		one = look(g, text[i]);
		found = found ? found : one;
	}
	return found;
}
