/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of lkp.yaml and of job files as tables: one const row a key. Reading, checking, the list
 * of known keys in messages and the manual's tables all come from the rows.
 */
#ifndef LKP_KEYS_H
#define LKP_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/util/err.h"

/* What a key holds, and the C type of its field. */
enum key_type {
	KEY_TEXT,     /* char *, one line without control characters; NULL without a default */
	KEY_PATH,     /* char *, absolute: see harness/config/path.h */
	KEY_INT,      /* int64_t */
	KEY_BOOL,     /* bool */
	KEY_SWITCH,   /* int: 0, 1, or -1 when not given */
	KEY_DURATION, /* double, seconds */
	KEY_SIZE,     /* int64_t, bytes */
	KEY_RATIO,    /* double, 2% = 0.02 */
	KEY_TEXTS,    /* char **, NULL-terminated, never NULL */
	KEY_PATHS,    /* char **, likewise */
	KEY_SECTION,  /* nothing: its value is read by the section named in `section` */
};

struct key {
	const char *name;
	enum key_type type;
	size_t offset; /* of the field in the record */
	bool required;
	const char *def;	    /* default as it would be written; NULL: 0, false, empty */
	const char *help;	    /* one line: meaning, unit */
	const char *section;	    /* KEY_SECTION: the section of its value; NULL: see help */
	const char *const *choices; /* texts allowed, NULL-terminated; NULL: any that pass check */
	int (*check)(const char *text, struct err *err); /* of each text; kind USER; or NULL */
	double min, max; /* numbers, in the field's unit; both 0: any that is not negative */
};

struct key_section {
	const char *name;	/* "tree" */
	const char *summary;	/* one line */
	const struct key *keys; /* ends with name == NULL */
};

/* All sections; ends with name == NULL. */
extern const struct key_section key_sections[];

/* By name; NULL when there is none such. */
const struct key_section *key_section(const char *name);
/* The rows of a section, ending with name == NULL; NULL when there is no such section. */
const struct key *config_keys(const char *section);
/* What a value of this type is called in messages and manuals: "a list of strings". */
const char *key_type_name(enum key_type type);

#endif
