/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a mail about a regression: body, subject, reproduce.sh. Pure layout over facts;
 * headers, encoding and delivery are harness/mail/'s.
 */
#ifndef LKP_LETTER_H
#define LKP_LETTER_H

#include "reports/report.h"

struct letter_case { /* what a test case does, by name */
	char *name, *describe, *source;
};

/* Facts beside the comparison. Strings may be NULL or "" where a fact is not known. */
struct letter {
	const struct report *report;
	const struct report_row *row; /* the finding: a regressed KPI of report */
	struct report_commit *range;  /* base..head, newest first */
	size_t n_range;
	bool range_more; /* further commits were left out */
	struct letter_case *cases;
	size_t n_cases;
	char *message_id; /* with angle brackets */
	char *from;	  /* who reports: "lkpd <lkpd@example.org>" */
	char *subsystem;  /* "mm" */
	char *tree_url;
	char *driver, *accel, *accel_reason, *emulator, *machine_class, *cpu_model, *clocksource,
		*clocksources, *mitigations, *boot_cmdline, *toolbox_id, *toolchain, *image_base,
		*image_head;
	int cpus;
	char *config_facts;		  /* lines "HZ=250": what matters of the .config */
	bool deterministic, pinned, perf; /* perf stat ran around every iteration */
	double theta_pct;		  /* the effect that matters for row's test, percent */
	double alpha;
	size_t m_kpis;
	int64_t report_id; /* for `lkpctl reproduce` and so on; 0: not filed */
	char *job_text;	   /* job.yaml as it was */
	char *lab_text; /* an lkp.yaml with this kconfig and machine alone, beside the next two */
	char *fragments_text,
		*base_text;    /* fragments.config, and base.config ("": there is none) */
	struct str config_zst; /* the head's .config, compressed by zstd */
	const char *version;   /* of lkpd, as `git describe` names it; borrowed */
};

void letter_done(struct letter *l);

/* "[mm] 1234567890ab: -4.1% will-it-scale.per_thread_ops", or "[tree] base..head: ..." where a
 * range is not searched yet, so that its head is not taken for the culprit; one line, printable. */
int letter_subject(const struct letter *l, struct str *ret, struct err *err);
/* The body, UTF-8, lines of at most 100 characters but for tables and hostile subjects (cut). */
int letter_body(const struct letter *l, struct str *ret, struct err *err);
/* A plain sh script that measures base and head again; every value from outside is quoted. */
int letter_reproduce(const struct letter *l, struct str *ret, struct err *err);

#endif
