/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of one run and metric as a blob. The first byte is the coding: 0 is doubles, little
 * endian; 1 + k (k = 0..6) is integers, each the value times 10^k, as the difference to the one
 * before (the first: to 0), zigzag, in groups of seven bits, lowest first. A coding is only used
 * when it gives back exactly the same doubles; the smallest is taken. The number of values is not
 * in the blob.
 */
#ifndef LKP_DB_PACK_H
#define LKP_DB_PACK_H

#include <stddef.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

/* Appends the blob of n finite values. Equal values give equal blobs (-0 is 0). */
void pack_values(struct str *ret, const double *values, size_t n);

/* Reads n values into ret. Bytes that are no such blob, too few or too many: kind USER. */
int pack_read(const void *data, size_t size, size_t n, double *ret, struct err *err);

#endif
