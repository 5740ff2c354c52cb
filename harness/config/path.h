/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths as people write them in lkp.yaml: "~/x", "$NAME/x", "{cache}/x", "{state}/x", and relative
 * to the folder of the file they stand in.
 */
#ifndef LKP_CONFIG_PATH_H
#define LKP_CONFIG_PATH_H

#include "harness/util/err.h"
#include "harness/util/str.h"

struct path_base {
	char *dir;	   /* absolute folder that relative paths start from */
	const char *state; /* what {state} and {cache} stand for; NULL: not known yet */
	const char *cache;
};

/* Appends the absolute path. Kind USER: an unset $NAME, an unknown {name}. */
int path_expand(const struct path_base *base, const char *text, struct str *ret, struct err *err);
/* The same for the url of a repository: a path, or file://path (kept); other schemes as they are.
 */
int path_expand_url(const struct path_base *base, const char *text, struct str *ret,
		    struct err *err);
/* The absolute folder of a file, whether or not the file exists; the caller frees it. */
char *path_folder(const char *file);

/* Where state and cache are when the configuration does not say: as root /var/lib/lkp and
 * /var/cache/lkp, else $XDG_STATE_HOME/lkp (~/.local/state/lkp) and $XDG_CACHE_HOME/lkp
 * (~/.cache/lkp). Appends the path; kind USER when HOME is needed and not set. */
int path_default_state(struct str *ret, struct err *err);
int path_default_cache(struct str *ret, struct err *err);

#endif
