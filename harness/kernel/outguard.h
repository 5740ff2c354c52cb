/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches the room that a running build takes. Each look costs one statvfs(); the output folder is
 * only measured when what the disk lost since the last measure could have filled it, and once a
 * minute, since others may make room meanwhile.
 */
#ifndef LKP_OUTGUARD_H
#define LKP_OUTGUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/util/err.h"

enum outguard_verdict { OUTGUARD_FINE, OUTGUARD_TOO_LARGE, OUTGUARD_DISK_FULL };

struct outguard {
	const char *out;   /* the folder */
	int64_t cap;	   /* bytes on disk; 0: no limit */
	int64_t keep_free; /* bytes; 0: no limit */

	enum outguard_verdict verdict;
	int64_t known;	  /* bytes at the last measure */
	int64_t measured; /* bytes free at that time */
	int64_t slack;	  /* growth at which to measure again */
	double next_measure, next_look;
};

/* Sets the fields of the first part; nothing is measured yet. */
void outguard_start(struct outguard *g, const char *out, int64_t cap, int64_t keep_free);

/* Looks, at most four times a second unless `now`. True: the build must end, see verdict. */
bool outguard_look(struct outguard *g, bool now);

/* Sets *err to what the verdict means and returns -1; 0 for FINE. USER "output-too-large": the
 * limit is the person's to set; INFRA "disk-full". */
int outguard_judge(const struct outguard *g, struct err *err);

#endif
