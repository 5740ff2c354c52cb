/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "harness/config/keys.h"
#include "harness/config/load.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char path[] = "/tmp/lkp-lookup-XXXXXX";

static struct config *load(const char *text)
{
	struct config *config = NULL;
	struct err err = ERR_INIT;

	if (fs_write_atomic(path, text, strlen(text), 0644, &err) < 0 ||
	    config_load(path, &config, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	return config;
}

static int setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

static void test_find_by_name(void **state)
{
	struct config *c = load("trees: { demo: { url: /r, branches: [m] } }\n"
				"kconfigs: { small: {}, tiny: {} }\n"
				"machines: { box: {}, box2: {} }\n");
	const struct config_machine *machine = NULL;
	const struct config_tree *tree = NULL;
	const struct config_kconfig *kconfig = NULL;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(config_machine_find(c, "box2", &machine, &err), 0);
	assert_ptr_equal(machine, &c->machines[1]);
	assert_int_equal(config_tree_find(c, NULL, &tree, &err), 0);
	assert_ptr_equal(tree, &c->trees[0]);
	assert_int_equal(config_kconfig_find(c, "smal", &kconfig, &err), -1);
	assert_null(kconfig);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, "no kconfig \"smal\" in /tmp/lkp-lookup-"));
	assert_non_null(strstr(err.msg, "did you mean \"small\"? known: small, tiny"));
	config_free(c);
}

static void test_find_where_there_is_none(void **state)
{
	struct config *c = load("machines: {}\n");
	const struct config_tree *tree = NULL;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(config_tree_find(c, NULL, &tree, &err), -1);
	assert_null(tree);
	assert_non_null(strstr(err.msg, "has no tree: add one under \"trees:\""));
	config_free(c);
}

static void test_find_the_file(void **state)
{
	_cleanup_str_ struct str found = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	unsetenv("LKP_CONFIG");
	assert_int_equal(config_find("/nonexistent.yaml", &found, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(config_find(path, &found, &err), 0);
	assert_string_equal(found.buf, path);
	str_reset(&found);
	setenv("LKP_CONFIG", path, 1);
	assert_int_equal(config_find(NULL, &found, &err), 0);
	assert_string_equal(found.buf, path);
	setenv("LKP_CONFIG", "/nonexistent.yaml", 1);
	assert_int_equal(config_find(NULL, &found, &err), -1);
	assert_non_null(strstr(err.msg, "LKP_CONFIG names it"));
	unsetenv("LKP_CONFIG");
}

static void test_every_row_has_a_help(void **state)
{
	(void)state;
	for (const struct key_section *s = key_sections; s->name; s++) {
		assert_ptr_equal(config_keys(s->name), s->keys);
		assert_true(strlen(s->summary) > 0);
		for (const struct key *k = s->keys; k->name; k++) {
			assert_true(strlen(k->help) > 0);
			assert_true(strlen(key_type_name(k->type)) > 0);
			assert_true(!k->section || key_section(k->section));
		}
	}
	assert_null(config_keys("nonesuch"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find_by_name),
		cmocka_unit_test(test_find_where_there_is_none),
		cmocka_unit_test(test_find_the_file),
		cmocka_unit_test(test_every_row_has_a_help),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
