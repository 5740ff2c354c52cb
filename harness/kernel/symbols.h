/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places in the source for the functions that a kernel's report names, from its vmlinux. That file
 * was made by a build that we do not trust, and binutils are not made for such: they read it in the
 * sandbox, with limits on time, memory and output.
 */
#ifndef LKP_SYMBOLS_H
#define LKP_SYMBOLS_H

#include <stdbool.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

/* Does a kernel with this text of .config have line numbers in its vmlinux? */
bool symbols_wanted(const char *config);

/* Appends the text to ret, with " (mm/shmem.c:123)" behind each "shmem_write_begin+0x42/0x120" that
 * vmlinux (an absolute path; its folder must be one that others may enter) tells. Of several
 * functions with one name it is that of this size, or none. Lines of call traces hold return
 * addresses, so the line of the call is named. At most 500 functions. off: without the sandbox
 * ("sandbox: off" of the tree). -1: INFRA, *ret is untouched. */
int symbols_decode(const char *vmlinux, bool off, const struct str *text, struct str *ret,
		   struct err *err);

#endif
