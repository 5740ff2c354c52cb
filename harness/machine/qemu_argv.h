/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU's command line. One row per accelerator says what differs between them; what belongs to a
 * machine comes from its configuration, what belongs to a boot from struct machine_boot.
 *
 * The command runs in the boot folder, so that its user needs no right on any folder above, and
 * names the files there: QEMU_KERNEL and QEMU_INITRD to read, QEMU_SHARE for the agent's answer.
 */
#ifndef LKP_QEMU_ARGV_H
#define LKP_QEMU_ARGV_H

#include <stdbool.h>
#include <sys/types.h>

#include "harness/machine/machine.h"
#include "harness/machine/watch.h"

#define QEMU_PROGRAM "qemu-system-x86_64"
#define QEMU_KERNEL  "kernel.image"
#define QEMU_INITRD  "initrd.cpio"
#define QEMU_SHARE   "share"
#define QEMU_TAG     "result" /* 9p mount tag of QEMU_SHARE */
#define QEMU_UID     65534    /* whom QEMU runs as when we are root; also the group */

struct qemu_accel {
	const char *name;
	const char *const *args;    /* accelerator, machine type, clock; NULL-terminated */
	const char *const *devices; /* that tell of a kernel without a voice; NULL-terminated */
	const char *cmdline;	    /* for the kernel; "" */
	const char *share_device;
	const char *const *needs; /* lines of .config; NULL-terminated */
	bool one_cpu;
	bool deterministic;
};

extern const struct qemu_accel qemu_accels[]; /* ends with name == NULL */

const struct qemu_accel *qemu_accel_find(const char *name); /* or NULL */

/* What its end tells beyond the console. */
extern const struct watch_exit qemu_exits[];

/* Who QEMU runs as. */
struct qemu_user {
	bool drop;   /* we are root: become QEMU_UID */
	gid_t group; /* and keep this supplementary group; 0: none */
};

/* The whole command, NULL-terminated; the caller's. */
char **qemu_argv(const struct machine_boot *boot, const struct qemu_accel *accel,
		 const struct qemu_user *user);

#endif
