/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/roles/build.h"

#include "db/kernels.h"
#include "harness/kernel/zst.h"
#include "harness/machine/machine.h"
#include "harness/util/mem.h"

#define CONFIG_CAP (4 << 20)

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

/* Is this a line of the text? */
static bool has_line(const char *text, const char *line)
{
	size_t n = strlen(line);
	for (const char *at = text; (at = strstr(at, line)); at += n)
		if ((at == text || at[-1] == '\n') && (at[n] == '\n' || !at[n]))
			return true;
	return false;
}

int build_needs(const struct kernel *kernel, const struct bench_case *cases, size_t n,
		struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	if (zst_read(kernel->config, CONFIG_CAP, &text, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		char *const *need = cases[i].job->needs.kconfig;
		for (size_t k = 0; need && need[k]; k++)
			if (!has_line(text.buf, need[k]))
				return err_set(
					err, ERR_USER,
					"job \"%s\" needs %s, which kconfig \"%s\" does not give: "
					"add it to a fragment",
					cases[i].job->name, need[k], kernel->kconfig);
	}
	return 0;
}

int build_fits(const struct kernel *kernel, const struct config_machine *machine, struct err *err)
{
	const struct machine_driver *driver = machine_driver_find(machine->driver);
	_cleanup_str_ struct str text = STR_INIT;

	if (!driver || !driver->needs)
		return 0;
	if (zst_read(kernel->config, CONFIG_CAP, &text, err) < 0)
		return -1;
	for (const char *const *need = driver->needs(machine); *need; need++)
		if (!has_line(text.buf, *need))
			return err_set(
				err, ERR_USER,
				"machine \"%s\" needs %s, which kconfig \"%s\" does not give: choose "
				"another by -k, or add it to a fragment",
				machine->name, *need, kernel->kconfig);
	return 0;
}
