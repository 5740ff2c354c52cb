/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SHA-256 by OpenSSL, as 64 lower-case hex digits.
 */
#ifndef LKP_HASH_H
#define LKP_HASH_H

#include <stddef.h>

#include "harness/util/err.h"

#define HASH_HEX_LEN 64

struct hash; /* a running hash */

struct hash *hash_new(void);
void hash_add(struct hash *h, const void *data, size_t n);
/* Writes the digits and a NUL to hex (65 bytes) and frees h. */
void hash_finish(struct hash *h, char hex[HASH_HEX_LEN + 1]);

void hash_bytes(const void *data, size_t n, char hex[HASH_HEX_LEN + 1]);
int hash_file(const char *path, char hex[HASH_HEX_LEN + 1], struct err *err);

#endif
