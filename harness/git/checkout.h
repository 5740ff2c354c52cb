/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source folder that holds a commit's tree and moves between commits by writing only the files
 * that differ, so that make rebuilds only what changed.
 *
 * The folder's state is kept beside it in "<folder>.tree": the id of the tree it holds, or "dirty"
 * while it is being changed. A dirty or unknown folder is brought back by a full checkout.
 */
#ifndef LKP_CHECKOUT_H
#define LKP_CHECKOUT_H

#include "harness/git/git.h"

struct checkout_stats {
	bool full;	/* the whole tree was written */
	size_t written; /* files and links written */
	size_t removed; /* files removed */
};

/* Makes folder hold exactly commit's tree (files there that git does not know are removed only by a
 * full checkout). Symlinks that point outside the tree are written as links, never followed;
 * submodules are empty folders. Paths with "..", ".git" or absolute ones are refused (USER). The
 * caller holds the folder's lock. Killed at any instant, the next call repairs it. */
int checkout_commit(struct repo *repo, const char *id, const char *folder,
		    struct checkout_stats *ret, struct err *err);

#endif
