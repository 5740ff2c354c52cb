/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/letter_text.h"

#include <math.h>

#include "harness/util/mem.h"
#include "harness/util/units.h"

#define WIDTH 76

void letter_wrap(struct str *s, const char *indent, const char *text)
{
	size_t column = 0;
	while (*text) {
		size_t word = strcspn(text, " \n");
		if (column && column + 1 + word > WIDTH) {
			str_addc(s, '\n');
			column = 0;
		}
		if (word) {
			str_add(s, column ? " " : indent);
			str_addn(s, text, word);
			column += (column ? 1 : strlen(indent)) + word;
		}
		text += word + (text[word] != '\0');
	}
	if (column)
		str_addc(s, '\n');
}

void letter_quote(struct str *s, const char *text, size_t max)
{
	_cleanup_str_ struct str safe = STR_INIT;
	str_add_safe(&safe, text ? text : "", text ? strlen(text) : 0);
	if (safe.len > max) {
		while (max > 0 && ((unsigned char)safe.buf[max] & 0xc0) == 0x80)
			max--; /* not inside a character */
		str_cut(&safe, max);
		str_add(&safe, "...");
	}
	str_addn(s, safe.buf, safe.len);
}

void letter_add_instructions(struct str *s, const struct letter *l)
{
	static const char per_op[] = ".ns_per_op";
	if (!l->deterministic)
		return;
	for (size_t i = 0; i < l->report->n_rows; i++) {
		const struct report_row *row = &l->report->rows[i];
		if (!str_ends(row->metric, per_op) || !row->base.present || !row->head.present ||
		    !streq(row->test_case, l->row->test_case))
			continue;
		str_add(s, "Path length: ");
		units_add_count(s, llround(row->base.mean));
		str_add(s, " -> ");
		units_add_count(s, llround(row->head.mean));
		str_addf(s, " instructions per operation (%+.1f).\n",
			 row->head.mean - row->base.mean);
		letter_wrap(
			s, "",
			"This machine's clock advances by one nanosecond per instruction, so the "
			"count is exact. It does not see caches or lock contention.");
		str_addc(s, '\n');
	}
}

static void add_bullet(struct str *s, const char *text)
{
	_cleanup_str_ struct str one = STR_INIT;
	letter_wrap(&one, "    ", text);
	if (one.len > 2)
		one.buf[2] = '-';
	str_addn(s, one.buf, one.len);
}

void letter_add_confidence(struct str *s, const struct letter *l)
{
	_cleanup_str_ struct str text = STR_INIT;
	const struct report_row *row = l->row;
	str_add(s, "how sure:\n");
	str_addf(
		&text,
		"%zu blocks decided and %zu fresh ones confirmed it. A block is one boot of base and "
		"one of head in random order, with the same seed; the unit is the boot, not the "
		"iteration.",
		row->blocks, row->confirm_blocks);
	add_bullet(s, text.buf);
	str_reset(&text);
	str_addf(
		&text,
		"e-value against \"no change\": %.3g from the deciding blocks, %.3g from the fresh ones "
		"alone; each must reach %.3g (level %g over %zu key metrics). The sign holds when any "
		"one fresh block is left out.",
		row->e_value, row->confirm_e_value, (double)l->m_kpis / l->alpha, l->alpha,
		l->m_kpis);
	add_bullet(s, text.buf);
	str_reset(&text);
	str_addf(
		&text,
		"noise: stddev of the difference within a block is %.3g%% (taken as at least 0.02%%). "
		"Changes under %.3g%% are not reported for this test.",
		row->noise_pct, l->theta_pct / 2);
	add_bullet(s, text.buf);
	add_bullet(s, l->pinned ? "the tasks were pinned to CPUs."
				: "the tasks were not pinned to CPUs.");
	str_addc(s, '\n');
}

/* A value behind its 15-column name, wrapped under itself. */
static void add_hanging(struct str *s, const char *value)
{
	_cleanup_str_ struct str safe = STR_INIT, lines = STR_INIT;
	letter_quote(&safe, value, 600);
	letter_wrap(&lines, "               ", safe.buf);
	if (lines.len > 15)
		str_addn(s, lines.buf + 15, lines.len - 15);
	else
		str_addc(s, '\n'); /* nothing but blanks */
}

static void add_fact(struct str *s, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	str_addf(s, "  %-12s ", name);
	add_hanging(s, value);
}

/* A hash, as long as it takes to tell two apart. */
static void add_id(struct str *s, const char *name, const char *id)
{
	_cleanup_free_ char *some = xstrndup(id ? id : "", 12);
	add_fact(s, name, some);
}

void letter_add_conditions(struct str *s, const struct letter *l)
{
	_cleanup_str_ struct str machine = STR_INIT;
	str_addf(&machine, "%s (class %s, driver %s", l->row->machine, l->machine_class, l->driver);
	if (l->accel && *l->accel)
		str_addf(&machine, ", accelerator %s", l->accel);
	str_addf(&machine, "), %d CPU%s", l->cpus, l->cpus == 1 ? "" : "s");
	str_add(s, "measured on:\n");
	add_fact(s, "machine", machine.buf);
	add_fact(s, "emulated", l->accel_reason);
	add_fact(s, "emulator", l->emulator);
	add_fact(s, "CPU", l->cpu_model);
	add_fact(s, "clocksource", l->clocksource);
	add_fact(s, "available", l->clocksources);
	add_fact(s, "mitigations", l->mitigations);
	add_fact(s, "cmdline", l->boot_cmdline);
	add_fact(s, "kconfig", l->report->kconfig);
	add_fact(s, "of which", l->config_facts);
	add_fact(s, "toolchain", l->toolchain);
	add_id(s, "base image", l->image_base);
	add_id(s, "head image", l->image_head);
	add_id(s, "toolbox", l->toolbox_id);
	letter_wrap(s, "  ",
		    l->perf ? "perf stat ran around every iteration, the same on both sides."
			    : "Nothing but the benchmark ran: no perf stat around it.");
	letter_wrap(s, "  ", "Other machines: none measured this pair.");
	str_addc(s, '\n');
}

void letter_add_reproduce(struct str *s, const struct letter *l)
{
	_cleanup_str_ struct str text = STR_INIT;
	str_addf(
		&text,
		"to reproduce: in a checkout of lkpd (this is version %s), with a kernel tree that "
		"has both commits, run the attached script:",
		l->version);
	letter_wrap(s, "", text.buf);
	str_add(s, "  KERNEL_GIT=~/linux sh reproduce.sh\n");
	str_add(s, "All samples are in the attached samples.json (lkp-samples/1).\n\n");
}

void letter_add_answer(struct str *s, const struct letter *l)
{
	str_add(s, "If you fix it, please name this report in the fix:\n");
	str_addf(s, "  Reported-by: %s\n", l->from);
	_cleanup_free_ char *id = xstrdup(l->message_id ? l->message_id : "<>");
	size_t n = strlen(id);
	str_addf(s, "  Closes: mid:%.*s\n\n", n > 2 ? (int)(n - 2) : 0, id + 1);
	letter_wrap(
		s, "",
		"If the change is meant, the report is wrong, or you want no more of these mails, please "
		"say so in an answer.");
}
