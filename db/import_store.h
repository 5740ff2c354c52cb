/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Storing a checked run of an import, or finding that it is stored already.
 */
#ifndef LKP_DB_IMPORT_STORE_H
#define LKP_DB_IMPORT_STORE_H

#include <jansson.h>

#include "db/boots.h"

struct import_metric {
	const char *name;
	double *values;
	size_t n;
};

struct import_record {
	char commit[DB_HEX_LEN + 1];
	const char *machine, *test_case, *boot, *status; /* test_case "": the boot itself failed */
	const char *kconfig;				 /* NULL: not said */
	const json_t *facts;				 /* NULL: not said */
	int64_t block;					 /* 0: none */
	struct import_metric *metrics;
	size_t n_metrics;
};

/* Stores r; *ret_new false: it was there, the same. A different run of the same boot and test, a
 * boot whose facts differ, or an unknown commit: kind USER. path names the run in messages. */
int import_store(struct db *db, const struct import_record *r, const char *path, bool *ret_new,
		 struct err *err);

#endif
