/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selecting among many e-values with a controlled false discovery rate: the e-BH procedure (Wang
 * and Ramdas, J. R. Stat. Soc. B 84, 2022). It holds under any dependence. Pure function.
 */
#ifndef LKP_STATS_EBH_H
#define LKP_STATS_EBH_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/util/err.h"

/*
 * Selects the k largest of m e-values, given as logarithms, for the largest k whose k-th largest
 * is >= m / (k q). ret_selected[i] (m entries) says whether log_e[i] is one of them; equal values
 * are selected together. *ret_k (may be NULL) is their number. -Inf is an e-value of 0.
 * m = 0 selects nothing. Kind USER: NaN, +Inf, q outside (0, 1).
 */
int stats_ebh(const double *log_e, size_t m, double q, bool *ret_selected, size_t *ret_k,
	      struct err *err);

#endif
