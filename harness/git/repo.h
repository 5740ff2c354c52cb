/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of harness/git share: the open repository and libgit2's types by our names. Only
 * they include it.
 */
#ifndef LKP_GIT_REPO_H
#define LKP_GIT_REPO_H

#include <git2.h>

#include "harness/git/git.h"

struct repo {
	git_repository *git;
	char *path;
};

#define _cleanup_tree_ __attribute__((cleanup(git_tree_cleanup)))
void git_tree_cleanup(git_tree **tree);
#define _cleanup_commit_ __attribute__((cleanup(git_commit_cleanup)))
void git_commit_cleanup(git_commit **commit);

/* Sets *err with libgit2's last message behind ours; returns -1. */
int git_fail(struct err *err, enum err_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A copy of hostile text as valid UTF-8, cut to at most cap bytes between characters. NULL: "". */
char *git_text(const char *text, size_t cap);

/* A commit by its full id; anything else is an error of kind USER. */
int git_commit_get(struct repo *repo, const char *id, git_commit **ret, struct err *err);

#endif
