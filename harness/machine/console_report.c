/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/console_report.h"

#include "harness/machine/console_log.h"
#include "harness/machine/findings.h"
#include "harness/util/fs.h"

#define NOTE_ROOM 1024 /* console.log's last line when it was cut */

/* Where the finding that decided stands, else the first one. */
static size_t place(const struct machine_end *end)
{
	for (size_t i = 0; i < end->n_findings; i++)
		if (streq(end->findings[i].kind->name, end->kind) &&
		    streq(end->findings[i].frame, end->frame))
			return end->findings[i].offset;
	return end->findings[0].offset;
}

/* The piece of the text around `at`, from the beginning of a line to the end of one. */
static void around(const struct str *text, size_t at, size_t *ret_from, size_t *ret_to)
{
	size_t half = CONSOLE_REPORT_SPAN / 2, from, to;
	const char *line;

	at = at < text->len ? at : text->len;
	from = at > half ? at - half : 0;
	to = from + CONSOLE_REPORT_SPAN;
	if (to > text->len) {
		to = text->len;
		from = to > CONSOLE_REPORT_SPAN ? to - CONSOLE_REPORT_SPAN : 0;
	}
	if (from > 0 && text->buf[from - 1] != '\n') {
		line = memchr(text->buf + from, '\n', at - from);
		from = line ? (size_t)(line - text->buf) + 1 : from;
	}
	line = to < text->len ? memrchr(text->buf + at, '\n', to - at) : NULL;
	*ret_from = from;
	*ret_to = line ? (size_t)(line - text->buf) + 1 : to;
}

static void add_lines(struct str *to, const char *text, size_t n)
{
	while (n) {
		const char *end = memchr(text, '\n', n);
		size_t len = end ? (size_t)(end - text) : n;
		size_t shown = len;

		while (shown && text[shown - 1] == '\r')
			shown--;
		str_add_safe(to, text, shown);
		str_addc(to, '\n');
		len += end != NULL;
		text += len;
		n -= len;
	}
}

int console_report(const char *folder, const struct machine_end *end, struct err *err)
{
	_cleanup_free_ char *log = xasprintf("%s/console.log", folder);
	_cleanup_free_ char *path = xasprintf("%s/" CONSOLE_REPORT_NAME, folder);
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_str_ struct str report = STR_INIT;
	size_t from, to;

	if (!end->n_findings)
		return 0;
	if (fs_read(log, CONSOLE_LOG_CAP + NOTE_ROOM, &text, err) < 0)
		return -1;
	if (!text.len)
		return 0;
	around(&text, place(end), &from, &to);
	add_lines(&report, text.buf + from, to - from);
	return fs_write_atomic(path, report.buf, report.len, 0644, err);
}
