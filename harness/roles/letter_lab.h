/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the configuration that whoever reproduces a report needs: kconfig, machine, sampling.
 */
#ifndef LKP_ROLES_LETTER_LAB_H
#define LKP_ROLES_LETTER_LAB_H

#include "harness/roles/judge.h"
#include "reports/letter.h"

/* Fills lab_text (an lkp.yaml that names fragments.config and, for a base that is a file,
 * base.config beside itself), fragments_text and base_text of *letter. A file that cannot be read
 * is an error. */
int letter_lab(const struct judge_spec *judge, struct letter *letter, struct err *err);

#endif
