/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel_build() in the real sandbox, on a tree of one Makefile that answers to Kbuild's targets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "harness/kernel/kernel.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

static const char makefile[] =
	"allnoconfig:\n"
	"\t@grep -v DENIED $(KCONFIG_ALLCONFIG) > $(O)/.config\n"
	"toyconfig:\n"
	"\t@echo CONFIG_TOY=y > $(O)/.config\n"
	"olddefconfig:\n"
	"\t@cat $(O)/.config > $(O)/.new && grep -v DENIED $(O)/.new > $(O)/.config.tmp\n"
	"\t@mv $(O)/.config.tmp $(O)/.config\n"
	"bzImage:\n"
	"\t@echo '  CC      init/main.o'\n"
	"\t@echo '  CC      mm/shmem.o'\n"
	"\t@echo $$KBUILD_BUILD_USER-$$HOME-$(ARCH) > $(O)/env\n"
	"\t@sh ./steps $(O)\n";

/* What "sh /src/steps" does in the commit of each name. */
enum { GOOD, SAME, OTHER, BROKEN, SLOW, FULL, LINK, NOTHING, NO_KCONFIG, N_COMMITS };
static const char *const steps[N_COMMITS] = {
	[GOOD] = "echo image > $1/bzImage",
	[SAME] = "# a comment\necho image > $1/bzImage; ln -sf /proc/self/environ $1/vmlinux",
	[OTHER] = "cat $1/env /src/text > $1/bzImage; rm -f $1/vmlinux; echo elf > $1/vmlinux",
	[BROKEN] = "echo \"/src/mm/shmem.c:7:1: error: 'x' undeclared\"; exit 2",
	[SLOW] = "echo image > $1/bzImage; sleep 60",
	[FULL] = "echo 'cc1: fatal error: write failed: No space left on device'; exit 1",
	[LINK] = "ln -sf /proc/self/environ $1/bzImage",
	[NOTHING] = "rm -f $1/bzImage",
	[NO_KCONFIG] = "exit 1",
};

static char dir[] = "/tmp/lkp-kernel-XXXXXX";
static char work_tree[64], fragment[64];
static char ids[N_COMMITS][GIT_HEX_LEN + 1];
static struct repo *repo;
static char *fragments[] = {fragment, NULL};
static struct config_tree tree = {.name = "toy", .sandbox = true};
static struct config_kconfig kconfig = {.name = "tiny",
					.base = "allnoconfig",
					.arch = "x86_64",
					.fragments = fragments,
					.image = "bzImage"};
static struct config config;

static void put(const char *name, const char *text)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", work_tree, name);

	assert_int_equal(fs_write_atomic(path, text, strlen(text), 0644, NULL), 0);
}

static void git(const char *a, const char *b, const char *c)
{
	const char *const argv[] = {
		"git", "-C", work_tree, "-c", "user.name=A", "-c", "user.email=a@example.org",
		a,     b,    c,		NULL};
	struct err err = ERR_INIT;

	if (proc_check(argv, NULL, &err) < 0)
		fail_msg("%s", err.msg);
}

static int setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chmod(dir, 0755), 0);
	snprintf(work_tree, sizeof(work_tree), "%s/work", dir);
	snprintf(fragment, sizeof(fragment), "%s/a.config", dir);
	assert_int_equal(mkdir(work_tree, 0755), 0);
	git("init", "-q", NULL);
	assert_int_equal(repo_open(work_tree, &repo, &err), 0);
	for (int i = 0; i < N_COMMITS; i++) {
		put("Makefile", i == NO_KCONFIG
					? "%config:\n\t@echo 'init/Kconfig:3: syntax error'; "
					  "exit 1\n"
					: makefile);
		put("steps", steps[i]);
		put("text", "some text\n");
		git("add", "-A", NULL);
		git("commit", "-q", "-mx");
		assert_int_equal(repo_resolve(repo, "HEAD", ids[i], &err), 0);
	}
	config.paths.cache = xasprintf("%s/cache", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	repo_free(repo);
	free(config.paths.cache);
	return fs_remove_tree(dir, NULL);
}

static int fresh(void **state)
{
	static const char text[] = "CONFIG_A=y\n";

	(void)state;
	tree.sandbox = true;
	kconfig.base = (char *)"allnoconfig";
	config.build = (struct config_build){.jobs = 1, .timeout = 60};
	assert_int_equal(fs_write_atomic(fragment, text, strlen(text), 0644, NULL), 0);
	return fs_remove_tree(config.paths.cache, NULL);
}

