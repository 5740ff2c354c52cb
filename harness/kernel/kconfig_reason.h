/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a symbol may not have the value asked for, read from the Kconfig files of a kernel: hostile
 * text, so it is capped and cleaned.
 */
#ifndef LKP_KCONFIG_REASON_H
#define LKP_KCONFIG_REASON_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/util/str.h"

struct kconfig_reason {
	const char *name;   /* "FOO", without CONFIG_ */
	bool found, prompt; /* it is defined; a person may set it */
	struct str depends; /* "PCI && ACPI": its "depends on" lines */
};

/* Looks through all files called Kconfig* below src. */
void kconfig_reasons_find(const char *src, struct kconfig_reason *list, size_t n);
/* The same for the text of one file. */
void kconfig_reasons_scan(const char *text, struct kconfig_reason *list, size_t n);

#endif
