/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host's compiler and linker, as the sandbox sees them.
 */
#ifndef LKP_TOOLCHAIN_H
#define LKP_TOOLCHAIN_H

#include "harness/util/err.h"

/* "gcc 12.2.0, ld 2.40"; asked once per process, the string is static. INFRA when one is missing.
 */
int toolchain_name(const char **ret, struct err *err);

/* The last word of a version banner's first line: "GNU ld (GNU Binutils for Debian) 2.40" ->
 * "2.40". The caller frees it. */
char *toolchain_version(const char *banner);

#endif
