/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failed writes to the cache, explained.
 */
#ifndef LKP_DISKFAULT_H
#define LKP_DISKFAULT_H

#include "harness/util/err.h"

/* When *err, of kind INFRA, ends in what err_errno() says of a disk that is full, read-only, closed
 * to us or broken: adds what to do, names the cache, and sets a cause ("disk-full", "disk"). Leaves
 * other errors, and those with a cause, alone. Returns -1. */
int diskfault_explain(const char *cache, struct err *err);

#endif
