/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/bench/lines.h"

#include <ctype.h>

#include "harness/util/units.h"

/* Beyond these no benchmark counts anything, and rates of such numbers could overflow. */
#define NUMBER_MIN 1e-9
#define NUMBER_MAX 1e18

int lines_start(struct lines *l, const char *text, size_t n, struct err *err)
{
	*l = (struct lines){.p = text, .end = text + n, .line = STR_INIT};
	if (n > LINES_CAP)
		return err_set(err, ERR_BENCH, "more than %d bytes of output", LINES_CAP);
	return 0;
}

bool lines_next(struct lines *l)
{
	const char *newline;
	size_t n;

	if (l->p == l->end)
		return false;
	newline = memchr(l->p, '\n', l->end - l->p);
	n = (newline ? newline : l->end) - l->p;
	str_reset(&l->line);
	str_addn(&l->line, l->p, n);
	str_trim(&l->line);
	l->p += n + (newline != NULL);
	l->number++;
	return true;
}

void lines_done(struct lines *l)
{
	str_done(&l->line);
}

const char *lines_after(const struct lines *l, const char *prefix)
{
	const char *text;

	if (!str_starts(l->line.buf, prefix))
		return NULL;
	text = l->line.buf + strlen(prefix);
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

int lines_number(const struct lines *l, const char *text, const char *what, double *ret,
		 struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT;
	double value;

	str_add_safe(&shown, text, strnlen(text, 80));
	if (units_parse_double(text, &value, NULL) < 0 || value < NUMBER_MIN || value > NUMBER_MAX)
		return err_set(err, ERR_BENCH,
			       "line %d: \"%s\": expected a positive number, found \"%s\"",
			       l->number, what, shown.buf);
	if (*ret != 0)
		return err_set(err, ERR_BENCH, "line %d: \"%s\" is there a second time", l->number,
			       what);
	*ret = value;
	return 0;
}
