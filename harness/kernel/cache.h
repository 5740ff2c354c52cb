/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of builds below <cache>/kernels/: a JSON file each, with the compressed log and .config
 * beside it. The JSON file is written last, so a record that is there is whole.
 */
#ifndef LKP_CACHE_H
#define LKP_CACHE_H

#include "harness/kernel/kernel.h"

struct cache_place {
	const char *cache;
	const char *tree, *kconfig, *commit, *toolchain;
	const char *key;   /* of the requests: a record made for others does not count */
	const char *image; /* file name of the image */
};

/* 1: *ret is the record; 0: there is none that can be used (damaged, made for other requests, its
 * image gone); -1: INFRA. */
int cache_find(const struct cache_place *place, struct kernel *ret, struct err *err);

/* What is kept of a build beside its record; borrowed. */
struct cache_texts {
	const char *const *limits; /* names of those in force, for a person */
	const struct str *log, *config;
	const struct str *vmlinux; /* "": not kept */
};

/* Stores a finished build. built says ok, image_id, error and seconds; *ret is what cache_find()
 * would return. */
int cache_store(const struct cache_place *place, const struct kernel *built,
		const struct cache_texts *texts, struct kernel *ret, struct err *err);

#endif
