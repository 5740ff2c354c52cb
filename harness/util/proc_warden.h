/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The warden is a process between us and a command that adopts everything the command leaves behind
 * (PR_SET_CHILD_SUBREAPER), daemons with a session of their own too. It ends when the command and
 * all its descendants have, and kills them all when the command exits, when we say so, and when we
 * die.
 */
#ifndef LKP_PROC_WARDEN_H
#define LKP_PROC_WARDEN_H

#include <stdbool.h>
#include <sys/types.h>

enum warden_stage {
	WARDEN_STARTED,
	WARDEN_ENDED,
	WARDEN_NO_FORK,
	WARDEN_NO_JOIN,
	WARDEN_NO_CWD,
	WARDEN_NO_EXEC
};

/* One message of the warden: STARTED, then one of the others, which is the last. */
struct warden_report {
	enum warden_stage stage;
	pid_t pid;  /* of the command: also its process group */
	int error;  /* errno of the NO_ stages */
	int status; /* as of wait(), when ENDED */
	double user_seconds, system_seconds;
	int survivors; /* processes that SIGKILL did not end within ten seconds, or that we may not
			  kill */
};

/* Orders to the warden, one byte each. */
#define WARDEN_TERM 'T' /* SIGTERM to the process group */
#define WARDEN_KILL 'K' /* SIGKILL to all */

struct warden {
	int ctl;     /* the warden's end of a SOCK_SEQPACKET pair */
	int io[3];   /* the command's stdin, stdout, stderr; no descriptor here is below 3 */
	int ours[4]; /* our ends of ctl and of io, which the warden closes; -1: none */
	const char *path;
	const char *const *argv;
	const char *const *env;	 /* NULL: inherit */
	const char *cwd;	 /* NULL: inherit */
	const char *const *join; /* see proc.h */
};

/* Forks the warden and, in it, the command. Returns its pid, or -1 with errno. */
pid_t warden_start(const struct warden *w);

#endif
