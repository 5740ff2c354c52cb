/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/load.h"

#include "harness/config/fault.h"
#include "harness/util/mem.h"

/* The index of name among names; NULL is the first. */
static int look_up(const struct config *c, const char *noun, const char *name, char *const *names,
		   size_t *ret, struct err *err)
{
	_cleanup_str_ struct str known = STR_INIT, shown = STR_INIT;
	const char *near;

	for (size_t i = 0; names[i]; i++) {
		if (!name || streq(names[i], name)) {
			*ret = i;
			return 0;
		}
		str_addf(&known, "%s%s", i ? ", " : "", names[i]);
	}
	if (!known.len)
		return err_set(err, ERR_USER, "%s has no %s: add one under \"%ss:\"", c->file, noun,
			       noun);
	near = str_nearest(name, (const char *const *)names);
	fault_quote(&shown, name);
	return err_set(err, ERR_USER, "no %s %s in %s;%s%s%s known: %s", noun, shown.buf, c->file,
		       near ? " did you mean \"" : "", near ? near : "", near ? "\"?" : "",
		       known.buf);
}

#define DEFINE_FIND(noun)                                                                  \
	int config_##noun##_find(const struct config *c, const char *name,                 \
				 const struct config_##noun **ret, struct err *err)        \
	{                                                                                  \
		_cleanup_free_ char **names = xcalloc(c->n_##noun##s + 1, sizeof(char *)); \
		size_t found = 0;                                                          \
                                                                                           \
		for (size_t i = 0; i < c->n_##noun##s; i++)                                \
			names[i] = c->noun##s[i].name;                                     \
		if (look_up(c, #noun, name, names, &found, err) < 0)                       \
			return -1;                                                         \
		*ret = &c->noun##s[found];                                                 \
		return 0;                                                                  \
	}

DEFINE_FIND(tree)
DEFINE_FIND(kconfig)
DEFINE_FIND(machine)
