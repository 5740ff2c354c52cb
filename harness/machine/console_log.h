/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file console.log of a boot: every byte as it came, up to 16 MiB; then one line that says so.
 */
#ifndef LKP_CONSOLE_LOG_H
#define LKP_CONSOLE_LOG_H

#include <stddef.h>
#include <stdio.h>

#include "harness/util/err.h"

#define CONSOLE_LOG_CAP (16u << 20)

struct console_log {
	FILE *file;
	size_t bytes; /* that came */
};

int console_log_open(struct console_log *log, const char *folder, struct err *err);
void console_log_add(struct console_log *log, const char *data, size_t n);
/* Also tells whether all writes worked. */
int console_log_close(struct console_log *log, struct err *err);

#endif
