/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lkpctl's verbs. One const row per verb in cmds[] (cli.c), one file cmd_<verb>.c each. Help texts
 * print from the rows.
 */
#ifndef LKP_CLI_H
#define LKP_CLI_H

#include <stdbool.h>

#include "db/db.h"
#include "harness/config/config.h"
#include "harness/util/err.h"
#include "harness/util/opt.h"
#include "harness/util/str.h"

/* Exit statuses; nothing else is used. */
enum {
	EXIT_OK = 0,
	EXIT_FAIL = 1,
	EXIT_REGRESSION = 2,
	EXIT_INCONCLUSIVE = 3,
	EXIT_USAGE = 64,
	EXIT_LATER = 75, /* try again later: busy, no space, cancelled */
};

struct cli {
	const char *config_path; /* -c, or NULL */
	const char *db_path;	 /* --db, or NULL */
	bool json, quiet, verbose;
	struct config *config; /* opened on demand by cli_config() */
	struct db *db;	       /* opened on demand by cli_db() */
	char *db_state;	       /* the state folder that cli_db_place() found, or NULL */
};

struct cmd {
	const char *name;
	const char *summary;		    /* one line, no full stop */
	const char *usage;		    /* what follows "lkpctl NAME " */
	const char *details;		    /* more lines for the help, or NULL */
	const struct opt *(*options)(void); /* the verb's option table; NULL: none */
	/* argv[0] is the verb. Returns an exit status; prints its errors by cli_fail(). */
	int (*run)(struct cli *cli, int argc, char **argv);
};

extern const struct cmd *const cmds[]; /* NULL-terminated */

/* Reads the configuration (once). The caller does not free it. */
int cli_config(struct cli *cli, const struct config **ret, struct err *err);
/* Opens the database: --db, else the configuration's. */
int cli_db(struct cli *cli, struct db **ret, struct err *err);
/* The same for a verb that only reads: it also works where nothing may be written. */
int cli_db_read(struct cli *cli, struct db **ret, struct err *err);
/* Where it is, and the state folder whose results and journal it is the index of; NULL: none, as
 * for a --db FILE of its own (db_state_of()). */
int cli_db_place(struct cli *cli, const char **ret_path, const char **ret_state, struct err *err);
/* Parses the verb's own options and the global ones. 0; or -1 with *ret_exit set to what run() must
 * return: help was printed (EXIT_OK) or the arguments are wrong (EXIT_USAGE, message printed).
 * min and max bound the number of arguments left; max -1: any. The caller frees *ret_args. */
int cli_args(struct cli *cli, const struct cmd *cmd, int argc, char **argv, int min, int max,
	     char ***ret_args, int *ret_n, int *ret_exit);
/* Prints "lkpctl: message" to stderr; returns the exit status that fits (cancelled, locked,
 * disk-full: EXIT_LATER). */
int cli_fail(const struct err *err);
/* Writes the text to stdout; a failed write is an EXIT_FAIL, else returns EXIT_OK. */
int cli_print(const struct str *text);

/* "lkpctl: text" to stderr, for people; nothing with -q. */
void cli_note(const struct cli *cli, const char *text);

/* The verbs that are groups ("jobs list"): runs the row of `subs` (name == NULL ends) named by
 * argv[1]; without one, or with -h, prints them. */
int cli_group(struct cli *cli, const struct cmd *group, const struct cmd *subs, int argc,
	      char **argv);

#endif
