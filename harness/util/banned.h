/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Force-included in every file: functions that cannot be used safely are errors at compile time.
 * Use struct str or snprintf for text, units_parse_*() for numbers, proc_run() for commands.
 */
#ifndef LKP_BANNED_H
#define LKP_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets atoi atol atoll atof
#pragma GCC poison strtok system popen tmpnam tempnam mktemp asctime gmtime localtime

#endif
