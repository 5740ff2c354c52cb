/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>

#include "harness/git/repo.h"
#include "harness/util/mem.h"

#define CANDIDATES_MAX 8

/* The commits (and tags of commits) whose id starts with a prefix. */
struct candidates {
	struct repo *repo;
	const char *prefix;
	size_t len;
	char ids[CANDIDATES_MAX][GIT_HEX_LEN + 1];
	size_t n;
};

static int candidate_add(const git_oid *oid, void *arg)
{
	struct candidates *c = arg;
	git_object *object = NULL, *commit = NULL;
	char hex[GIT_HEX_LEN + 1];

	git_oid_tostr(hex, sizeof(hex), oid);
	if (strncasecmp(hex, c->prefix, c->len) != 0)
		return 0;
	if (git_object_lookup(&object, c->repo->git, oid, GIT_OBJECT_ANY) == 0 &&
	    git_object_peel(&commit, object, GIT_OBJECT_COMMIT) == 0) {
		bool known = false;

		git_oid_tostr(hex, sizeof(hex), git_object_id(commit));
		for (size_t i = 0; i < c->n; i++)
			known |= streq(hex, c->ids[i]);
		if (!known && c->n < CANDIDATES_MAX)
			snprintf(c->ids[c->n++], sizeof(hex), "%s", hex);
	}
	git_object_free(commit);
	git_object_free(object);
	return 0;
}

/* Git takes a short id that fits several objects but one commit as that commit, and so do we. With
 * more behind the prefix ("1234~2") the full id takes its place. */
static int resolve_ambiguous(struct repo *repo, const char *rev, char ret[GIT_HEX_LEN + 1],
			     struct err *err)
{
	struct candidates c = {.repo = repo, .prefix = rev};
	_cleanup_str_ struct str list = STR_INIT;
	git_odb *odb = NULL;

	while (isxdigit((unsigned char)rev[c.len]))
		c.len++;
	if (c.len >= GIT_OID_MINPREFIXLEN && git_repository_odb(&odb, repo->git) == 0) {
		git_odb_foreach(odb, candidate_add, &c);
		git_odb_free(odb);
	}
	if (c.n == 1) {
		str_addf(&list, "%s%s", c.ids[0], rev + c.len);
		return repo_resolve(repo, list.buf, ret, err);
	}
	for (size_t i = 0; i < c.n; i++)
		str_addf(&list, "%s%s", i ? ", " : "", c.ids[i]);
	if (c.n == 0)
		return err_set(err, ERR_USER, "%s has no commit \"%.100s\"", repo->path, rev);
	return err_set_cause(err, ERR_USER, "ambiguous",
			     "\"%.100s\" fits more than one commit of %s, give more digits: %s",
			     rev, repo->path, list.buf);
}

int repo_resolve(struct repo *repo, const char *rev, char ret[GIT_HEX_LEN + 1], struct err *err)
{
	git_object *object = NULL, *commit = NULL;
	int rc = git_revparse_single(&object, repo->git, rev);

	if (rc == GIT_EAMBIGUOUS)
		return resolve_ambiguous(repo, rev, ret, err);
	if (rc < 0)
		return git_fail(err, ERR_USER, "%s has no commit \"%.100s\"", repo->path, rev);
	rc = git_object_peel(&commit, object, GIT_OBJECT_COMMIT);
	git_object_free(object);
	if (rc < 0)
		return git_fail(err, ERR_USER, "\"%.100s\" of %s names no commit", rev, repo->path);
	git_oid_tostr(ret, GIT_HEX_LEN + 1, git_object_id(commit));
	git_object_free(commit);
	return 0;
}
