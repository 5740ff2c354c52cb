/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>

#include "harness/kernel/kconfig.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char dir[] = "/tmp/lkp-kconfig-XXXXXX";
static char *fragments[] = {NULL, NULL, NULL};
static struct config_kconfig kconfig;

static int setup(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	fragments[0] = xasprintf("%s/a.config", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(fragments[0]);
	free(fragments[1]);
	return fs_remove_tree(dir, NULL);
}

/* Reads text as the only fragment. */
static int read_text(const char *text, struct kconfig_requests *ret, struct err *err)
{
	kconfig = (struct config_kconfig){.name = "k",
					  .base = "allnoconfig",
					  .fragments = fragments,
					  .arch = "x86_64",
					  .image = "bzImage"};
	assert_int_equal(fs_write_atomic(fragments[0], text, strlen(text), 0644, NULL), 0);
	return kconfig_read(&kconfig, ret, err);
}

static void reads_requests_with_places(void **state)
{
	struct kconfig_requests r;
	struct err err = ERR_INIT;
	char first_key[HASH_HEX_LEN + 1];

	(void)state;
	assert_int_equal(read_text("# a comment\n\nCONFIG_A=y\n  CONFIG_B=\"x y\"  \r\n"
				   "# CONFIG_C is not set\nCONFIG_A=n\nCONFIG_HZ=250",
				   &r, &err),
			 0);
	assert_int_equal(r.n, 4);
	assert_string_equal(r.text.buf, "# CONFIG_A is not set\nCONFIG_B=\"x y\"\n"
					"# CONFIG_C is not set\nCONFIG_HZ=250\n");
	assert_int_equal(r.list[0].line, 6);
	assert_true(str_ends(r.list[0].file, "/a.config"));
	memcpy(first_key, r.key, sizeof(first_key));
	kconfig_done(&r);
	assert_int_equal(read_text("CONFIG_A=y\n", &r, &err), 0);
	assert_string_not_equal(r.key, first_key);
	kconfig_done(&r);
}

static void refuses_what_sets_no_symbol(void **state)
{
	static const char *const bad[] = {"CONFIG_A",	  "CONFIG_=y", "A=y",
					  "CONFIG_A = y", "CONFIG_A=", "CONFIG-A=y"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_free_ char *text = xasprintf("CONFIG_OK=y\n%s\n", bad[i]);
		struct kconfig_requests r;
		struct err err = ERR_INIT;

		assert_int_equal(read_text(text, &r, &err), -1);
		assert_int_equal(err.kind, ERR_USER);
		assert_non_null(strstr(err.msg, "/a.config:2: "));
	}
}

static void base_is_a_target_or_a_file(void **state)
{
	static const struct {
		const char *base;
		bool ok, target;
	} rows[] = {
		{"allnoconfig", true, true},	    {"x86_64_defconfig", true, true},
		{"-f/x config", false, false},	    {"bzImage", false, false},
		{"/nowhere/.config", false, false},
	};
	struct kconfig_requests r;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(read_text("CONFIG_A=y\n", &r, &err), 0);
	kconfig_done(&r);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		kconfig.base = (char *)rows[i].base;
		assert_int_equal(kconfig_read(&kconfig, &r, &err), rows[i].ok ? 0 : -1);
		if (rows[i].ok)
			assert_int_equal(r.base != NULL, rows[i].target);
		if (rows[i].ok)
			kconfig_done(&r);
	}
	assert_non_null(strstr(err.msg, "/nowhere/.config"));
	kconfig.base = fragments[0];
	assert_int_equal(kconfig_read(&kconfig, &r, &err), 0);
	assert_null(r.base);
	assert_string_equal(r.base_text.buf, "CONFIG_A=y\n");
	kconfig_done(&r);
	kconfig.base = (char *)"allnoconfig";
	fragments[1] = xstrdup("/nowhere/b.config");
	assert_int_equal(kconfig_read(&kconfig, &r, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	free(fragments[1]);
	fragments[1] = NULL;
}

static void names_each_symbol_that_did_not_survive(void **state)
{
	static const char kconfig_text[] =
		"config NEEDY\n\tbool \"Needs much\"\n\tdepends on PCI && ACPI\n\tdepends on NET\n"
		"\thelp\n\t  depends on nothing\n\nif X\nconfig HIDDEN\n\tbool\n\n"
		"config KEPT\n\tbool \"x\"\n\tdepends on NOT_MENTIONED\n";
	_cleanup_free_ char *file = xasprintf("%s/Kconfig.sub", dir);
	struct kconfig_requests r;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(fs_write_atomic(file, kconfig_text, strlen(kconfig_text), 0644, NULL), 0);
	assert_int_equal(read_text("CONFIG_KEPT=y\nCONFIG_NEEDY=y\nCONFIG_HIDDEN=n\n"
				   "CONFIG_TYPO=y\nCONFIG_OFF=n\nCONFIG_HZ=250\n",
				   &r, &err),
			 0);
	assert_int_equal(kconfig_verify(&r,
					"CONFIG_KEPT=y\n# CONFIG_NEEDY is not set\n"
					"CONFIG_HIDDEN=y\nCONFIG_NEEDY_MORE=y\nCONFIG_HZ=1000\n",
					dir, &err),
			 -1);
	kconfig_done(&r);
	assert_int_equal(err.kind, ERR_USER);
	assert_string_equal(err.cause, "config");
	assert_non_null(strstr(err.msg, "4 requested"));
	assert_non_null(strstr(err.msg, "/a.config:2: CONFIG_NEEDY=y did not survive: it is "
					"absent; it depends on PCI && ACPI && NET"));
	assert_non_null(strstr(err.msg, "CONFIG_HIDDEN=n did not survive: it is y; it has no "
					"prompt"));
	assert_non_null(strstr(err.msg, "CONFIG_TYPO=y did not survive: it is absent; this kernel "
					"has no such symbol"));
	assert_non_null(strstr(err.msg, "CONFIG_HZ=250 did not survive: it is 1000"));
	assert_null(strstr(err.msg, "CONFIG_KEPT"));
	assert_null(strstr(err.msg, "CONFIG_OFF"));
}

static void accepts_what_survived(void **state)
{
	struct kconfig_requests r;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(
		read_text("CONFIG_A=y\nCONFIG_B=n\nCONFIG_C=n\nCONFIG_S=\"a\"\n", &r, &err), 0);
	assert_int_equal(kconfig_verify(&r, "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_S=\"a\"\n",
					dir, &err),
			 0);
	assert_int_equal(
		kconfig_verify(&r, "\nCONFIG_AA=y\nXCONFIG_A=y\nCONFIG_S=\"a\"", NULL, &err), -1);
	kconfig_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_requests_with_places),
		cmocka_unit_test(refuses_what_sets_no_symbol),
		cmocka_unit_test(base_is_a_target_or_a_file),
		cmocka_unit_test(names_each_symbol_that_did_not_survive),
		cmocka_unit_test(accepts_what_survived),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
