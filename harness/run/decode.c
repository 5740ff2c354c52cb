/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/run/decode.h"

#include "harness/config/load.h"
#include "harness/kernel/symbols.h"
#include "harness/machine/console_report.h"
#include "harness/util/fs.h"
#include "harness/util/log.h"
#include "harness/util/mem.h"

#define REPORT_CAP (8 * CONSOLE_REPORT_SPAN) /* each byte may have become "\\x00" */

static int rewrite(const struct run_boot *b, const char *path, struct err *err)
{
	const struct config_tree *tree = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_str_ struct str decoded = STR_INIT;

	if (config_tree_find(b->config, b->kernel->tree, &tree, err) < 0 ||
	    fs_read(path, REPORT_CAP, &text, err) < 0 ||
	    symbols_decode(b->kernel->vmlinux, !tree->sandbox, &text, &decoded, err) < 0)
		return -1;
	return fs_write_atomic(path, decoded.buf, decoded.len, 0644, err);
}

void decode_report(const struct run_boot *b, const char *folder)
{
	_cleanup_free_ char *path = xasprintf("%s/" CONSOLE_REPORT_NAME, folder);
	struct err err = ERR_INIT;

	if (b->kernel->vmlinux && fs_exists(path) && rewrite(b, path, &err) < 0)
		log_warn("no line numbers in report.txt: %s", err.msg);
}
