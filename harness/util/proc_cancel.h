/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting that a cancel ends. What sets the flag, and what reads it, is in proc.h.
 */
#ifndef LKP_PROC_CANCEL_H
#define LKP_PROC_CANCEL_H

#include <poll.h>
#include <stdbool.h>

/* poll(); with heed, also ends with -1 and ECANCELED when a cancel is pending or comes. */
int cancel_poll(struct pollfd *fds, nfds_t n, int timeout_ms, bool heed);

#endif
