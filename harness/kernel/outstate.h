/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known about an output folder, kept beside it in "<out>.json" where the sandbox cannot
 * reach: how it was configured, how long builds take, and whether one was killed in it.
 */
#ifndef LKP_OUTSTATE_H
#define LKP_OUTSTATE_H

#include <stdint.h>

#include "harness/git/git.h"
#include "harness/util/err.h"
#include "harness/util/hash.h"

struct outstate {
	int64_t objects;     /* compiled by the largest build; 0: nothing was ever built whole */
	double part_seconds; /* of the last smaller one; 0: none yet */
	int64_t since;	     /* UTC seconds at which a build began that has not ended; 0: none */
	char config_key[HASH_HEX_LEN + 1];   /* .config was made for these requests, ... */
	char config_commit[GIT_HEX_LEN + 1]; /* from this commit's Kconfig files, ... */
	char config_hash[HASH_HEX_LEN + 1];  /* and then had this content; "": unknown */
};

/* A missing or damaged file reads as a folder of which nothing is known. */
void outstate_read(const char *out, struct outstate *ret);
int outstate_write(const char *out, const struct outstate *state, struct err *err);

/* After a killed build a file may be half-written and yet newer than its sources: removes those
 * that were changed in its last minute, so that make makes them again. */
int outstate_repair(const char *out, const struct outstate *state, struct err *err);

#endif
