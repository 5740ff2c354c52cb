/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/states.h"

#include "harness/util/str.h"

int state_check(const char *state, const char *const *known, struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT, list = STR_INIT;

	for (size_t i = 0; known[i]; i++) {
		if (streq(state, known[i]))
			return 0;
		str_addf(&list, "%s%s", i ? ", " : "", known[i]);
	}
	str_add_safe(&shown, state, strnlen(state, 80));
	return err_set(err, ERR_USER, "unknown state \"%s\"; it is one of %s", shown.buf, list.buf);
}
