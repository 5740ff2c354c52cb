/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What single texts of the configuration may look like. Each returns 0, or -1 with kind USER and a
 * message that quotes the text and shows a right one.
 */
#ifndef LKP_CONFIG_CHECK_H
#define LKP_CONFIG_CHECK_H

#include "harness/util/err.h"

/* The name of a tree, kconfig, machine or job: letters, digits, "._+-", no leading dot or dash, at
 * most 64: it becomes part of paths. */
int check_name(const char *text, struct err *err);
/* "someone@example.org" */
int check_address(const char *text, struct err *err);
/* The same, or a whole domain: "@example.org" */
int check_recipient(const char *text, struct err *err);
/* "Name <someone@example.org>", or the address alone */
int check_sender(const char *text, struct err *err);
/* "0-3,8" */
int check_cpulist(const char *text, struct err *err);
/* "vm.swappiness=10": a name below /proc/sys, without "..", and a value */
int check_sysctl(const char *text, struct err *err);
/* "CONFIG_SHMEM=y" */
int check_symbol(const char *text, struct err *err);
/* "arch/x86/boot/bzImage": relative and without ".." */
int check_below(const char *text, struct err *err);

#endif
