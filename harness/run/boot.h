/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One boot: makes its folder (docs/boot-folder.md), has the machine's driver boot the kernel and
 * run the cases, takes the answer over, and indexes the folder in the database.
 */
#ifndef LKP_RUN_BOOT_H
#define LKP_RUN_BOOT_H

#include <stddef.h>
#include <stdint.h>

#include "db/db.h"
#include "harness/bench/bench.h"
#include "harness/config/config.h"
#include "harness/git/git.h"
#include "harness/machine/machine.h"
#include "harness/util/hash.h"

#define RUN_BOOT_LEN 36 /* of a boot's uuid */

/* What is booted; borrowed. */
struct run_kernel {
	const struct commit *commit;
	const char *tree, *kconfig; /* "" for an image given by hand */
	const char *toolchain;
	const char *image; /* path; NULL for drivers that do not boot */
	const char *image_id;
	const char *vmlinux; /* with line numbers, for its reports; NULL: there is none */
	const struct config_kconfig *rules; /* which of its faults count; NULL: all but warnings */
};

struct run_boot {
	const struct config *config;
	const struct config_machine *machine;
	const struct machine_driver *driver;
	const char *toolbox, *toolbox_id;
	const struct run_kernel *kernel;
	const struct bench_case *cases; /* one boot runs them all, in this order */
	size_t n_cases;
	const char *cmdline; /* of the cases' setup; NULL */
	int64_t iterations;  /* in place of the jobs' own; 0: theirs */
	int64_t block;	     /* 0: none */
	const char *purpose; /* "judge", "confirm", "noise", "import" */
	uint64_t seed;
	struct progress *progress;
};

struct run_ended {
	char boot[RUN_BOOT_LEN + 1];
	enum machine_status status; /* MACHINE_OK: the result is whole */
	char what[96];		    /* kind of the end, "oops in shmem_write_begin"; "ok" */
	char detail[400];
	size_t failed; /* cases that failed on the healthy kernel */
	double seconds;
};

/* -1 (INFRA, USER, cancelled): nothing is kept of this boot. Else the boot is in the store, however
 * it ended. The caller holds the machine's lock (run_lock). */
int run_boot(struct db *db, const struct run_boot *b, struct run_ended *ret, struct err *err);

/* Takes the machine for this process and clears what a killed one left; the lock ends with *ret_fd.
 * Kind USER, cause "locked", when another process has it and wait is false. */
int run_lock(const struct config *config, const char *machine, bool wait, int *ret_fd,
	     struct err *err);

/* Seed for a block, from the system's randomness; 1 .. 2^31 - 1. */
uint64_t run_seed(void);

#endif
