/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/git/repo.h"
#include "harness/util/mem.h"

static int parse_two(const char *a, const char *b, git_oid *oid_a, git_oid *oid_b, struct err *err)
{
	const char *const text[] = {a, b};
	git_oid *const oid[] = {oid_a, oid_b};

	for (int i = 0; i < 2; i++)
		if (strlen(text[i]) != GIT_HEX_LEN || git_oid_fromstr(oid[i], text[i]) < 0)
			return err_set(err, ERR_USER, "\"%.60s\" is no full commit id", text[i]);
	return 0;
}

int repo_merge_base(struct repo *repo, const char *a, const char *b, char ret[GIT_HEX_LEN + 1],
		    struct err *err)
{
	git_oid oid_a, oid_b, base;
	int rc;

	if (parse_two(a, b, &oid_a, &oid_b, err) < 0)
		return -1;
	rc = git_merge_base(&base, repo->git, &oid_a, &oid_b);
	if (rc == GIT_ENOTFOUND)
		return err_set(err, ERR_USER, "%.12s and %.12s of %s have no common ancestor", a, b,
			       repo->path);
	if (rc < 0)
		return git_fail(err, ERR_INFRA, "cannot find the merge base of %.12s and %.12s", a,
				b);
	git_oid_tostr(ret, GIT_HEX_LEN + 1, &base);
	return 0;
}

bool repo_is_ancestor(struct repo *repo, const char *ancestor, const char *id)
{
	git_oid oid_a, oid_b;

	if (parse_two(ancestor, id, &oid_a, &oid_b, NULL) < 0)
		return false;
	return git_oid_equal(&oid_a, &oid_b) ||
	       git_graph_descendant_of(repo->git, &oid_b, &oid_a) == 1;
}

static int walk_start(struct repo *repo, const char *base, const char *head, bool first_parent,
		      git_revwalk **ret, struct err *err)
{
	git_revwalk *walk = NULL;
	git_oid oid_base, oid_head;

	if (parse_two(base, head, &oid_base, &oid_head, err) < 0)
		return -1;
	if (git_revwalk_new(&walk, repo->git) < 0)
		return git_fail(err, ERR_INFRA, "cannot walk %s", repo->path);
	git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
	if (first_parent)
		git_revwalk_simplify_first_parent(walk);
	if (git_revwalk_push(walk, &oid_head) < 0 || git_revwalk_hide(walk, &oid_base) < 0) {
		git_revwalk_free(walk);
		return git_fail(err, ERR_USER, "%s has no range %.12s..%.12s", repo->path, base,
				head);
	}
	*ret = walk;
	return 0;
}

static void commits_free(struct commit *commits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		commit_done(&commits[i]);
	free(commits);
}

int repo_range(struct repo *repo, const char *base, const char *head, bool first_parent, size_t max,
	       struct commit **ret, size_t *ret_n, bool *ret_more, struct err *err)
{
	struct commit *commits = NULL;
	size_t n = 0, cap = 0;
	git_revwalk *walk = NULL;
	git_oid oid;
	int rc, failed = 0;

	if (walk_start(repo, base, head, first_parent, &walk, err) < 0)
		return -1;
	while ((rc = git_revwalk_next(&oid, walk)) == 0 && n < max && !failed) {
		char hex[GIT_HEX_LEN + 1];

		git_oid_tostr(hex, sizeof(hex), &oid);
		mem_grow(&commits, &cap, n + 1, sizeof(*commits));
		failed = repo_commit(repo, hex, &commits[n], err);
		n += failed ? 0 : 1;
	}
	git_revwalk_free(walk);
	if (rc < 0 && rc != GIT_ITEROVER && !failed)
		failed = git_fail(err, ERR_INFRA, "cannot walk %s", repo->path);
	if (failed) {
		commits_free(commits, n);
		return -1;
	}
	*ret = commits;
	*ret_n = n;
	*ret_more = rc == 0;
	return 0;
}

char **commit_trailers(const struct commit *commit, const char *key)
{
	git_message_trailer_array trailers = {0};
	char **values = xcalloc(1, sizeof(*values));

	if (git_message_trailers(&trailers, commit->message) == 0)
		for (size_t i = 0; i < trailers.count; i++)
			if (strcasecmp(trailers.trailers[i].key, key) == 0)
				strv_add(&values, trailers.trailers[i].value);
	git_message_trailer_array_free(&trailers);
	return values;
}

static int tree_of(struct repo *repo, const char *id, git_tree **ret, struct err *err)
{
	_cleanup_commit_ git_commit *commit = NULL;

	if (git_commit_get(repo, id, &commit, err) < 0)
		return -1;
	if (git_commit_tree(ret, commit) < 0)
		return git_fail(err, ERR_INFRA, "cannot read the tree of %s", id);
	return 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A file that became a link is listed by libgit2 as a deletion and an addition of one path. */
static char **sorted_paths(git_diff *diff, size_t max)
{
	size_t n = git_diff_num_deltas(diff), kept = 0;
	char **paths = xcalloc(n + 1, sizeof(*paths));

	for (size_t i = 0; i < n; i++)
		paths[i] = git_text(git_diff_get_delta(diff, i)->new_file.path, 4096);
	qsort(paths, n, sizeof(*paths), compare_paths);
	for (size_t i = 0; i < n; i++) {
		char *path = paths[i];

		paths[i] = NULL;
		if (kept == max || (kept > 0 && streq(path, paths[kept - 1])))
			free(path);
		else
			paths[kept++] = path;
	}
	return paths;
}

int repo_changed_paths(struct repo *repo, const char *a, const char *b, size_t max, char ***ret,
		       struct err *err)
{
	_cleanup_tree_ git_tree *tree_a = NULL;
	_cleanup_tree_ git_tree *tree_b = NULL;
	git_diff_options options;
	git_diff *diff = NULL;

	if (tree_of(repo, a, &tree_a, err) < 0 || tree_of(repo, b, &tree_b, err) < 0)
		return -1;
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_SKIP_BINARY_CHECK;
	if (git_diff_tree_to_tree(&diff, repo->git, tree_a, tree_b, &options) < 0)
		return git_fail(err, ERR_INFRA, "cannot compare %.12s with %.12s", a, b);
	*ret = sorted_paths(diff, max);
	git_diff_free(diff);
	return 0;
}
