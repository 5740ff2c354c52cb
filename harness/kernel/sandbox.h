/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where untrusted kernels are built: by bubblewrap, without network, with the sources read-only at
 * /src and the objects at /out, and nothing else of the host but /usr. Root hands the work to user
 * and group 65534 first. Switched off ("sandbox: off") the same commands run bare, by the same
 * user. What each wall holds off, and the test that shows it: docs/sandbox.md.
 */
#ifndef LKP_SANDBOX_H
#define LKP_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/util/err.h"

#define SANDBOX_UID 65534

struct sandbox {
	const char *src, *out; /* absolute paths; out belongs to sandbox_uid() */
	bool off;
	bool nest;	   /* lets the command make user namespaces of its own */
	int64_t memory;	   /* bytes of address space per process; 0: no limit */
	int64_t file_size; /* bytes of the largest file; 0: no limit */
	int64_t processes; /* threads count too; 0, or off: no limit */
};

/* The user that builds run as: ours, or SANDBOX_UID when we are root. */
unsigned sandbox_uid(void);

/* Where the command sees sources and objects. */
const char *sandbox_src(const struct sandbox *box);
const char *sandbox_out(const struct sandbox *box);

/* The whole argv that runs command in the sandbox with the environment of a reproducible build (and
 * nothing else). as_root: build it for a root that must give up its rights. strv_free(). */
char **sandbox_argv(const struct sandbox *box, const char *const *command, bool as_root);

/* The environment to run that argv with, or a process inside could read ours from bubblewrap's
 * /proc/1/environ. strv_free(). */
char **sandbox_env(void);

/* Tries the sandbox on a trivial command. Sets box->nest where the host cannot forbid it. Failure:
 * INFRA, cause "sandbox", with the remedy. */
int sandbox_check(struct sandbox *box, struct err *err);

/* Whether text is the complaint of the sandbox's own programs, so that nothing ran inside. */
bool sandbox_complaint(const char *text);

#endif
