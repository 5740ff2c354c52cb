/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/table.h"

#include "harness/util/mem.h"

struct table {
	size_t columns;
	bool *right;
	char **cells; /* row by row, the header first */
	size_t n, cap;
	size_t rows; /* with the header */
	size_t used; /* cells of the last row that are set */
};

static void put(struct table *t, const char *text, size_t n)
{
	struct str safe = STR_INIT;
	size_t at = (t->rows - 1) * t->columns + t->used;

	if (t->used == t->columns)
		return;
	str_add_safe(&safe, text, n);
	free(t->cells[at]);
	t->cells[at] = str_detach(&safe);
	t->used++;
}

struct table *table_new(const char *const *columns)
{
	struct table *t = xcalloc(1, sizeof(*t));

	while (columns[t->columns])
		t->columns++;
	t->right = xcalloc(t->columns, sizeof(*t->right));
	table_row(t);
	for (size_t i = 0; i < t->columns; i++) {
		const char *name = columns[i];

		t->right[i] = name[0] == '>';
		name += t->right[i];
		put(t, name, strlen(name));
	}
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++)
		free(t->cells[i]);
	free(t->cells);
	free(t->right);
	free(t);
}

void table_row(struct table *t)
{
	mem_grow(&t->cells, &t->cap, t->n + t->columns, sizeof(*t->cells));
	for (size_t i = 0; i < t->columns; i++)
		t->cells[t->n++] = xstrdup("");
	t->rows++;
	t->used = 0;
}

void table_cell(struct table *t, const char *fmt, ...)
{
	_cleanup_str_ struct str text = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	put(t, text.buf, text.len);
}

/* Characters of valid UTF-8, which str_add_safe() made it. */
static size_t width(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static void pad(struct str *s, size_t n)
{
	while (n--)
		str_addc(s, ' ');
}

static void add_row(struct str *s, const struct table *t, size_t row, const size_t *widths)
{
	size_t start = s->len, end;

	for (size_t i = 0; i < t->columns; i++) {
		const char *cell = t->cells[row * t->columns + i];
		size_t gap = widths[i] - width(cell);

		if (i)
			pad(s, 2);
		if (t->right[i])
			pad(s, gap);
		str_add(s, cell);
		if (!t->right[i])
			pad(s, gap);
	}
	end = s->len;
	while (end > start && s->buf[end - 1] == ' ')
		end--;
	str_cut(s, end);
	str_addc(s, '\n');
}

void table_add(struct str *s, const struct table *t)
{
	_cleanup_free_ size_t *widths = xcalloc(t->columns, sizeof(*widths));

	if (t->rows < 2)
		return;
	for (size_t i = 0; i < t->n; i++) {
		size_t w = width(t->cells[i]);

		if (w > widths[i % t->columns])
			widths[i % t->columns] = w;
	}
	for (size_t row = 0; row < t->rows; row++)
		add_row(s, t, row, widths);
}
