/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Can this host run guests by KVM, as the user that QEMU runs as here?
 */
#ifndef LKP_KVM_H
#define LKP_KVM_H

#include <sys/types.h>

#include "harness/util/err.h"

/* 0 when /dev/kvm opens, runs a guest at the speed of hardware (kvm_probe.h), and QEMU's user (see
 * qemu_argv.h) may open it. Else -1: kind INFRA, with the reason and the remedy. */
int kvm_check(const char *device, struct err *err);
/* The group that opens the device for a user who is in no group; 0: none is needed or helps. */
gid_t kvm_group(const char *device);

#endif
