/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/kernel/outcheck.h"
#include "harness/util/fs.h"
#include "harness/util/log.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"

static char dir[] = "/tmp/lkp-outcheck-XXXXXX";
static char out[64];
static const char *const plain[] = {".config", "arch/x86/boot/bzImage", NULL};

static int setup(void **state)
{
	(void)state;
	log_set_level(LOG_LEVEL_ERR);
	assert_non_null(mkdtemp(dir));
	snprintf(out, sizeof(out), "%s/out", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return fs_remove_tree(dir, NULL);
}

/* An output folder like a build's, changed by a script that runs in it. */
static void make_out(const char *script)
{
	static const char build[] =
		"mkdir -p arch/x86/boot mm scripts; touch .config mm/shmem.o; "
		"echo x > arch/x86/boot/bzImage; ln -s /src source; ln -s /src/mm scripts/mm; "
		"ln -s ../x86/boot/bzImage arch/bzImage; ln -s nowhere mm/link; chmod 444 mm/shmem.o; ";
	_cleanup_free_ char *all = xasprintf("cd %s && %s%s", out, build, script);
	struct err err = ERR_INIT;

	assert_int_equal(fs_remove_tree(out, NULL), 0);
	assert_int_equal(mkdir(out, 0755), 0);
	if (proc_check((const char *const[]){"sh", "-c", all, NULL}, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(fs_chown_tree(out, sandbox_uid(), (gid_t)-1, NULL), 0);
}

static void only_what_is_unfit_is_emptied(void **state)
{
	static const struct {
		const char *script;
		bool unfit, off;
	} rows[] = {
		{":", false, false},
		{"mkdir -p a/b/c; chmod 000 a/b", true, false},
		{"chmod 000 .config", true, false},
		{"mkfifo mm/page.o", true, false},
		{"rm .config; mkdir .config", true, false},
		{"rm .config; ln -s mm/shmem.o .config", true, false},
		{"rm arch/x86/boot/bzImage", false, false},
		{"rm arch/x86/boot/bzImage; ln -s /etc/shadow arch/x86/boot/bzImage", true, false},
		{"rm -r arch/x86; ln -s /usr arch/x86", true, false},
		{"rm -r arch; touch arch", true, false},
		{"ln -s /etc mm/etc", true, false},
		{"ln -s /srcx mm/x", true, false},
		{"ln -s /src mm/x", true, true}, /* bare, the sources are elsewhere */
		{"touch -d @4070908800 mm/shmem.o", true, false},
		{"head -c 3M /dev/zero > mm/big", true, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct sandbox box = {.src = "/nowhere", .out = out, .off = rows[i].off};
		_cleanup_strv_ char **names = NULL;
		struct err err = ERR_INIT;
		bool emptied = !rows[i].unfit;
		struct stat st;

		make_out(rows[i].script);
		if (outcheck(&box, plain, 2 << 20, &emptied, &err) < 0)
			fail_msg("%s: %s", rows[i].script, err.msg);
		if (emptied != rows[i].unfit)
			fail_msg("%s: emptied %d", rows[i].script, emptied);
		assert_int_equal(fs_list(out, &names, NULL), 0);
		assert_int_equal(strv_len(names) == 0, rows[i].unfit);
		assert_int_equal(stat(out, &st), 0);
		assert_int_equal(st.st_uid, sandbox_uid());
		assert_int_equal(st.st_mode & 07777, 0755);
	}
}

static void files_of_another_user_are_unfit(void **state)
{
	const struct sandbox box = {.src = "/nowhere", .out = out};
	bool emptied = false;

	(void)state;
	if (geteuid() != 0) {
		print_message("skip: only root can give files away\n");
		skip();
	}
	make_out(":");
	assert_int_equal(fs_chown_tree(out, 12345, (gid_t)-1, NULL), 0);
	assert_int_equal(outcheck(&box, plain, 0, &emptied, NULL), 0);
	assert_true(emptied);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_unfit_is_emptied),
		cmocka_unit_test(files_of_another_user_are_unfit),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
