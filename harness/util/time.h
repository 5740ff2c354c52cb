/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time: UTC seconds for what is stored, monotonic seconds for what is measured.
 */
#ifndef LKP_TIME_H
#define LKP_TIME_H

#include <stdint.h>

#include "harness/util/str.h"

int64_t time_now(void);	     /* UTC seconds since 1970 */
double time_monotonic(void); /* seconds, from an arbitrary start */
/* Appends "2014-07-24 14:13:51" (UTC). */
void time_add_utc(struct str *s, int64_t utc);
/* Appends RFC 5322 form: "Thu, 24 Jul 2014 14:13:51 +0000"; independent of the locale. */
void time_add_rfc5322(struct str *s, int64_t utc);
/* Appends a duration for people: "850 ms", "12.3 s", "4 min 05 s", "2 h 03 min", "3 d 4 h". */
void time_add_duration(struct str *s, double seconds);

#endif
