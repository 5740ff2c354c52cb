/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read access to a git repository by libgit2: a local path or a file:// URL. No hooks, filters or
 * submodules are ever run. Names and messages are hostile bytes: what leaves here is valid UTF-8
 * (invalid bytes become U+FFFD) and capped.
 */
#ifndef LKP_GIT_H
#define LKP_GIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

#define GIT_HEX_LEN 40

struct repo; /* an open repository */

struct commit {
	char id[GIT_HEX_LEN + 1];
	char tree[GIT_HEX_LEN + 1];
	char (*parents)[GIT_HEX_LEN + 1];
	size_t n_parents;
	char *subject; /* first line, at most 500 bytes, one line */
	char *message; /* at most 64 KiB */
	char *author_name, *author_email;
	char *committer_name, *committer_email;
	int64_t date; /* committer date, UTC seconds */
};

void commit_done(struct commit *commit);

/* Kind USER when path is no repository; the message names path. */
int repo_open(const char *path, struct repo **ret, struct err *err);
void repo_free(struct repo *repo);
const char *repo_path(const struct repo *repo);

/* Any revision git understands (branch, tag, hash prefix, HEAD~3) -> commit id. Unknown or
 * ambiguous: kind USER; ambiguity lists the candidates. */
int repo_resolve(struct repo *repo, const char *rev, char ret[GIT_HEX_LEN + 1], struct err *err);
int repo_commit(struct repo *repo, const char *id, struct commit *ret, struct err *err);
/* The best merge base; kind USER when the histories are unrelated. */
int repo_merge_base(struct repo *repo, const char *a, const char *b, char ret[GIT_HEX_LEN + 1],
		    struct err *err);
bool repo_is_ancestor(struct repo *repo, const char *ancestor, const char *id);
/* Commits reachable from head and not from base, children before parents, at most max (more: the
 * rest is left out and *ret_more set). Elements end with commit_done(). first_parent: follow only
 * those. */
int repo_range(struct repo *repo, const char *base, const char *head, bool first_parent, size_t max,
	       struct commit **ret, size_t *ret_n, bool *ret_more, struct err *err);
/* Values of a trailer ("Signed-off-by") of a message; NULL-terminated vector. */
char **commit_trailers(const struct commit *commit, const char *key);
/* Paths that differ between two commits' trees (renames as delete + add), sorted, at most max. */
int repo_changed_paths(struct repo *repo, const char *a, const char *b, size_t max, char ***ret,
		       struct err *err);

#endif
