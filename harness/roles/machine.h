/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The body of a machine's worker: a session holds one machine and boots kernels on it, singly or in
 * blocks.
 */
#ifndef LKP_ROLES_MACHINE_H
#define LKP_ROLES_MACHINE_H

#include "db/db.h"
#include "harness/bench/bench.h"
#include "harness/config/config.h"
#include "harness/machine/toolbox.h"
#include "harness/run/boot.h"

struct session; /* a machine that is ours */

struct session_spec {
	const struct config *config;
	struct db *db;
	const struct config_machine *machine;
	const struct bench_case *cases; /* borrowed; cases whose jobs differ in the kernel command
					 * line are run in boots of their own */
	size_t n_cases;
	int64_t iterations; /* 0: the jobs' own */
	struct progress *progress;
};

/* Checks the machine, makes the toolbox, takes the machine's lock (waiting for it). */
int session_open(const struct session_spec *spec, struct session **ret, struct err *err);
void session_free(struct session *s);

const struct machine_driver *session_driver(const struct session *s);
const char *session_toolbox_id(const struct session *s);
/* Boots that one kernel needs: number of distinct kernel command lines. */
size_t session_boots(const struct session *s);
/* Seconds that a boot takes, measured so far (or a guess before the first). */
double session_boot_seconds(const struct session *s);
/* The uuids of the boots made so far; NULL: none. */
char *const *session_booted(const struct session *s);

/* How the boots of one kernel ended, the worst of them. */
struct session_outcome {
	enum machine_status status;
	char what[96]; /* kind, and where it can be told: "oops in shmem_write_begin" */
	char detail[400];
	size_t failed_runs; /* cases that failed on a healthy kernel */
};

/* One round of boots of one kernel, outside any block. `what` names it in the progress line. */
int session_boot(struct session *s, const struct run_kernel *kernel, const char *purpose,
		 const char *what, struct session_outcome *ret, struct err *err);

/* A block: base and head, in random order, same seed. A failure of our lab is tried again, twice.
 */
int session_block(struct session *s, const struct run_kernel *base, const struct run_kernel *head,
		  const char *purpose, const char *what, struct session_outcome *ret_base,
		  struct session_outcome *ret_head, struct err *err);

#endif
