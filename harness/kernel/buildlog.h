/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading what make printed: hostile text, cut and cleaned before it leaves here.
 */
#ifndef LKP_BUILDLOG_H
#define LKP_BUILDLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/util/str.h"

/* Appends the line that says why the build failed, places relative to src ("mm/shmem.c:12:5: error:
 * ..."): the first compiler error; without one the first of the assembler, objtool, modpost, the
 * linker or Kconfig; else make's own "***". Nothing fits: the last line. At most 400 bytes. */
void buildlog_first_error(const char *log, size_t n, const char *src, struct str *ret);

/* Whether the failure speaks of this host and not of the commit: disk full, memory, limits. Returns
 * what to tell a person, or NULL. */
const char *buildlog_host_fault(const char *log, size_t n);

/* Counts compiled objects ("  CC      mm/shmem.o") in output that comes in pieces. */
struct buildlog_counter {
	size_t objects;
	char line[16]; /* start of the line at hand */
	size_t len;
};

/* Returns true when the count has changed. */
bool buildlog_count(struct buildlog_counter *counter, const char *data, size_t n);

#endif
