/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal's files: <state>/journal/YYYY-MM.jsonl, one JSON object per line, only ever appended
 * to. A line begins {"sum":"<16 hex>", the first half of the SHA-256's first half of all behind it,
 * so that a line that a crash or a disk cut or changed is known as such. What the lines say:
 * db/steps.h; docs/journal.md shows them to people.
 */
#ifndef LKP_DB_JOURNAL_H
#define LKP_DB_JOURNAL_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

#define JOURNAL_LINE_MAX (64UL << 20) /* bytes; a longer one is damaged */

struct journal;

/* A place between two lines. file "": before everything. */
struct journal_pos {
	char file[32];
	int64_t offset;
};

/* One line as read; json is NULL when it is damaged, torn when the file ends within it. */
struct journal_line {
	const char *file;
	int64_t number; /* from 1, counted from where the reading began */
	int64_t offset;
	const json_t *json;
	bool torn;
};

/* Gets each line in turn; returns 0, or -1 with *err, which ends the reading. */
typedef int journal_line_fn(const struct journal_line *line, void *arg, struct err *err);

/* Names a folder; makes nothing yet. */
struct journal *journal_new(const char *folder);
void journal_free(struct journal *j);
const char *journal_folder(const struct journal *j);

/* The end of the newest file; before everything when there is none. */
int journal_end(const struct journal *j, struct journal_pos *ret, struct err *err);
/* Does the place lie within what is there (or at its end)? */
int journal_holds(const struct journal *j, const struct journal_pos *pos, bool *ret,
		  struct err *err);
/* Reads all lines behind `from`. A folder that is not there has none. */
int journal_read(const struct journal *j, const struct journal_pos *from, journal_line_fn *fn,
		 void *arg, struct err *err);
/* The same for one open file, from where it stands; name is for messages. */
int journal_read_file(FILE *f, const char *name, journal_line_fn *fn, void *arg, struct err *err);

/* Appends a line that holds the object's members to text; the object is not empty. */
void journal_add_line(struct str *text, const json_t *object);

/* Writers lock the folder (made when missing) around what follows. */
int journal_lock(struct journal *j, struct err *err);
void journal_unlock(struct journal *j);
/* Moves a last line that was torn to a file beside (<file>.torn-<offset>) and cuts it off. */
int journal_heal(struct journal *j, struct err *err);
/* Appends whole lines to this month's file (or a newer one that is there), as one write, synced
 * when it returns. On failure nothing is left of them. */
int journal_append(struct journal *j, const struct str *lines, struct journal_pos *ret_end,
		   struct err *err);

/* Takes the last lines back: all behind that place of the newest file. */
int journal_cut(struct journal *j, const struct journal_pos *end, struct err *err);

#endif
