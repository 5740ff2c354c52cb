/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the agent's answer over from a folder that a guest could write what it liked into. Only
 * what done.json names is looked at, and only as regular files of the size it names; see
 * docs/boot-folder.md.
 */
#ifndef LKP_INTAKE_H
#define LKP_INTAKE_H

#include <jansson.h>
#include <stddef.h>

#include "harness/util/err.h"

#define INTAKE_FILE_CAP	 (4u << 20)  /* bytes of one file */
#define INTAKE_TOTAL_CAP (64u << 20) /* of all together */
#define INTAKE_FILES_MAX 2000
#define INTAKE_PATH_MAX	 200
#define INTAKE_DEPTH_MAX 8

/* Copies the files that <from>/done.json names, and done.json itself last, into the existing folder
 * `to`. An answer that is not whole, or not of this boot, or not as agreed: kind BENCH, cause
 * "bad-result"; `to` may then hold some of the files. What this host could not do is of kind INFRA.
 */
int intake_result(const char *from, const char *to, const char *boot, struct err *err);

/* Checks the text of done.json; *ret is its object "files" (path: size), a new reference, in which
 * each path is safe to use below a folder and each size is within the caps. */
int intake_files(const char *text, size_t n, const char *boot, json_t **ret, struct err *err);

#endif
