/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <curl/curl.h>
#include <git2.h>
#include <sqlite3.h>
#include <sys/utsname.h>
#include <yaml.h>
#include <zstd.h>

#include "harness/cli/cmds.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/table.h"

/* First line of `program --version`, or "not found". */
static void add_program(json_t *all, const char *name, const char *program)
{
	_cleanup_str_ struct str out = STR_INIT;
	struct err err = ERR_INIT;
	if (proc_check((const char *const[]){program, "--version", NULL}, &out, &err) < 0)
		str_add(&out, "not found");
	str_cut(&out, strcspn(out.buf, "\n"));
	_cleanup_str_ struct str safe = STR_INIT;
	str_add_safe(&safe, out.buf, out.len);
	json_object_set_new(all, name, json_string(safe.buf));
}

static json_t *collect(void)
{
	json_t *all = json_object();
	int major, minor, rev;
	struct utsname uts;
	git_libgit2_version(&major, &minor, &rev);
	uname(&uts);
	json_object_set_new(all, "lkpd", json_string(LKP_VERSION));
	json_object_set_new(all, "host kernel", json_sprintf("%s %s", uts.release, uts.machine));
	json_object_set_new(all, "libgit2", json_sprintf("%d.%d.%d", major, minor, rev));
	json_object_set_new(all, "libcurl",
			    json_string(curl_version_info(CURLVERSION_NOW)->version));
	json_object_set_new(all, "sqlite", json_string(sqlite3_libversion()));
	json_object_set_new(all, "libyaml", json_string(yaml_get_version_string()));
	json_object_set_new(all, "jansson", json_string(JANSSON_VERSION));
	json_object_set_new(all, "zstd", json_string(ZSTD_versionString()));
	add_program(all, "qemu", "qemu-system-x86_64");
	add_program(all, "bubblewrap", "bwrap");
	add_program(all, "perf", "perf");
	add_program(all, "gcc", "gcc");
	add_program(all, "ld", "ld");
	add_program(all, "make", "make");
	return all;
}

static int run(struct cli *cli, int argc, char **argv)
{
	_cleanup_free_ char **args = NULL;
	_cleanup_json_ json_t *all = NULL;
	_cleanup_str_ struct str text = STR_INIT;
	int n, status;
	if (cli_args(cli, &cmd_version, argc, argv, 0, 0, &args, &n, &status) < 0)
		return status;
	all = collect();
	if (cli->json) {
		json_add(&text, all);
		return cli_print(&text);
	}
	const char *key;
	json_t *value;
	json_object_foreach(all, key, value)
		str_addf(&text, "%-12s %s\n", key, json_string_value(value));
	return cli_print(&text);
}

const struct cmd cmd_version = {
	.name = "version",
	.summary = "Print the versions of everything that matters to a result",
	.usage = "[--json]",
	.run = run,
};
