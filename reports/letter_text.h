/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The letter's sections after the table, and how its text is set. Used by letter.c alone.
 */
#ifndef LKP_LETTER_TEXT_H
#define LKP_LETTER_TEXT_H

#include "reports/letter.h"

/* Appends text in lines of at most 76 characters, each behind indent, ended by LF. */
void letter_wrap(struct str *s, const char *indent, const char *text);
/* Appends hostile text on one line, unprintable characters escaped, cut to about max characters. */
void letter_quote(struct str *s, const char *text, size_t max);

/* "1 730 -> 1 747 instructions per operation", where the machine counts them exactly. */
void letter_add_instructions(struct str *s, const struct letter *l);
void letter_add_confidence(struct str *s, const struct letter *l);
void letter_add_conditions(struct str *s, const struct letter *l);
void letter_add_reproduce(struct str *s, const struct letter *l);
void letter_add_answer(struct str *s, const struct letter *l);

#endif
