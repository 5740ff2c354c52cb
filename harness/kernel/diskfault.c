/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/diskfault.h"

#include <errno.h>
#include <string.h>

#include "harness/util/mem.h"
#include "harness/util/str.h"

static const struct fault {
	int code;
	const char *cause, *remedy;
} faults[] = {
	{ENOSPC, "disk-full", "make room, or set \"paths: cache:\" to a larger disk"},
	{EDQUOT, "disk-full", "make room, or set \"paths: cache:\" to a place without this quota"},
	{EROFS, "disk", "mount it for writing, or set \"paths: cache:\" to another place"},
	{EACCES, "disk",
	 "give this user the folder (it may have been made by another, such as root), or set "
	 "\"paths: cache:\" to one of his"},
	{EPERM, "disk",
	 "give this user the folder (it may have been made by another, such as root), or set "
	 "\"paths: cache:\" to one of his"},
	{EIO, "disk", "the disk fails: see the kernel log of this host"},
};

int diskfault_explain(const char *cache, struct err *err)
{
	if (err->kind != ERR_INFRA || *err->cause)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		_cleanup_free_ char *text = xstrdup(err->msg);

		if (str_ends(text, strerror(faults[i].code)))
			return err_set_cause(err, ERR_INFRA, faults[i].cause,
					     "%s (the cache is %s): %s", text, cache,
					     faults[i].remedy);
	}
	return -1;
}