static int build(int n, struct kernel *ret, struct err *err)
{
	*err = (struct err)ERR_INIT;
	return kernel_build(&config, &tree, &kconfig, repo, ids[n], NULL, ret, err);
}

static struct kernel built(int n)
{
	struct kernel k = {0};
	struct err err;

	if (build(n, &k, &err) < 0)
		fail_msg("%s", err.msg);
	return k;
}

static void unpack(const char *path, struct str *ret)
{
	_cleanup_str_ struct str packed = STR_INIT;
	char text[4096];
	size_t n;

	assert_int_equal(fs_read(path, 65536, &packed, NULL), 0);
	n = ZSTD_decompress(text, sizeof(text), packed.buf, packed.len);
	assert_false(ZSTD_isError(n));
	str_addn(ret, text, n);
}

static void builds_once(void **state)
{
	struct kernel k = built(GOOD), again = built(GOOD), found;
	_cleanup_str_ struct str log = STR_INIT;
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct stat st;

	(void)state;
	assert_true(k.ok && !k.cached);
	assert_string_equal(k.commit, ids[GOOD]);
	assert_true(str_starts(k.toolchain, "gcc "));
	assert_int_equal(fs_read(k.image, 100, &text, NULL), 0);
	assert_string_equal(text.buf, "image\n");
	assert_int_equal(stat(k.image, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	unpack(k.log, &log);
	assert_non_null(strstr(log.buf, "  CC      mm/shmem.o\n"));
	str_reset(&text);
	unpack(k.config, &text);
	assert_string_equal(text.buf, "CONFIG_A=y\n");
	assert_true(again.ok && again.cached);
	assert_string_equal(again.image, k.image);
	assert_int_equal(kernel_find(&config, &tree, &kconfig, ids[GOOD], &found, &err), 1);
	assert_string_equal(found.record, k.record);
	kernel_done(&found);
	assert_int_equal(kernel_find(&config, &tree, &kconfig, ids[SAME], &found, &err), 0);
	assert_int_equal(unlink(k.image), 0);
	assert_int_equal(kernel_find(&config, &tree, &kconfig, ids[GOOD], &found, &err), 0);
	kernel_done(&k);
	kernel_done(&again);
}

static void equal_images_share_one_id(void **state)
{
	struct kernel good = built(GOOD), same = built(SAME), other = built(OTHER);
	_cleanup_str_ struct str text = STR_INIT;

	(void)state;
	assert_false(same.cached);
	assert_string_equal(good.image_id, same.image_id);
	assert_string_not_equal(good.image_id, other.image_id);
	assert_int_equal(fs_read(other.image, 1000, &text, NULL), 0);
	assert_string_equal(text.buf, "lkp-/tmp-x86_64\nsome text\n");
	kernel_done(&good);
	kernel_done(&same);
	kernel_done(&other);
}

static void a_commit_that_does_not_compile_is_a_result(void **state)
{
	static const struct {
		int commit;
		const char *error;
	} rows[] = {
		{BROKEN, "mm/shmem.c:7:1: error: 'x' undeclared"},
		{NO_KCONFIG, "init/Kconfig:3: syntax error"},
		{LINK, "bzImage: refused what the build left there: it is a symbolic link"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kernel k = built(rows[i].commit), again = built(rows[i].commit);

		assert_false(k.ok || k.cached);
		assert_null(k.image);
		assert_string_equal(k.image_id, "");
		assert_string_equal(k.error, rows[i].error);
		assert_true(again.cached && !again.ok);
		assert_string_equal(again.error, rows[i].error);
		kernel_done(&k);
		kernel_done(&again);
	}
}

static void failures_of_the_host_keep_nothing(void **state)
{
	static const struct {
		int commit;
		enum err_kind kind;
		const char *cause, *says;
	} rows[] = {
		{SLOW, ERR_INFRA, "deadline", "build: timeout:"},
		{FULL, ERR_INFRA, "host", "disk of the cache is full"},
		{NOTHING, ERR_USER, "", "left no file bzImage"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kernel k;
		struct err err;

		config.build.timeout = rows[i].commit == SLOW ? 1 : 60;
		assert_int_equal(build(rows[i].commit, &k, &err), -1);
		assert_int_equal(err.kind, rows[i].kind);
		assert_string_equal(err.cause, rows[i].cause);
		assert_non_null(strstr(err.msg, rows[i].says));
		assert_int_equal(
			kernel_find(&config, &tree, &kconfig, ids[rows[i].commit], &k, &err), 0);
	}
}

static void other_fragments_are_another_kernel(void **state)
{
	struct kernel k = built(GOOD), again;

	(void)state;
	assert_int_equal(fs_write_atomic(fragment, "CONFIG_B=y\n", 11, 0644, NULL), 0);
	again = built(GOOD);
	assert_false(again.cached);
	kernel_done(&k);
	kernel_done(&again);
}

static void bases_are_targets_or_files(void **state)
{
	static const struct {
		const char *base, *want;
	} rows[] = {
		{"allnoconfig", "CONFIG_A=y\n"},
		{"toyconfig", "CONFIG_TOY=y\n\nCONFIG_A=y\n"},
		{fragment, "CONFIG_A=y\n\nCONFIG_A=y\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_str_ struct str text = STR_INIT;
		struct kernel k;

		kconfig.base = (char *)rows[i].base;
		k = built(GOOD);
		assert_true(k.ok && !k.cached);
		unpack(k.config, &text);
		assert_string_equal(text.buf, rows[i].want);
		kernel_done(&k);
	}
}

static void what_cannot_be_had_is_named(void **state)
{
	static const struct {
		const char *base, *says;
	} rows[] = {
		{"allnoconfig", "a.config:2: CONFIG_DENIED=y did not survive: it is absent; this "
				"kernel has no such symbol"},
		{"toyconfig", "a.config:2: CONFIG_DENIED=y did not survive"},
		{"nosuchconfig", "no configuration \"nosuchconfig\""},
		{"/nowhere", "/nowhere"},
	};
	static const char text[] = "CONFIG_A=y\nCONFIG_DENIED=y\n";

	(void)state;
	assert_int_equal(fs_write_atomic(fragment, text, strlen(text), 0644, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kernel k;
		struct err err;

		kconfig.base = (char *)rows[i].base;
		assert_int_equal(build(GOOD, &k, &err), -1);
		assert_int_equal(err.kind, ERR_USER);
		assert_non_null(strstr(err.msg, rows[i].says));
	}
}

static void vmlinux_is_kept_for_its_line_numbers(void **state)
{
	static const char text[] = "CONFIG_DEBUG_INFO=y\n";
	struct kernel without = built(OTHER), with, again, linked;
	_cleanup_str_ struct str bytes = STR_INIT;

	(void)state;
	assert_null(without.vmlinux);
	assert_int_equal(fs_write_atomic(fragment, text, strlen(text), 0644, NULL), 0);
	with = built(OTHER);
	again = built(OTHER);
	linked = built(SAME);
	assert_int_equal(fs_read(with.vmlinux, 100, &bytes, NULL), 0);
	assert_string_equal(bytes.buf, "elf\n");
	assert_true(again.cached);
	assert_string_equal(again.vmlinux, with.vmlinux);
	assert_true(linked.ok);
	assert_null(linked.vmlinux);
	kernel_done(&without);
	kernel_done(&with);
	kernel_done(&again);
	kernel_done(&linked);
}

static void a_damaged_record_is_built_again(void **state)
{
	static const char *const damage[] = {"", "{}", "{\"version\": 1, \"ok\": true}", "[1]"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(damage); i++) {
		struct kernel k = built(GOOD), again;

		fs_write_atomic(k.record, damage[i], strlen(damage[i]), 0644, NULL);
		again = built(GOOD);
		assert_true(again.ok && !again.cached);
		kernel_done(&k);
		kernel_done(&again);
	}
}

static void off_builds_the_same_image(void **state)
{
	struct kernel boxed = built(GOOD), bare;

	(void)state;
	assert_int_equal(fs_remove_tree(config.paths.cache, NULL), 0);
	tree.sandbox = false;
	bare = built(GOOD);
	assert_false(bare.cached);
	assert_string_equal(bare.image_id, boxed.image_id);
	kernel_done(&boxed);
	kernel_done(&bare);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(builds_once, fresh),
		cmocka_unit_test_setup(equal_images_share_one_id, fresh),
		cmocka_unit_test_setup(a_commit_that_does_not_compile_is_a_result, fresh),
		cmocka_unit_test_setup(failures_of_the_host_keep_nothing, fresh),
		cmocka_unit_test_setup(other_fragments_are_another_kernel, fresh),
		cmocka_unit_test_setup(bases_are_targets_or_files, fresh),
		cmocka_unit_test_setup(what_cannot_be_had_is_named, fresh),
		cmocka_unit_test_setup(vmlinux_is_kept_for_its_line_numbers, fresh),
		cmocka_unit_test_setup(a_damaged_record_is_built_again, fresh),
		cmocka_unit_test_setup(off_builds_the_same_image, fresh),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
