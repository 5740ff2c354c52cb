/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the facts of a boot lie.
 */
#ifndef LKP_DB_FACTS_H
#define LKP_DB_FACTS_H

#include "db/db.h"

/* The boot folder of the newest boot that ended well of the commit on the machine; "" when there is
 * none (or it was imported). The caller frees *ret. */
int db_boot_folder(struct db *db, const char *commit, const char *machine, const char *kconfig,
		   char **ret, struct err *err);

#endif
