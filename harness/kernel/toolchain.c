/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/toolchain.h"

#include "harness/util/mem.h"
#include "harness/util/proc.h"

char *toolchain_version(const char *banner)
{
	_cleanup_free_ char *line = xstrndup(banner, strcspn(banner, "\n"));
	const char *space = strrchr(line, ' ');
	_cleanup_str_ struct str safe = STR_INIT;
	const char *word = space ? space + 1 : line;

	str_add_safe(&safe, word, strnlen(word, 24));
	return str_detach(&safe);
}

static int version_of(const char *program, char **ret, struct err *err)
{
	/* The sandbox has only /usr: a compiler elsewhere in our PATH is not the one that builds.
	 */
	_cleanup_free_ char *path = xasprintf("/usr/bin/%s", program);
	_cleanup_str_ struct str out = STR_INIT;

	if (proc_check((const char *const[]){path, "--version", NULL}, &out, err) < 0)
		return err_wrap(err,
				"kernels need gcc and binutils (apt-get install gcc binutils)");
	*ret = toolchain_version(out.buf);
	return 0;
}

int toolchain_name(const char **ret, struct err *err)
{
	static char name[80];
	_cleanup_free_ char *gcc = NULL;
	_cleanup_free_ char *ld = NULL;

	if (!*name) {
		if (version_of("gcc", &gcc, err) < 0 || version_of("ld", &ld, err) < 0)
			return -1;
		snprintf(name, sizeof(name), "gcc %s, ld %s", gcc, ld);
	}
	*ret = name;
	return 0;
}
