/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes from a console: one verdict, printable findings with a signature each, and the same
 * however the text was cut. */
#include <stddef.h>
#include <stdint.h>

#include "harness/machine/console.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const uint8_t *data, size_t size, size_t piece, struct machine_end *end)
{
	static const struct console_limits limits = {.deadline = 1e9, .silence = 1e9, .linger = 10};
	static char known[] = "known";
	static char *ignore[] = {known, NULL};
	static struct console c;
	const struct machine_boot boot = {.ignore = ignore, .fatal_warnings = size % 2};

	console_init(&c, &limits, 0);
	console_rules(&c, &boot);
	for (size_t at = 0; at < size; at += piece) {
		size_t n = size - at < piece ? size - at : piece;

		console_feed(&c, (const char *)data + at, n, 1);
		console_expired(&c, 1);
	}
	console_end(&c, end);
}

static void check_printable(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			abort();
}

static void check_finding(const struct console_finding *f, size_t size)
{
	check_printable(f->title);
	check_printable(f->frame);
	check_printable(f->signature);
	if (!str_starts(f->signature, f->kind->name) || f->offset > size || !f->count)
		abort();
}

static void check_end(const struct machine_end *end, size_t size)
{
	if (streq(machine_status_name(end->status), "unknown"))
		abort();
	if ((end->status == MACHINE_OK) != !*end->detail)
		abort();
	check_printable(end->detail);
	if (end->n_findings > FINDINGS_MAX)
		abort();
	for (size_t i = 0; i < end->n_findings; i++)
		check_finding(&end->findings[i], size);
}

static void check_same(const struct machine_end *a, const struct machine_end *b)
{
	if (a->status != b->status || !streq(a->kind, b->kind) || !streq(a->frame, b->frame) ||
	    !streq(a->detail, b->detail) || a->n_findings != b->n_findings)
		abort();
	for (size_t i = 0; i < a->n_findings; i++)
		if (!streq(a->findings[i].signature, b->findings[i].signature) ||
		    a->findings[i].offset != b->findings[i].offset ||
		    a->findings[i].count != b->findings[i].count)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(machine_end_done) struct machine_end whole = {0};
	_cleanup_(machine_end_done) struct machine_end pieces = {0};

	read_all(data, size, size + 1, &whole);
	check_end(&whole, size);
	read_all(data, size, 3, &pieces);
	check_same(&whole, &pieces);
	return 0;
}
