/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where our own control groups are in the file system.
 */
#ifndef LKP_CGROUP_FIND_H
#define LKP_CGROUP_FIND_H

#include <stdbool.h>
#include <stddef.h>

enum { CGROUP_MEMORY = 1, CGROUP_PIDS = 2 };

struct cgroup_place {
	char *path;	      /* of our own group's folder */
	bool v2;	      /* its controllers are named in a file there */
	unsigned controllers; /* version 1: of this hierarchy */
	bool root;	      /* the root of the hierarchy as we see it */
};

#define CGROUP_PLACES 3

/* From texts like /proc/self/mountinfo and /proc/self/cgroup: the places that may have a controller
 * of ours, version 2 first. Each path is to be freed. Returns how many. */
size_t cgroup_find(const char *mountinfo, const char *self, struct cgroup_place ret[CGROUP_PLACES]);

/* Whether systemd has delegated this folder to us. */
bool cgroup_is_delegated(const char *path);

/* Whether we may make groups there: see cgroup.h. */
bool cgroup_is_ours(const struct cgroup_place *place);

#endif
