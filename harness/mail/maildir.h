/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Delivery to a maildir: the file is written to tmp/, synced, and moved to new/ under a name that
 * follows from the Message-ID, so that delivering twice leaves one file.
 */
#ifndef LKP_MAILDIR_H
#define LKP_MAILDIR_H

#include "harness/util/err.h"
#include "harness/util/str.h"

/* Appends the path of the delivered file to ret_place. A mail that was delivered (and perhaps read:
 * moved to cur/) before is found, not written again. */
int maildir_deliver(const char *folder, const char *message_id, const void *text, size_t n,
		    struct str *ret_place, struct err *err);
/* Is the mail that was delivered to place still there, or in cur/ under that name with flags? */
bool maildir_holds(const char *place);

#endif
