/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions that a kernel's reports name: lines of call traces, instruction pointers, titles.
 */
#ifndef LKP_CONSOLE_FRAME_H
#define LKP_CONSOLE_FRAME_H

#include <stdbool.h>

#define CONSOLE_FRAME_MAX 64

enum console_frame {
	CONSOLE_NO_FRAME,      /* the line is no part of a trace */
	CONSOLE_FRAME_SKIPPED, /* unreliable ("? "), or of the machinery that reports and schedules
				*/
	CONSOLE_FRAME_OWN,
};

/* Reads one line, its printk prefix cut: " shmem_write_begin+0x12/0x340", "RIP: 0010:f+0x1/0x2",
 * "pc : f+0x1c/0x40", "[<ffff8000>] f+0x1/0x2". The name of an own frame goes to ret without offset
 * and without the compiler's endings (".isra.0"). */
enum console_frame console_frame_read(const char *line, char ret[CONSOLE_FRAME_MAX]);

/* The function in a report's title: the first "f+0x1/0x2" in it, or, when `in`, the word behind
 * " in ". False: none, or none of our own. */
bool console_frame_in_title(const char *title, bool in, char ret[CONSOLE_FRAME_MAX]);

#endif
