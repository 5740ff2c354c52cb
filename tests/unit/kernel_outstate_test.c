/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>

#include "harness/kernel/outstate.h"
#include "harness/kernel/toolchain.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/time.h"

static char dir[] = "/tmp/lkp-outstate-XXXXXX";
static char out[64], state_file[64];

static int setup(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(out, sizeof(out), "%s/out", dir);
	snprintf(state_file, sizeof(state_file), "%s/out.json", dir);
	return fs_mkdirs(out, NULL);
}

static int teardown(void **state)
{
	(void)state;
	return fs_remove_tree(dir, NULL);
}

static void comes_back_as_it_was_written(void **state)
{
	struct outstate in = {.objects = 830, .part_seconds = 17.5, .since = 12345}, got;
	struct err err = ERR_INIT;

	(void)state;
	memset(in.config_key, 'a', HASH_HEX_LEN);
	memset(in.config_commit, 'b', GIT_HEX_LEN);
	assert_int_equal(outstate_write(out, &in, &err), 0);
	outstate_read(out, &got);
	assert_int_equal(got.objects, 830);
	assert_true(got.part_seconds > 17.4 && got.part_seconds < 17.6);
	assert_int_equal(got.since, 12345);
	assert_string_equal(got.config_key, in.config_key);
	assert_string_equal(got.config_commit, in.config_commit);
	assert_string_equal(got.config_hash, "");
}

static void damage_reads_as_nothing_known(void **state)
{
	static const char *const damage[] = {
		"",  "[]",   "{\"objects\": 5}",
		"{", "null", "{\"objects\": \"x\", \"part_seconds\": 1}"};
	struct outstate got;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(damage); i++) {
		assert_int_equal(
			fs_write_atomic(state_file, damage[i], strlen(damage[i]), 0644, NULL), 0);
		got.objects = 7;
		outstate_read(out, &got);
		assert_int_equal(got.objects, 0);
		assert_string_equal(got.config_hash, "");
	}
}

static void removes_what_a_killed_build_may_have_half_written(void **state)
{
	_cleanup_free_ char *old = xasprintf("%s/mm/old.o", out);
	_cleanup_free_ char *folder = xasprintf("%s/mm", out);
	struct outstate s = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(fs_mkdirs(folder, NULL), 0);
	assert_int_equal(fs_write_atomic(old, "x", 1, 0644, NULL), 0);
	assert_int_equal(outstate_repair(out, &s, &err), 0);
	assert_true(fs_exists(old)); /* no build was killed */
	s.since = time_now() + 100;
	assert_int_equal(outstate_repair(out, &s, &err), 0);
	assert_true(fs_exists(old)); /* it is older than the build that was killed */
	s.since = time_now() - 1000;
	assert_int_equal(outstate_repair(out, &s, &err), 0);
	assert_false(fs_exists(old));
	assert_true(fs_is_dir(folder));
}

static void versions_are_the_last_word_of_a_banner(void **state)
{
	static const struct {
		const char *banner, *want;
	} rows[] = {
		{"gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright\n", "12.2.0"},
		{"GNU ld (GNU Binutils for Debian) 2.40\n", "2.40"},
		{"", ""},
		{"x \x1b", "\\x1b"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *got = toolchain_version(rows[i].banner);

		assert_string_equal(got, rows[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_back_as_it_was_written),
		cmocka_unit_test(damage_reads_as_nothing_known),
		cmocka_unit_test(removes_what_a_killed_build_may_have_half_written),
		cmocka_unit_test(versions_are_the_last_word_of_a_banner),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
