/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/machine/intake.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

static char base[] = "/tmp/lkp-intake-XXXXXX";
static char *from, *to;

static int make_base(void **state)
{
	(void)state;
	if (!mkdtemp(base))
		return -1;
	from = xasprintf("%s/from", base);
	to = xasprintf("%s/to", base);
	return 0;
}

static int drop_base(void **state)
{
	(void)state;
	free(from);
	free(to);
	return fs_remove_tree(base, NULL);
}

/* Fresh folders for each test. */
static int fresh(void **state)
{
	(void)state;
	if (fs_remove_tree(from, NULL) < 0 || fs_remove_tree(to, NULL) < 0)
		return -1;
	return mkdir(from, 0755) < 0 || mkdir(to, 0755) < 0 ? -1 : 0;
}

static void put(const char *name, const char *text)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", from, name);
	_cleanup_free_ char *folder = xstrdup(path);

	*strrchr(folder, '/') = '\0';
	assert_int_equal(fs_mkdirs(folder, NULL), 0);
	assert_int_equal(fs_write_atomic(path, text, strlen(text), 0644, NULL), 0);
}

static void put_done(const char *files)
{
	_cleanup_free_ char *text = xasprintf("{\"format\": \"lkp-result/1\", \"boot\": \"b1\", "
					      "\"status\": \"ok\", \"files\": {%s}}",
					      files);

	put("done.json", text);
}

static void refused(const char *want)
{
	struct err err = ERR_INIT;

	assert_int_equal(intake_result(from, to, "b1", &err), -1);
	assert_int_equal(err.kind, ERR_BENCH);
	assert_string_equal(err.cause, "bad-result");
	if (!strstr(err.msg, want))
		fail_msg("\"%s\" is not in \"%s\"", want, err.msg);
}

static void a_whole_answer_is_taken_and_nothing_else(void **state)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_free_ char *file = xasprintf("%s/runs/0/0.out", to);
	_cleanup_strv_ char **names = NULL;

	(void)state;
	put("facts.json", "{}");
	put("runs/0/0.out", "average:5\n");
	put("runs/0/extra", "not named");
	put(".virtfs_metadata/facts.json", "virtfs.uid=0");
	put_done("\"facts.json\": 2, \"runs/0/0.out\": 10");
	assert_int_equal(intake_result(from, to, "b1", NULL), 0);
	assert_int_equal(fs_read(file, 100, &text, NULL), 0);
	assert_string_equal(text.buf, "average:5\n");
	assert_int_equal(fs_list(to, &names, NULL), 0);
	assert_int_equal(strv_len(names), 3); /* done.json, facts.json, runs */
	*strrchr(file, '/') = '\0';
	cleanup_strv(&names);
	names = NULL;
	assert_int_equal(fs_list(file, &names, NULL), 0);
	assert_int_equal(strv_len(names), 1);
}

static void a_half_written_answer_is_refused(void **state)
{
	(void)state;
	put("facts.json", "{}");
	refused("left no answer");
	put("done.json", "{\"format\": \"lkp-res");
	refused("done.json");
	put_done("\"facts.json\": 3");
	refused("facts.json has 2 bytes, must have 3");
	put_done("\"gone\": 1");
	refused("not whole");
}

static void another_boots_answer_is_refused(void **state)
{
	(void)state;
	put("done.json", "{\"format\": \"lkp-result/1\", \"boot\": \"b2\", \"status\": \"ok\", "
			 "\"files\": {}}");
	refused("boot is \"b2\", must be \"b1\"");
	put("done.json", "{\"format\": \"lkp-result/9\", \"boot\": \"b1\", \"status\": \"ok\", "
			 "\"files\": {}}");
	refused("format");
	put("done.json", "{\"format\": \"lkp-result/1\", \"boot\": \"b1\", \"status\": \"half\", "
			 "\"files\": {}}");
	refused("status");
	put("done.json", "[]");
	refused("no object");
}

