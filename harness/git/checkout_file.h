/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of a checkout that touches single entries of a folder. Everything goes by a folder's
 * descriptor and a name without "/", and no link is ever followed.
 */
#ifndef LKP_CHECKOUT_FILE_H
#define LKP_CHECKOUT_FILE_H

#include <git2.h>

#include "harness/git/checkout.h"

/* Up to this many files are synced to the disk one by one, more by the whole file system at the
 * end. */
#define CHECKOUT_SYNC_EACH 200

struct checkout {
	git_repository *git;
	const char *id;	  /* of the commit, for messages */
	const char *temp; /* where files are born: beside the folder, on its file system */
	bool full;	  /* what is in the folder is unknown */
	struct str path;  /* of the entry at hand, for messages */
	struct checkout_stats stats;
	struct err *err;
};

/* Makes name a folder of mode 0755 by what it takes; one that is there keeps its contents. */
int checkout_make_folder(struct checkout *c, int fd, const char *name);
/* Makes name the file or link that entry says. A full checkout leaves alone what is right already.
 */
int checkout_put_file(struct checkout *c, int fd, const char *name, const git_tree_entry *entry);
/* Removes name with all below it. */
int checkout_remove(struct checkout *c, int fd, const char *name);

#endif
