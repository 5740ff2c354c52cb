/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/find_commit.h"

#include "harness/config/load.h"
#include "harness/git/git.h"
#include "harness/util/mem.h"

int find_config(struct cli *cli, const struct config **ret, struct err *err)
{
	_cleanup_str_ struct str path = STR_INIT;
	struct err none = ERR_INIT;

	if (!cli->config_path && config_find(NULL, &path, &none) < 0) {
		*ret = NULL;
		return 0;
	}
	return cli_config(cli, ret, err);
}

/* The revision in the first tree that has it; the trees' own messages are kept for the error. */
static int resolve(const struct config *config, const char *text, char *ret, struct err *err)
{
	_cleanup_str_ struct str tried = STR_INIT;

	for (size_t i = 0; i < config->n_trees; i++) {
		const struct config_tree *tree = &config->trees[i];
		struct repo *repo = NULL;
		struct err why = ERR_INIT;
		int status = repo_open(tree->url, &repo, &why);
		if (status == 0)
			status = repo_resolve(repo, text, ret, &why);
		repo_free(repo);
		if (status == 0)
			return 0;
		str_addf(&tried, "\n  tree \"%s\": %.200s", tree->name, why.msg);
	}
	return err_set(err, ERR_USER, "%.100s: no such commit in the database or the trees%s", text,
		       tried.buf);
}

int find_commit(struct cli *cli, const char *text, char ret[DB_HEX_LEN + 1], struct err *err)
{
	_cleanup_(db_commit_done) struct db_commit c = {.id = ""};
	const struct config *config = NULL;
	char id[GIT_HEX_LEN + 1] = "";
	struct db *db;
	bool known;

	if (cli_db_read(cli, &db, err) < 0)
		return -1;
	/* A prefix that fits none may still be a branch's name; one that fits two stays an error.
	 */
	known = db_commit_find(db, text, &c, err) == 0;
	if (!known && streq(err->cause, "ambiguous"))
		return -1;
	if (!known) {
		if (find_config(cli, &config, err) < 0)
			return -1;
		if (!config)
			return db_commit_find(db, text, &c, err);
		if (resolve(config, text, id, err) < 0)
			return -1;
		if (db_commit_find(db, id, &c, err) < 0)
			return err_wrap(err, "%.100s has no results yet", text);
	}
	memcpy(ret, c.id, sizeof(c.id));
	return 0;
}
