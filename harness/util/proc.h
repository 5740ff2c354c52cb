/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Child processes: argv vectors (never a shell), a process group each, a deadline, output captured
 * with a cap, and cancellation. When proc_run() returns, no descendant of the child is left,
 * daemons included; when we are killed meanwhile, none is left either (see proc_warden.h).
 */
#ifndef LKP_PROC_H
#define LKP_PROC_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

/* Called with each piece of output as it comes; returning true ends the process (status STOPPED).
 * With data == NULL it is called when nothing came for spec.tick_ms. */
typedef bool proc_output_fn(const char *data, size_t n, void *arg);

struct proc_spec {
	const char *const *argv; /* argv[0] is looked up in PATH; NULL-terminated */
	const char *const *env;	 /* "NAME=value"; NULL: inherit ours */
	const char *cwd;	 /* NULL: ours */
	/* Files of control groups (cgroup_files()) that the child writes itself into before it
	 * becomes the command; NULL-terminated; NULL: none. Failure to: kind INFRA. */
	const char *const *join;
	const char *input; /* bytes for its stdin; NULL: /dev/null */
	size_t input_len;
	int deadline_ms;    /* from the start; 0: none */
	int tick_ms;	    /* see proc_output_fn; 0: never */
	int grace_ms;	    /* between SIGTERM and SIGKILL; 0: 2000; < 0: none */
	struct str *out;    /* stdout is appended here, up to out_cap bytes in all (0: 1 MiB) */
	struct str *errout; /* stderr likewise; NULL: goes where stdout goes */
	size_t out_cap;	    /* output beyond is read and dropped */
	int out_fd;	    /* > 0: stdout and stderr are also written here */
	proc_output_fn *on_output; /* sees stdout (and stderr when errout is NULL) */
	void *arg;
	bool no_cancel; /* for clean-up commands: run even after a cancel */
};

enum proc_status { PROC_EXITED, PROC_SIGNALED, PROC_DEADLINE, PROC_CANCELLED, PROC_STOPPED };

struct proc_result {
	enum proc_status status;
	int code;	     /* exit code, or the signal's number */
	double seconds;	     /* wall clock */
	double user_seconds; /* of the child and what it waited for */
	double system_seconds;
	bool out_cut;  /* output exceeded the cap */
	int log_error; /* errno of the write to out_fd that failed, 0: none */
	int survivors; /* processes that even SIGKILL did not end in ten seconds; 0 but for a
			* process stuck in the kernel, or one that is another user's */
};

/* Runs the command and waits for it. Returns -1 only when it could not be started (kind USER, when
 * argv[0] does not exist; else INFRA); how it ended is in *ret. When
 * a cancel is pending it is not started: status PROC_CANCELLED. */
int proc_run(const struct proc_spec *spec, struct proc_result *ret, struct err *err);

/* Runs it and takes everything but exit status 0 as an error of kind INFRA that quotes the last
 * line of output (cancelled: see proc_cancelled). out may be NULL. */
int proc_check(const char *const *argv, struct str *out, struct err *err);

/* The absolute path of a program in PATH (relative folders there are skipped), or NULL; the caller
 * frees it. */
char *proc_which(const char *name);

/* Cancellation: SIGINT, SIGTERM and SIGHUP set a flag that proc_run() obeys. A second SIGINT acts
 * as by default. proc_cancel_install() is called once by main(). */
void proc_cancel_install(void);
bool proc_cancelled(void);
int proc_cancel_signal(void); /* the signal that came, or 0 */
/* Sets *err to kind INFRA, cause "cancelled" when a cancel is pending, and returns -1; else 0. */
int proc_check_cancel(struct err *err);

#endif
