/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words that a column may hold.
 */
#ifndef LKP_DB_STATES_H
#define LKP_DB_STATES_H

#include "harness/util/err.h"

/* Kind USER, listing the known words, when state is none of them. */
int state_check(const char *state, const char *const *known, struct err *err);

#endif
