/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/fault.h"

#include "harness/util/mem.h"

enum { QUOTE_MAX = 60 };

void faults_done(struct faults *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->list[i].text);
	f->n = 0;
}

void fault_add(struct faults *f, struct config_mark mark, const char *fmt, ...)
{
	struct str text = STR_INIT;
	va_list ap;
	size_t i;

	if (f->n == FAULTS_MAX)
		return;
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	for (i = f->n++; i > 0; i--) {
		const struct config_mark *before = &f->list[i - 1].mark;

		if (before->line < mark.line ||
		    (before->line == mark.line && before->column <= mark.column))
			break;
		f->list[i] = f->list[i - 1];
	}
	f->list[i] = (struct fault){.mark = mark, .text = str_detach(&text)};
}

int faults_report(struct faults *f, struct str *lines, struct err *err)
{
	const struct fault *first = &f->list[0];

	if (!f->n)
		return 0;
	for (size_t i = 0; lines && i < f->n; i++) {
		const struct config_mark *mark = &f->list[i].mark;

		str_addf(lines, "%s:%d:%d: %s\n", mark->file, mark->line, mark->column,
			 f->list[i].text);
	}
	return err_set(err, ERR_USER, "%s:%d:%d: %s", first->mark.file, first->mark.line,
		       first->mark.column, first->text);
}

void fault_quote(struct str *s, const char *text)
{
	size_t n = strnlen(text, QUOTE_MAX + 1);

	str_addc(s, '"');
	str_add_safe(s, text, n > QUOTE_MAX ? QUOTE_MAX : n);
	str_add(s, n > QUOTE_MAX ? "...\"" : "\"");
}
