/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/compare_side.h"

#include "harness/util/mem.h"
#include "harness/util/str.h"

static int parse_key(char *part, struct compare_side *side, struct err *err)
{
	static const char machine[] = "machine=";

	if (!str_starts(part, machine))
		return err_set(err, ERR_USER,
			       "\"%.100s\": unknown; after the commit comes @KCONFIG or ,machine=M",
			       part);
	side->machine = part + strlen(machine);
	return *side->machine ? 0 : err_set(err, ERR_USER, "machine= without a name");
}

int compare_side_parse(const char *text, struct compare_side *ret, struct err *err)
{
	struct compare_side side = {.text = xstrdup(text)};
	char *rest = side.text, *at;
	int status = 0;

	side.commit = strsep(&rest, ",");
	/* Git's own @{...} is not a kconfig. */
	at = strrchr(side.commit, '@');
	if (at && at[1] != '{' && at[1]) {
		*at = '\0';
		side.kconfig = at + 1;
	}
	while (rest && status == 0)
		status = parse_key(strsep(&rest, ","), &side, err);
	if (status < 0) {
		compare_side_done(&side);
		return -1;
	}
	*ret = side;
	return 0;
}

void compare_side_done(struct compare_side *s)
{
	free(s->text);
	*s = (struct compare_side){.text = NULL};
}

int compare_side_join(const char *axis, const char *base, const char *head, const char **ret,
		      struct err *err)
{
	if (base && head && !streq(base, head))
		return err_set(err, ERR_USER,
			       "base has %s %.100s, head %.100s: only commits can differ as yet",
			       axis, base, head);
	if ((base || head) && *ret && !streq(*ret, base ? base : head))
		return err_set(err, ERR_USER, "%s is both %.100s and %.100s", axis, *ret,
			       base ? base : head);
	if (base || head)
		*ret = base ? base : head;
	return 0;
}
