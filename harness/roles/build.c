/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/roles/build.h"

#include "db/kernels.h"
#include "harness/util/mem.h"

static int put_commit(struct db *db, const struct commit *c, struct err *err)
{
	_cleanup_strv_ char **parents = NULL;
	struct db_commit row = {
		.subject = c->subject,
		.author_name = c->author_name,
		.author_email = c->author_email,
		.date = c->date,
	};
	for (size_t i = 0; i < c->n_parents; i++)
		strv_add(&parents, c->parents[i]);
	row.parents = parents;
	snprintf(row.id, sizeof(row.id), "%s", c->id);
	return db_commit_put(db, &row, err);
}

int build_role(struct db *db, const struct config *config, const struct config_tree *tree,
	       const struct config_kconfig *kconfig, struct repo *repo, const struct commit *commit,
	       struct progress *progress, struct kernel *ret, struct err *err)
{
	struct kernel kernel = {0};
	int64_t id;
	if (kernel_build(config, tree, kconfig, repo, commit->id, progress, &kernel, err) < 0)
		return -1;
	struct db_kernel row = {
		.tree = tree->name,
		.kconfig = kconfig->name,
		.toolchain = kernel.toolchain,
		.image_id = kernel.image_id,
		.status = kernel.ok ? "ok" : "build-failed",
		.error = kernel.error ? kernel.error : "",
		.record = kernel.record,
		.seconds = kernel.seconds,
	};
	snprintf(row.commit, sizeof(row.commit), "%s", commit->id);
	if (put_commit(db, commit, err) < 0 || db_kernel_put(db, &row, &id, err) < 0) {
		kernel_done(&kernel);
		return -1;
	}
	*ret = kernel;
	return 0;
}
