/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a few million 64-bit instructions in a guest of one page of code. A device that opens and
 * makes virtual machines may still not run them: nested without the CPU's help, some hosts emulate
 * each instruction, and a kernel that boots in a second elsewhere seems to hang.
 */
#ifndef LKP_KVM_PROBE_H
#define LKP_KVM_PROBE_H

#include "harness/util/err.h"

#define KVM_PROBE_MS 2000 /* hardware needs less than 20 */

/* In a child process, which is killed when it is not done in time. -1: kind INFRA, with the reason.
 * `kvm` is the open device. */
int kvm_probe(int kvm, struct err *err);

#endif
