/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/run/recover.h"

#include "db/boots.h"
#include "harness/run/index.h"
#include "harness/util/fs.h"
#include "harness/util/log.h"
#include "harness/util/mem.h"

static void index_late(struct db *db, const char *folder, size_t *n)
{
	struct index_counts counts;
	struct err bad = ERR_INIT;

	if (index_boot(db, folder, &counts, &bad) == 0)
		++*n;
	else
		log_warn("folder=%s: %s", folder, bad.msg);
}

int run_recover(struct db *db, const struct config *config, const char *machine, size_t *ret_n,
		struct err *err)
{
	_cleanup_free_ char *results = xasprintf("%s/results/%s", config->paths.state, machine);
	_cleanup_(db_boot_names_done) struct db_boot_names known = {.n = 0};
	_cleanup_strv_ char **names = NULL;
	size_t n = 0;

	if (fs_list(results, &names, err) < 0 || db_boot_names(db, machine, &known, err) < 0)
		return -1;
	for (size_t i = 0; names && names[i]; i++) {
		if (names[i][0] == '.' || db_boot_names_has(&known, names[i]))
			continue;
		_cleanup_free_ char *folder = xasprintf("%s/%s", results, names[i]);
		_cleanup_free_ char *whole = xasprintf("%s/boot.json", folder);
		if (fs_exists(whole))
			index_late(db, folder, &n);
	}
	*ret_n = n;
	return 0;
}
