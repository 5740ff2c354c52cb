/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of machine_drivers[]; each is defined at the bottom of its own file.
 */
#ifndef LKP_MACHINE_DRIVERS_H
#define LKP_MACHINE_DRIVERS_H

#include "harness/machine/machine.h"

extern const struct machine_driver machine_qemu;  /* qemu.c: boots the kernel in QEMU */
extern const struct machine_driver machine_local; /* local.c: runs the job on this host */
extern const struct machine_driver machine_fake;  /* fake.c: makes results up, for tests */

#endif
