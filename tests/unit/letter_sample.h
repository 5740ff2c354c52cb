/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A letter for the tests of what is made of one. Everything in it is static: no letter_done().
 */
#ifndef LKP_LETTER_SAMPLE_H
#define LKP_LETTER_SAMPLE_H

#include "reports/letter.h"
#include "tests/unit/row_sample.h"

#define SAMPLE_BASE "0123456789abcdef0123456789abcdef01234567"
#define SAMPLE_HEAD "abcdef0123456789abcdef0123456789abcdef01"

struct sample {
	struct report report;
	struct report_row rows[3];
	struct report_commit range[2];
	struct letter_case cases[1];
	struct letter letter;
};

static void sample_report(struct sample *s, const char *subject, const char *author)
{
	s->report = (struct report){
		.base = {.id = SAMPLE_BASE, .subject = TEXT("Linux 6.1")},
		.head = {.id = SAMPLE_HEAD, .subject = TEXT(subject), .author_name = TEXT(author)},
		.tree = TEXT("demo"),
		.kconfig = TEXT("icount"),
		.rows = s->rows,
		.n_rows = 3,
		.verdict = "regression",
	};
}

/* n_range 1: a single culprit. */
static void sample_fill(struct sample *s, size_t n_range, const char *subject, const char *author)
{
	static const char pwrite2[] = "will-it-scale/pwrite2/thread/100%";

	*s = (struct sample){
		.rows = {sample_row(pwrite2, "will-it-scale.per_thread_ops", 543562, 513927,
				    "regression"),
			 sample_row("pipe-test/process", "pipe-test.usecs_per_op", 7.36, 7.361,
				    "clean"),
			 sample_row(pwrite2, "will-it-scale.ns_per_op", 1840, 1946, "regression")},
		.range = {{.id = SAMPLE_HEAD,
			   .subject = TEXT(subject),
			   .author_name = TEXT(author)},
			  {.id = SAMPLE_BASE,
			   .subject = TEXT("mm: another"),
			   .author_name = TEXT("Mia")}},
		.cases = {{TEXT(pwrite2), TEXT("one thread per CPU: each writes 4 KiB"),
			   TEXT("benchmarks/will-it-scale/")}},
	};
	sample_report(s, subject, author);
	s->letter = (struct letter){
		.report = &s->report,
		.row = &s->rows[0],
		.range = s->range,
		.n_range = n_range,
		.cases = s->cases,
		.n_cases = 1,
		.message_id = TEXT("<lkp.1@example.org>"),
		.subsystem = TEXT("mm"),
		.from = TEXT("lkpd <lkpd@example.org>"),
		.tree_url = TEXT("/srv/linux"),
		.driver = TEXT("qemu"),
		.accel = TEXT("icount"),
		.emulator = TEXT("QEMU 7.2.22"),
		.machine_class = TEXT("nhm"),
		.cpu_model = TEXT("Nehalem"),
		.clocksource = TEXT("tsc"),
		.clocksources = TEXT("tsc hpet"),
		.mitigations = TEXT("on: l1tf; vulnerable without: mds"),
		.boot_cmdline = TEXT("quiet"),
		.toolbox_id = TEXT("feedfacefeedfacefeed"),
		.toolchain = TEXT("gcc 12.2.0, ld 2.40"),
		.image_base = TEXT("1111111111111111"),
		.image_head = TEXT("2222222222222222"),
		.cpus = 1,
		.config_facts = TEXT("HZ=250, no debug options"),
		.deterministic = true,
		.perf = true,
		.version = "1.0",
		.theta_pct = 0.5,
		.alpha = 0.001,
		.m_kpis = 2,
		.job_text = TEXT("suite: will-it-scale\n"),
	};
}

#endif
