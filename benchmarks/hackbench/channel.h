/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What messages go through. */
#ifndef HACKBENCH_CHANNEL_H
#define HACKBENCH_CHANNEL_H

enum channel_kind { CHANNEL_LOCAL, CHANNEL_PIPE, CHANNEL_INET };

/* A connected pair of descriptors: what is written to ret[1] is read from ret[0]. 0, or -1 with
 * errno. */
int channel_open(enum channel_kind kind, int ret[2]);

#endif
