/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where untrusted kernels are built: by bubblewrap, without network, with the sources read-only at
 * /src and the objects at /out, and nothing else of the host but /usr. Root hands the work to user
 * and group 65534 first. Switched off ("sandbox: off") the same commands run bare, by the same
 * user.
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
	int64_t memory;	   /* bytes of address space per process; 0: no limit */
	int64_t file_size; /* bytes of the largest file; 0: no limit */
};

/* The user that builds run as: ours, or SANDBOX_UID when we are root. */
unsigned sandbox_uid(void);

/* Where the command sees sources and objects. */
const char *sandbox_src(const struct sandbox *box);
const char *sandbox_out(const struct sandbox *box);

/* The whole argv that runs command in the sandbox with the environment of a reproducible build (and
 * nothing else). as_root: build it for a root that must give up its rights. strv_free(). */
char **sandbox_argv(const struct sandbox *box, const char *const *command, bool as_root);

/* Tries the sandbox on a trivial command. Failure: INFRA, cause "sandbox", with the remedy. */
int sandbox_check(const struct sandbox *box, struct err *err);

/* Whether text is the complaint of the sandbox's own programs, so that nothing ran inside. */
bool sandbox_complaint(const char *text);

#endif
