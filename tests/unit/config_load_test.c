/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "harness/config/load.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char folder[] = "/tmp/lkp-config-XXXXXX";

static void write_file(const char *name, const char *text)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
	struct err err = ERR_INIT;

	if (fs_write_atomic(path, text, strlen(text), 0644, &err) < 0)
		fail_msg("%s", err.msg);
}

static int setup(void **state)
{
	_cleanup_free_ char *jobs = NULL;
	char resolved[4096];

	(void)state;
	if (!mkdtemp(folder) || !realpath(folder, resolved) || strcmp(resolved, folder) != 0)
		return -1;
	jobs = xasprintf("%s/jobs", folder);
	if (fs_mkdirs(jobs, NULL) < 0)
		return -1;
	write_file("jobs/pwrite2.yaml", "suite: will-it-scale\n");
	write_file("small.config", "CONFIG_SMP=y\n");
	setenv("LKP_STATE", "/srv/state", 1);
	setenv("LKP_CACHE", "/srv/cache", 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return fs_remove_tree(folder, NULL);
}

static int load(const char *text, struct config **ret, struct str *faults, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/lkp.yaml", folder);

	write_file("lkp.yaml", text);
	return config_load(path, ret, faults, err);
}

static struct config *load_fine(const char *text)
{
	struct config *config = NULL;
	_cleanup_str_ struct str faults = STR_INIT;
	struct err err = ERR_INIT;

	if (load(text, &config, &faults, &err) < 0)
		fail_msg("%s", faults.buf);
	assert_string_equal(faults.buf, "");
	return config;
}

/* ---- what is read ------------------------------------------------------------------------------
 */

static const char full[] =
	"trees:\n"
	"  demo:\n"
	"    url: \"{cache}/demo/linux\"\n"
	"    upstream: v6.1\n"
	"    branches: [ main, \"topic/*\" ]\n"
	"    kconfigs: [ tiny ]\n"
	"    jobs: [ pwrite2 ]\n"
	"    report_to: [ perf@example.org ]\n"
	"    sandbox: off\n"
	"kconfigs:\n"
	"  small: { fragments: [ small.config ] }\n"
	"  tiny: { base: ./small.config, ignore: [ \"BUG: a\", b ], fatal_warnings: true }\n"
	"machines:\n"
	"  box: &box\n"
	"    class: nhm\n"
	"    memory: 1G\n"
	"    boot_timeout: 2min\n"
	"  box2:\n"
	"    <<: *box\n"
	"    cpus: 2\n"
	"sampling: { theta: 1.5%, blocks: 7 }\n"
	"mail: { allow: [ \"@example.org\", a@example.com ] }\n"
	"x-notes: anything\n";

static void assert_path(const char *path, const char *below)
{
	_cleanup_free_ char *expected = xasprintf("%s/%s", folder, below);

	assert_string_equal(path, expected);
}

static void test_trees_and_kconfigs(void **state)
{
	struct config *c = load_fine(full);
	const struct config_tree *tree = &c->trees[0];

	(void)state;
	assert_int_equal(c->n_trees, 1);
	assert_string_equal(tree->name, "demo");
	assert_int_equal(tree->mark.line, 2);
	assert_int_equal(tree->mark.column, 3);
	assert_string_equal(tree->mark.file, c->file);
	assert_string_equal(tree->url, "/srv/cache/demo/linux");
	assert_string_equal(tree->upstream, "v6.1");
	assert_int_equal(strv_len(tree->branches), 2);
	assert_string_equal(tree->branches[1], "topic/*");
	assert_int_equal(strv_len(tree->kconfigs), 1);
	/* not given: all of the file */
	assert_int_equal(strv_len(tree->machines), 2);
	assert_string_equal(tree->machines[0], "box");
	assert_false(tree->sandbox);
	assert_false(tree->mail_authors);
	assert_int_equal(c->n_kconfigs, 2);
	assert_path(c->kconfigs[0].fragments[0], "small.config");
	assert_string_equal(c->kconfigs[0].base, "allnoconfig");
	assert_string_equal(c->kconfigs[0].image, "arch/x86/boot/bzImage");
	assert_int_equal(strv_len(c->kconfigs[0].ignore), 0);
	assert_false(c->kconfigs[0].fatal_warnings);
	assert_int_equal(strv_len(c->kconfigs[1].ignore), 2);
	assert_string_equal(c->kconfigs[1].ignore[0], "BUG: a");
	assert_true(c->kconfigs[1].fatal_warnings);
	assert_path(c->kconfigs[1].base, "./small.config");
	assert_non_null(c->kconfigs[1].fragments);
	assert_null(c->kconfigs[1].fragments[0]);
	config_free(c);
}

static void test_machines_and_the_rest(void **state)
{
	struct config *c = load_fine(full);
	const struct config_machine *box = &c->machines[0], *box2 = &c->machines[1];

	(void)state;
	assert_string_equal(box->driver, "qemu");
	assert_string_equal(box->accel, "auto");
	assert_string_equal(box->cpu_model, "Nehalem");
	assert_int_equal(box->cpus, 1);
	assert_int_equal(box->memory, INT64_C(1) << 30);
	assert_true(box->boot_timeout == 120 && box->silence_timeout == 60);
	assert_string_equal(box->cmdline, "");
	assert_int_equal(box2->cpus, 2);
	assert_string_equal(box2->class, "nhm");
	assert_int_equal(c->sampling.blocks, 7);
	assert_int_equal(c->sampling.confirm_blocks, 5);
	assert_true(c->sampling.theta == 0.015 && c->sampling.alpha == 0.001);
	assert_true(c->sampling.clean_alpha == 0.1 && c->sampling.theta_deterministic == 0.005);
	assert_true(c->sampling.min_effect == 0 && c->sampling.confirm);
	assert_string_equal(c->mail.mode, "maildir");
	assert_string_equal(c->mail.maildir, "/srv/state/maildir");
	assert_string_equal(c->mail.allow[0], "@example.org");
	assert_int_equal(c->build.jobs, 0);
	assert_true(c->build.timeout == 3600);
	assert_int_equal(c->build.memory, INT64_C(8) << 30);
	assert_int_equal(c->build.processes, 4096);
	assert_int_equal(c->build.output, INT64_C(16) << 30);
	assert_int_equal(c->build.keep_free, INT64_C(1) << 30);
	assert_string_equal(c->paths.state, "/srv/state");
	assert_string_equal(c->paths.cache, "/srv/cache");
	assert_string_equal(c->paths.db, "/srv/state/lkp.db");
	assert_path(c->paths.jobs, "jobs");
	config_free(c);
}

static void test_an_empty_tree_list_and_defaults(void **state)
{
	struct config *c =
		load_fine("trees:\nmachines:\n  a:\n  b: {class: unheard-of}\n  c: {class: skl}\n");

	(void)state;
	assert_int_equal(c->n_trees, 0);
	assert_int_equal(c->n_machines, 3);
	assert_string_equal(c->machines[0].class, "unknown");
	assert_string_equal(c->machines[0].cpu_model, "max");
	assert_string_equal(c->machines[1].cpu_model, "max");
	assert_string_equal(c->machines[2].cpu_model, "Skylake-Client");
	assert_int_equal(c->machines[1].memory, INT64_C(512) << 20);
	assert_int_equal(c->machines[2].memory, INT64_C(1) << 30);
	assert_int_equal(c->machines[2].sockets, 1);
	assert_int_equal(c->machines[2].threads, 1);
	config_free(c);
}

static void test_places(void **state)
{
	static const char text[] = "paths:\n  state: $LKP_TEST/state\n  cache: here\n"
				   "  db: \"{cache}/x.db\"\n  jobs: /jobs\n";
	struct config *c;

	(void)state;
	setenv("LKP_TEST", "/srv/test", 1);
	c = load_fine(text);
	assert_string_equal(c->paths.state, "/srv/state"); /* the environment wins */
	assert_string_equal(c->paths.db, "/srv/cache/x.db");
	config_free(c);
	unsetenv("LKP_STATE");
	unsetenv("LKP_CACHE");
	c = load_fine(text);
	assert_string_equal(c->paths.state, "/srv/test/state");
	assert_path(c->paths.cache, "here");
	assert_string_equal(c->mail.maildir, "/srv/test/state/maildir");
	assert_string_equal(c->paths.jobs, "/jobs");
	config_free(c);
	setenv("XDG_STATE_HOME", "/srv/xdg", 1);
	c = load_fine("machines: {}\n");
	assert_string_equal(c->paths.state, geteuid() ? "/srv/xdg/lkp" : "/var/lib/lkp");
	config_free(c);
	setenv("LKP_STATE", "/srv/state", 1);
	setenv("LKP_CACHE", "/srv/cache", 1);
}

/* ---- what is refused ---------------------------------------------------------------------------
 */

#define TREE "trees:\n  demo:\n    url: /r\n    branches: [m]\n"

static const struct {
	const char *text, *expected; /* all faults, without the file's path */
} wrong[] = {
	{"- a\n", "1:1: the configuration must be a mapping of keys to values, found a list\n"},
	{"tree:\n", "1:1: unknown key \"tree\" in the configuration; did you mean \"trees\"? known "
		    "keys: trees, kconfigs, machines, sampling, mail, build, paths\n"},
	{"trees: [a]\n",
	 "1:8: \"trees\" must be a mapping from names to tree settings, found a list\n"},
	{TREE "    brnches: [m]\n",
	 "5:5: unknown key \"brnches\" in tree \"demo\"; did you mean \"branches\"? known keys: url, "
	 "upstream, branches, kconfigs, machines, jobs, report_to, mail_authors, embargo, sandbox\n"},
	{"build: { zzz: 1 }\n",
	 "1:10: unknown key \"zzz\" in build; known keys: jobs, timeout, memory, "
	 "processes, disk, output, keep_free\n"},
	{"trees:\n  demo:\n    url: /r\n",
	 "2:3: tree \"demo\" has no \"branches\": branches to watch; patterns like \"topic/*\" are "
	 "fine\n"},
	{"trees:\n  demo:\n    url: /r\n    branches: main\n",
	 "4:15: \"branches\" in tree \"demo\": must be a list of strings, like [a, b], found the "
	 "string \"main\"\n"},
	{"trees:\n  demo:\n    url: no\n    branches: [on]\n",
	 "3:10: \"url\" in tree \"demo\": must be a string, found the boolean no: write \"no\" in "
	 "quotes if the word is meant\n"
	 "4:16: \"branches\" in tree \"demo\": item 1: must be a string, found the boolean on: write "
	 "\"on\" in quotes if the word is meant\n"},
	{"trees: { no: {} }\n", "1:10: the name of a tree: a boolean: write \"no\" in quotes\n"},
	{"machines: { ../x: {} }\n",
	 "1:13: the name of a machine: \"../x\" is not a name: 1 to 64 letters, digits and . _ + - "
	 "(no dot or dash at the start)\n"},
	{TREE "    embargo: \"yes\"\n",
	 "5:14: \"embargo\" in tree \"demo\": must be true or false, found the string \"yes\"\n"},
	{"machines: { m: { cpus: many } }\n",
	 "1:24: \"cpus\" in machine \"m\": must be a whole number: \"many\" is not a whole number\n"},
	{"machines: { m: { cpus: 0, memory: [1] } }\n",
	 "1:24: \"cpus\" in machine \"m\": \"0\" is out of range: 1 to 4096 is allowed\n"
	 "1:35: \"memory\" in machine \"m\": must be a size, found a list\n"},
	{"machines: { m: { memory: 1M } }\n",
	 "1:26: \"memory\" in machine \"m\": \"1M\" is out of range: 64M or more is allowed\n"},
	{"machines: { m: { accel: icont } }\n",
	 "1:25: \"accel\" in machine \"m\": \"icont\" is not one of auto, icount, kvm, tcg; did you "
	 "mean \"icount\"?\n"},
	{"machines: { m: { accel: icount, cpus: 2 } }\n",
	 "1:13: machine \"m\": accel icount runs exactly 1 CPU, not 2\n"},
	{"machines: { m: { cpus: 6, sockets: 2, threads: 2 } }\n",
	 "1:13: machine \"m\": 6 CPUs cannot be divided among 2 sockets with 2 threads a core\n"},
	{"sampling: { theta: 200% }\n",
	 "1:20: \"theta\" in sampling: \"200%\" is out of range: 0.01% to 50% is allowed\n"},
	{"build: { timeout: soon }\n",
	 "1:19: \"timeout\" in build: must be a duration: \"soon\" is not a duration like 90, 90s, "
	 "200ms, 15min, 2h or 3d\n"},
	{"mail: { from: \"x\\ny <a@example.org>\" }\n",
	 "1:15: \"from\" in mail: must be one line without control characters, found the string "
	 "\"x\\x0ay <a@example.org>\"\n"},
	{"mail: { allow: [ example.org ] }\n",
	 "1:18: \"allow\" in mail: item 1: \"example.org\" is not an address like "
	 "someone@example.org, or a domain like \"@example.org\"\n"},
	{"mail: { from: nobody }\n",
	 "1:15: \"from\" in mail: \"nobody\" is not a sender like lkpd <lkpd@example.org>\n"},
	{TREE "    kconfigs: [ acpi ]\n    machines: [ boxx, [x] ]\nmachines: { box: }\n",
	 "5:17: no kconfig \"acpi\" in this file; known: none\n"
	 "6:17: no machine \"boxx\" in this file; did you mean \"box\"? known: box\n"
	 "6:23: \"machines\" in tree \"demo\": item 2: must be a string, found a list\n"},
	{"kconfigs: { k: { fragments: [ /nonexistent.config ], image: ../x } }\n",
	 "1:31: kconfig \"k\": no file /nonexistent.config\n"
	 "1:61: \"image\" in kconfig \"k\": \"../x\" is not a path below the output folder, like "
	 "arch/x86/boot/bzImage\n"},
	{"kconfigs: { k: { base: /nonexistent.config } }\n",
	 "1:24: kconfig \"k\": no file /nonexistent.config\n"},
	{"paths: { state: \"{state}/x\" }\n",
	 "1:17: \"state\" in paths: {state} cannot be used here\n"},
	{"paths: { db: \"{home}/x\" }\n",
	 "1:14: \"db\" in paths: {home} cannot be used here: only {cache} and {state}\n"},
	{"build: { jobs: 1, jobs: 2 }\n", "1:19: duplicate key \"jobs\", first at line 1\n"},
};

static void test_faults(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		_cleanup_str_ struct str faults = STR_INIT, bare = STR_INIT;
		_cleanup_free_ char *prefix = xasprintf("%s/lkp.yaml:", folder);
		struct config *config = NULL;
		struct err err = ERR_INIT;

		if (load(wrong[i].text, &config, &faults, &err) == 0)
			fail_msg("case %zu is accepted: %s", i, wrong[i].text);
		assert_null(config);
		assert_int_equal(err.kind, ERR_USER);
		assert_true(str_starts(faults.buf, err.msg));
		for (const char *p = faults.buf; *p;) {
			if (str_starts(p, prefix))
				p += strlen(prefix);
			else
				str_addc(&bare, *p++);
		}
		if (!streq(bare.buf, wrong[i].expected))
			fail_msg("case %zu:\n%s\ninstead of\n%s", i, bare.buf, wrong[i].expected);
	}
}

static void test_a_job_that_does_not_exist(void **state)
{
	_cleanup_free_ char *expected = xasprintf(
		"%s/lkp.yaml:5:13: no job \"pwrite\" in %s/jobs; did you mean \"pwrite2\"? known: "
		"pwrite2\n",
		folder, folder);
	_cleanup_str_ struct str faults = STR_INIT;
	struct config *config = NULL;

	(void)state;
	assert_int_equal(load(TREE "    jobs: [ pwrite ]\n", &config, &faults, NULL), -1);
	assert_string_equal(faults.buf, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trees_and_kconfigs),
		cmocka_unit_test(test_machines_and_the_rest),
		cmocka_unit_test(test_an_empty_tree_list_and_defaults),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_a_job_that_does_not_exist),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
