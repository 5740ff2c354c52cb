/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent's answer: a folder of files and, last of all, done.json, which names them with their
 * sizes.
 */
#ifndef LKP_AGENT_RESULT_H
#define LKP_AGENT_RESULT_H

#include <jansson.h>
#include <stddef.h>

#include "harness/util/err.h"

#define RESULT_FILE_CAP (1 << 20) /* bytes of a file */

struct result {
	const char *folder; /* borrowed */
	json_t *files;	    /* name -> size */
};

/* Makes the folder. A done.json of an earlier answer in it is removed first. */
int result_open(struct result *result, const char *folder, struct err *err);
void result_done(struct result *result);

/* The path of a file in the folder, whose own folder is made; the caller frees it. NULL: *err is
 * set. */
char *result_path(const struct result *result, const char *name, struct err *err);
/* Writes a file, at most RESULT_FILE_CAP bytes of it. */
int result_write(struct result *result, const char *name, const void *data, size_t n,
		 struct err *err);
int result_write_json(struct result *result, const char *name, const json_t *json, struct err *err);
/* Takes a file that something else wrote by result_path(). Absent, not regular, over the cap: it is
 * removed and left out. */
void result_adopt(struct result *result, const char *name);

/* Everything to the disk, then done.json by rename. */
int result_finish(struct result *result, const char *boot, struct err *err);
/* Copies the finished answer to another folder, done.json last and by rename again. */
int result_copy(const struct result *result, const char *to, struct err *err);

#endif
