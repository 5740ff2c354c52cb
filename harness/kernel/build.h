/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make in the sandbox, and what it takes to have it start from a known .config. The caller holds
 * the locks of the source and the output folder.
 */
#ifndef LKP_BUILD_H
#define LKP_BUILD_H

#include "harness/config/config.h"
#include "harness/kernel/buildlog.h"
#include "harness/kernel/kconfig.h"
#include "harness/kernel/outguard.h"
#include "harness/kernel/outstate.h"
#include "harness/kernel/sandbox.h"
#include "harness/util/cgroup.h"
#include "harness/util/progress.h"

struct build {
	struct sandbox box;
	struct repo *repo;
	const char *commit;
	const char *arch;
	const char *toolchain;
	int64_t jobs;	 /* make -j */
	double deadline; /* on the monotonic clock; 0: none */
	const struct kconfig_requests *requests;
	struct progress *progress;
	struct outstate state;
	struct str log; /* what make printed, at most 16 MiB */
	struct buildlog_counter counter;
	struct str refusal; /* what the build left in place of a file that we need; "": nothing */
	const struct config_build *limits;
	struct cgroup *group; /* NULL: the host allows none */
	struct outguard guard;
};

void build_done(struct build *b);

/* Puts the limits in force that do not belong to one process: sets b->group and b->guard. INFRA
 * "disk-full": there is not even room to begin. */
int build_limit(struct build *b, struct err *err);

/* The names of the limits that hold for this build, for its record. strv_free(). */
char **build_limit_names(const struct build *b);

/* Runs make with these NULL-terminated words ("bzImage"), its output appended to the log. 0: it
 * ended by itself, *ret_ok says how. -1, INFRA: the sandbox, deadline ("deadline"), a cancel, no
 * memory ("memory") or processes, a full disk ("disk-full"); USER: "output-too-large". */
int build_make(struct build *b, const char *const *words, bool *ret_ok, struct err *err);

/* Makes out/.config from base and fragments, or leaves alone the one made from the same, and
 * verifies it. *ret_ok = false: the commit's own Kconfig does not work. -1: USER or INFRA, see
 * kernel_build(). */
int build_configure(struct build *b, bool *ret_ok, struct err *err);

/* Reads a file of the output folder, which the build may have made anything: no links, capped. */
int build_read(const struct build *b, const char *name, size_t cap, struct str *ret,
	       struct err *err);

/* The same for a file without which a finished build counts as failed. *ret_there = false: it is
 * missing, or, then b->refusal says so, it is no plain file of at most cap bytes. */
int build_take(struct build *b, const char *name, size_t cap, struct str *ret, bool *ret_there,
	       struct err *err);

#endif
