/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a comparison to a filed report and its mail.
 */
#ifndef LKP_ROLES_FINDING_H
#define LKP_ROLES_FINDING_H

#include "harness/kernel/kernel.h"
#include "harness/roles/judge.h"
#include "reports/letter.h"

struct finding_spec {
	const struct judge_spec *judge;
	const struct report *report;
	const struct commit *base, *head;
	const struct kernel *base_kernel, *head_kernel;
};

/* Files a report, once, when a KPI regressed and fresh blocks confirmed it, and delivers its mail.
 * *ret_id = 0: there was nothing to file. ret_mail says where the mail is or why there is none. */
int finding_file(const struct finding_spec *spec, int64_t *ret_id, char *ret_mail, size_t mail_size,
		 struct err *err);

/* The report on two commits that boot the same image: clean, no rows. */
struct report *finding_equal(const struct commit *base, const struct commit *head, const char *tree,
			     const char *kconfig);

void finding_report_free(struct report **report); /* for _cleanup_ */

#endif
