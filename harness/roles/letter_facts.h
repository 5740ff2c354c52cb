/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects what a report's mail says beside the comparison.
 */
#ifndef LKP_ROLES_LETTER_FACTS_H
#define LKP_ROLES_LETTER_FACTS_H

#include "harness/roles/finding.h"

/* Fills *letter (letter_done()) for the finding `row` from git, the kernels and the newest boot
 * folder. */
int letter_facts(const struct finding_spec *spec, const struct report_row *row,
		 struct letter *letter, struct err *err);

#endif