static void paths_that_lead_elsewhere_are_refused(void **state)
{
	static const char *const paths[] = {
		"../x",	   "/etc/passwd",
		"a/../b",  "a//b",
		"a/",	   "",
		".hidden", "a/.x",
		"a b",	   "a\\u001bb",
		"\\u00e4", "done.json",
		"./a",	   "a/./b",
		"..",	   "1/2/3/4/5/6/7/8/9",
		"a\\nb",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_free_ char *files = xasprintf("\"%s\": 1", paths[i]);

		put_done(files);
		refused("is no path that a result may have");
	}
}

static void links_and_special_files_are_refused(void **state)
{
	_cleanup_free_ char *link = xasprintf("%s/link", from), *dir = xasprintf("%s/dir", from);
	_cleanup_free_ char *fifo = xasprintf("%s/fifo", from), *sub = xasprintf("%s/sub", from);

	(void)state;
	assert_int_equal(symlink("/etc/hostname", link), 0);
	assert_int_equal(symlink("/etc", dir), 0);
	assert_int_equal(mkfifo(fifo, 0644), 0);
	assert_int_equal(mkdir(sub, 0755), 0);
	put_done("\"link\": 1");
	refused("not whole");
	put_done("\"dir/hostname\": 1");
	refused("not whole");
	put_done("\"fifo\": 0");
	refused("no regular file");
	put_done("\"sub\": 0");
	refused("no regular file");
}

static void a_linked_done_or_folder_is_refused(void **state)
{
	_cleanup_free_ char *done = xasprintf("%s/done.json", from);
	_cleanup_free_ char *real = xasprintf("%s/real", base);

	(void)state;
	put_done("");
	assert_int_equal(rename(done, real), 0);
	assert_int_equal(symlink(real, done), 0);
	refused("left no answer");
	assert_int_equal(unlink(done), 0);
	assert_int_equal(rename(real, done), 0);
	assert_int_equal(rename(from, real), 0);
	assert_int_equal(symlink(real, from), 0);
	refused("there is no folder");
	assert_int_equal(unlink(from), 0);
	assert_int_equal(rename(real, from), 0);
	assert_int_equal(intake_result(from, to, "b1", NULL), 0);
}

static void sizes_are_capped(void **state)
{
	_cleanup_str_ struct str many = STR_INIT;

	(void)state;
	put_done("\"a\": 4194305");
	refused("must be a number from 0 to 4194304");
	put_done("\"a\": -1");
	refused("must be a number");
	put_done("\"a\": 1.5");
	refused("must be a number");
	put_done("\"a\": 9223372036854775807, \"b\": 9223372036854775807");
	refused("must be a number");
	for (int i = 0; i < 17; i++)
		str_addf(&many, "%s\"f%d\": 4194304", i ? ", " : "", i);
	put_done(many.buf);
	refused("bytes in all");
	str_reset(&many);
	for (int i = 0; i <= INTAKE_FILES_MAX; i++)
		str_addf(&many, "%s\"f%d\": 0", i ? ", " : "", i);
	put_done(many.buf);
	refused("2001 files");
}

static void a_file_that_is_a_folder_too_is_refused(void **state)
{
	(void)state;
	put("a", "x");
	put_done("\"a\": 1, \"a/b\": 1");
	refused("a/b");
}

static void a_full_disk_is_our_fault(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	put("a", "x");
	put_done("\"a\": 1");
	assert_int_equal(intake_result(from, "/proc/self/no-such-folder", "b1", &err), -1);
	assert_int_equal(err.kind, ERR_INFRA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_whole_answer_is_taken_and_nothing_else, fresh),
		cmocka_unit_test_setup(a_half_written_answer_is_refused, fresh),
		cmocka_unit_test_setup(another_boots_answer_is_refused, fresh),
		cmocka_unit_test_setup(paths_that_lead_elsewhere_are_refused, fresh),
		cmocka_unit_test_setup(links_and_special_files_are_refused, fresh),
		cmocka_unit_test_setup(a_linked_done_or_folder_is_refused, fresh),
		cmocka_unit_test_setup(sizes_are_capped, fresh),
		cmocka_unit_test_setup(a_file_that_is_a_folder_too_is_refused, fresh),
		cmocka_unit_test_setup(a_full_disk_is_our_fault, fresh),
	};

	return cmocka_run_group_tests(tests, make_base, drop_base);
}
