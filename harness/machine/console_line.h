/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a console: what printk, and a syslog that took it over, put before the text.
 */
#ifndef LKP_CONSOLE_LINE_H
#define LKP_CONSOLE_LINE_H

#include <stdint.h>

/* Cuts "<6>", "[    1.234567]", "[    T1]", "[   C0] " and "Dec  1 03:53:29 box kernel: " off the
 * front, in any order. *ret_caller names the printing task or CPU (CONFIG_PRINTK_CALLER); 0: the
 * line does not say. */
const char *console_line_text(const char *line, uint32_t *ret_caller);

/* The text to compare two boots by: every number and address is replaced by '#', and what stands in
 * brackets is left out. At most size - 1 bytes and always terminated. */
void console_line_plain(const char *text, char *to, unsigned int size);

#endif
