/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the JSON of a report (report_json) back to the report: what was filed renders later as it
 * was then.
 */
#ifndef LKP_REPORT_LOAD_H
#define LKP_REPORT_LOAD_H

#include "reports/report.h"

/* Missing keys and wrong types are kind USER with the JSON path. */
int report_load(const json_t *json, struct report **ret, struct err *err);

#endif
