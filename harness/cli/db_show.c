/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/db_show.h"

#include "harness/util/json.h"
#include "harness/util/table.h"
#include "harness/util/time.h"
#include "harness/util/units.h"

static void add_verdict(struct str *s, size_t wrong, size_t notes)
{
	if (wrong)
		str_addf(s, "%zu %s", wrong, wrong == 1 ? "fault" : "faults");
	else
		str_add(s, "ok");
	if (notes)
		str_addf(s, ", %zu to note", notes);
	str_addc(s, '\n');
}

void db_show_audit(struct str *s, const struct audit *a, const char *const *names)
{
	for (size_t k = 0; names[k]; k++) {
		size_t wrong = 0, notes = 0;
		for (size_t i = 0; i < a->n; i++) {
			wrong += streq(a->faults[i].what, names[k]) && !a->faults[i].note;
			notes += streq(a->faults[i].what, names[k]) && a->faults[i].note;
		}
		str_addf(s, "%-8s  ", names[k]);
		add_verdict(s, wrong, notes);
		for (size_t i = 0; i < a->n; i++)
			if (streq(a->faults[i].what, names[k]))
				str_addf(s, "  %s%s\n", a->faults[i].note ? "note: " : "",
					 a->faults[i].text);
	}
	if (a->more)
		str_addf(s, "and %zu more\n", a->more);
}

json_t *db_audit_json(const struct audit *a)
{
	json_t *faults = json_array(), *notes = json_array();

	for (size_t i = 0; i < a->n; i++)
		json_array_append_new(a->faults[i].note ? notes : faults,
				      json_pack("{s:s, s:s}", "what", a->faults[i].what, "text",
						a->faults[i].text));
	return json_pack("{s:b, s:o, s:o, s:I}", "ok", a->n_wrong == 0, "faults", faults, "notes",
			 notes, "more", (json_int_t)a->more);
}

static void size_cell(struct table *t, int64_t bytes)
{
	_cleanup_str_ struct str size = STR_INIT;

	if (bytes >= 0)
		units_add_size(&size, (uint64_t)bytes);
	table_cell(t, "%s", bytes >= 0 ? size.buf : "?");
}

static void add_tables(struct str *s, const struct usage *u)
{
	static const char *const columns[] = {"TABLE", ">ROWS", ">SIZE", NULL};
	struct table *t = table_new(columns);

	for (size_t i = 0; i < u->n_tables; i++) {
		_cleanup_str_ struct str rows = STR_INIT;
		units_add_count(&rows, u->tables[i].rows);
		table_row(t);
		table_cell(t, "%s", u->tables[i].name);
		table_cell(t, "%s", rows.buf);
		size_cell(t, u->tables[i].bytes);
	}
	table_add(s, t);
	table_free(t);
}

static void add_size(struct str *s, const char *title, int64_t bytes)
{
	str_addf(s, "%-12s ", title);
	units_add_size(s, (uint64_t)bytes);
}

void db_show_usage(struct str *s, const char *path, const struct usage *u, int64_t journal_bytes)
{
	str_addf(s, "%-12s ", "file");
	str_add_safe(s, path, strlen(path));
	str_addc(s, '\n');
	add_size(s, "size", u->bytes);
	str_add(s, ", of which ");
	units_add_size(s, (uint64_t)u->free_bytes);
	str_add(s, " free\n");
	if (journal_bytes >= 0)
		add_size(s, "journal", journal_bytes);
	else
		str_addf(s, "%-12s none", "journal");
	str_addf(s, "\n%-12s ", "samples");
	units_add_count(s, u->values);
	if (u->values && u->sample_bytes >= 0)
		str_addf(s, ", %.1f bytes each", (double)u->sample_bytes / (double)u->values);
	str_addf(s, "\n%-12s ", "boots");
	for (size_t i = 0; i < u->n_statuses; i++) {
		str_add(s, i ? ", " : "");
		str_add_safe(s, u->statuses[i].status, strlen(u->statuses[i].status));
		str_addf(s, " %lld", (long long)u->statuses[i].boots);
	}
	str_add(s, u->n_statuses ? "" : "none");
	if (u->oldest) {
		str_addf(s, "\n%-12s ", "from, to");
		time_add_utc(s, u->oldest);
		str_add(s, ", ");
		time_add_utc(s, u->newest);
	}
	str_add(s, "\n\n");
	add_tables(s, u);
}

static json_t *maybe(int64_t n)
{
	return n >= 0 ? json_integer(n) : json_null();
}

json_t *db_usage_json(const char *path, const struct usage *u, int64_t journal_bytes)
{
	json_t *tables = json_object(), *statuses = json_object();
	bool known = u->values && u->sample_bytes >= 0;

	for (size_t i = 0; i < u->n_tables; i++)
		json_object_set_new(tables, u->tables[i].name,
				    json_pack("{s:I, s:o}", "rows", (json_int_t)u->tables[i].rows,
					      "bytes", maybe(u->tables[i].bytes)));
	for (size_t i = 0; i < u->n_statuses; i++)
		json_object_set_new(statuses, u->statuses[i].status,
				    json_integer(u->statuses[i].boots));
	return json_pack(
		"{s:s, s:I, s:I, s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "file", path, "bytes",
		(json_int_t)u->bytes, "free_bytes", (json_int_t)u->free_bytes, "journal_bytes",
		maybe(journal_bytes), "samples", (json_int_t)u->values, "bytes_per_sample",
		known ? json_num((double)u->sample_bytes / (double)u->values) : json_null(),
		"oldest_boot", u->oldest ? json_integer(u->oldest) : json_null(), "newest_boot",
		u->oldest ? json_integer(u->newest) : json_null(), "boots", statuses, "tables",
		tables);
}
