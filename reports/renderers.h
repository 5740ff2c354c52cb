/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of reporters[] (report.h), each at the bottom of its own file.
 */
#ifndef LKP_RENDERERS_H
#define LKP_RENDERERS_H

#include "reports/report.h"

extern const struct reporter reporter_lkp;
extern const struct reporter reporter_json;

#endif
