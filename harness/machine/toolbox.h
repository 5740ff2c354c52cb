/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The toolbox: what travels to a test machine. The agent as /init, the benchmarks and perf in
 * /lkp/bin, perf's libraries and their loader (ld.so) in /lkp/lib. A toolbox is named by the hash
 * of all its names, modes and contents, so results say by which tools they were made.
 *
 * Below <cache>/toolbox/: <id>/tree (as on the machine), <id>/toolbox.cpio (the same for a kernel
 * to unpack), and by-key/<key> (what a set of unchanged sources made, so that they are not read
 * again).
 */
#ifndef LKP_TOOLBOX_H
#define LKP_TOOLBOX_H

#include "harness/util/err.h"
#include "harness/util/hash.h"

#define TOOLBOX_TREE "tree"
#define TOOLBOX_CPIO "toolbox.cpio"

struct toolbox {
	char id[HASH_HEX_LEN + 1];
	char *folder; /* <cache>/toolbox/<id>, absolute: machine_boot.toolbox */
	char *cpio;
};

/* Makes the toolbox from the programs beside the running one (build/, or PREFIX/lib/lkp/) and the
 * host's perf, or finds it made. Kind USER, with the remedy, when a program is not there. Safe
 * against another process that makes the same one. */
int toolbox_make(const char *cache, struct toolbox *ret, struct err *err);
/* The same from the folder `programs` (lkp-agent, bench/) and the program `perf`. */
int toolbox_make_from(const char *programs, const char *perf, const char *cache,
		      struct toolbox *ret, struct err *err);
void toolbox_done(struct toolbox *toolbox);

#endif
