/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who uses a database. Everybody who has the state folder's database open holds FILE.lock shared;
 * who puts another file in its place (rebuild) holds it alone.
 */
#ifndef LKP_DB_LOCK_H
#define LKP_DB_LOCK_H

#include <stdbool.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

/* Takes <path>.lock, shared or alone, without waiting; kind INFRA, cause "locked", says who holds
 * it. Shared, and the lock can be neither made nor opened: *ret_fd is -1 and that is fine with
 * `lenient`. */
int db_lock(const char *path, bool alone, bool lenient, int *ret_fd, struct err *err);
/* Appends "lkpctl (process 123), ..." for those who hold a lock on the file, other than we
 * ourselves; nothing when that cannot be told. */
void db_lock_holders(const char *path, struct str *ret);

#endif
