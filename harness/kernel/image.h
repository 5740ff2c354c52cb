/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Images: what boots, kept once each under <cache>/images/<image id>/, readable by everyone, as
 * machines run without rights.
 */
#ifndef LKP_IMAGE_H
#define LKP_IMAGE_H

#include "harness/util/err.h"
#include "harness/util/hash.h"
#include "harness/util/str.h"

/* <cache>/images/<id>/<name>; the caller frees it. */
char *image_path(const char *cache, const char *id, const char *name);

/* Stores the bytes under their hash, unless they are there already. */
int image_store(const char *cache, const char *name, const struct str *bytes,
		char ret_id[HASH_HEX_LEN + 1], struct err *err);

#endif
