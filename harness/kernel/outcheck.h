/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an earlier build may have left in the output folder that would harm the next one: folders
 * closed to all, fifos (make waits for ever), links out of it, a folder where the image belongs,
 * files of next year (never made again), more bytes than are allowed. Then the folder is emptied: a
 * clean build is slow but right.
 */
#ifndef LKP_OUTCHECK_H
#define LKP_OUTCHECK_H

#include <stdbool.h>

#include "harness/kernel/sandbox.h"
#include "harness/util/err.h"

/* *ret_emptied: it was. plain: files that must be regular where they exist, NULL-terminated. cap:
 * bytes on disk, 0: any. INFRA: the folder cannot be emptied. */
int outcheck(const struct sandbox *box, const char *const *plain, int64_t cap, bool *ret_emptied,
	     struct err *err);

/* Removes all in the folder, however it was left. INFRA. */
int outcheck_empty(const char *out, struct err *err);

/* Whether every part of the way from out to name is a folder and its end a file, or missing. */
bool outcheck_is_plain(const char *out, const char *name);

#endif
