/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of a group of processes together, by the kernel's control groups: memory (swap too) and
 * the number of processes. A group "lkp-<pid>-<n>" is made below our own one: in version 2 where
 * that has the controller, else in version 1.
 *
 * Only a place that is ours is used: the root of a hierarchy as we see it, one that systemd has
 * delegated to us ("Delegate=yes"), or, for a user, a folder of his. Others have one writer, which
 * is not us. Version 2 allows no limits beside processes, so those in a delegated group move to
 * "lkp-main" below it.
 */
#ifndef LKP_CGROUP_H
#define LKP_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/util/str.h"

struct cgroup_limits {
	int64_t memory;	   /* bytes of all together; 0: no limit */
	int64_t processes; /* threads count too; 0: no limit */
};

struct cgroup;

/* Makes a group with those limits that can be had, after removing the groups of dead processes.
 * NULL when none can: *ret_why then says so, for a person. */
struct cgroup *cgroup_new(const struct cgroup_limits *limits, struct str *ret_why);

/* What cgroup_new() does, from these texts of /proc/self/mountinfo and /proc/self/cgroup. */
struct cgroup *cgroup_new_from(const char *mountinfo, const char *self,
			       const struct cgroup_limits *limits, struct str *ret_why);

/* The files of proc_spec.join that put a process in. */
const char *const *cgroup_files(const struct cgroup *group);

/* The limits in force: "cgroup2 memory", "cgroup1 pids", ...; NULL-terminated. */
const char *const *cgroup_names(const struct cgroup *group);

/* Whether the kernel killed a process in it for the memory limit. NULL: false. */
bool cgroup_out_of_memory(const struct cgroup *group);

/* Whether a fork in it failed for the limit of processes. NULL: false. */
bool cgroup_out_of_processes(const struct cgroup *group);

/* Kills all in it, waits until they are gone (at most ten seconds) and removes it. NULL is fine. */
void cgroup_free(struct cgroup *group);

#endif
