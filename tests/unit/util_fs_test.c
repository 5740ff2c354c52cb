/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char root[] = "/tmp/util_fs_test-XXXXXX";

/* Each test runs in an empty folder. */
static int enter(void **state)
{
	(void)state;
	memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
	return mkdtemp(root) ? chdir(root) : -1;
}

static int leave(void **state)
{
	(void)state;
	return chdir("/") < 0 ? -1 : fs_remove_tree(root, NULL);
}

static void put(const char *path, const char *text)
{
	assert_int_equal(fs_write_atomic(path, text, strlen(text), 0644, NULL), 0);
}

static void reads_up_to_the_cap(void **state)
{
	_cleanup_str_ struct str s = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	put("f", "12345");
	assert_int_equal(fs_read("f", 5, &s, &err), 0);
	assert_int_equal(fs_read("f", 5, &s, &err), 0);
	assert_string_equal(s.buf, "1234512345");
	assert_int_equal(fs_read("f", 4, &s, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(s.len, 10);
	assert_int_equal(fs_read("gone", 4, &s, &err), -1);
	assert_int_equal(err.kind, ERR_INFRA);
	assert_non_null(strstr(err.msg, "gone"));
	assert_int_equal(fs_read(".", 4, &s, &err), -1);
}

static int read_beneath_cases(void)
{
	static const struct {
		const char *path;
		bool good;
	} cases[] = {
		{"f", true},	   {"d/f", true},	   {"./d//f", true},
		{"", false},	   {"/etc/passwd", false}, {"../outside", false},
		{"d/../f", false}, {"d/..", false},	   {"..", false},
		{"link", false},   {"dlink/f", false},	   {"up/outside", false},
		{"fifo", false},   {"d", false},	   {"d/", false},
		{"gone", false},   {"..f", true},	   {"dangling", false},
		{"f/x", false},
	};
	_cleanup_close_ int fd = open("in", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int wrong = 0;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str s = STR_INIT;
		struct err err = ERR_INIT;
		int status = fs_read_beneath(fd, cases[i].path, 100, &s, &err);

		if (status != (cases[i].good ? 0 : -1) ||
		    !streq(s.buf, cases[i].good ? "inside" : "")) {
			print_message("\"%s\": %d %s\n", cases[i].path, status, err.msg);
			wrong++;
		}
	}
	return wrong;
}

static void hostile_folder(void)
{
	assert_int_equal(fs_mkdirs("in/d", NULL), 0);
	put("outside", "secret");
	put("in/f", "inside");
	put("in/..f", "inside");
	put("in/d/f", "inside");
	assert_int_equal(symlink("f", "in/link"), 0);
	assert_int_equal(symlink("d", "in/dlink"), 0);
	assert_int_equal(symlink("..", "in/up"), 0);
	assert_int_equal(symlink("nothing", "in/dangling"), 0);
	assert_int_equal(mkfifo("in/fifo", 0644), 0);
}

static void stays_beneath(void **state)
{
	(void)state;
	hostile_folder();
	alarm(10); /* a fifo that is opened in the blocking way would hang */
	assert_int_equal(read_beneath_cases(), 0);
	alarm(0);
}

/* Makes openat2() fail as on a kernel that has none. */
static int forget_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {ARRAY_SIZE(code), code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
		       ? -1
		       : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void stays_beneath_on_old_kernels(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	hostile_folder();
	pid = fork();
	if (pid == 0) {
		alarm(10);
		_exit(forget_openat2() < 0				  ? 100
		      : read_beneath_cases() > 0			  ? 1
		      : fs_remove_tree("in", NULL) < 0 || fs_exists("in") ? 2
									  : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(fs_exists("outside"));
}

static size_t count(const char *folder)
{
	_cleanup_strv_ char **names = NULL;

	assert_int_equal(fs_list(folder, &names, NULL), 0);
	return strv_len(names);
}

static void writes_whole_files(void **state)
{
	_cleanup_str_ struct str s = STR_INIT;
	struct stat st;

	(void)state;
	put("f", "old");
	assert_int_equal(fs_write_atomic("f", "n\0w", 3, 0600, NULL), 0);
	assert_int_equal(fs_read("f", 10, &s, NULL), 0);
	assert_int_equal(s.len, 3);
	assert_int_equal(stat("f", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(count("."), 1);
}

/* In a child: the file size limit makes write() fail half-way. */
static void failed_write(void)
{
	struct rlimit limit = {5000, 5000};
	struct err err = ERR_INIT;
	char data[9000] = "";

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	_exit(fs_write_atomic("f", data, sizeof(data), 0644, &err) == -1 &&
			      strstr(err.msg, "f: File too large")
		      ? 0
		      : 1);
}

static void failure_leaves_nothing(void **state)
{
	_cleanup_str_ struct str s = STR_INIT;
	struct err err = ERR_INIT;
	int status;
	pid_t pid;

	(void)state;
	put("f", "old");
	pid = fork();
	if (pid == 0)
		failed_write();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(fs_read("f", 10, &s, NULL), 0);
	assert_string_equal(s.buf, "old");
	assert_int_equal(mkdir("dir", 0755), 0);
	assert_int_equal(fs_write_atomic("dir", "x", 1, 0644, &err), -1);
	assert_int_equal(fs_write_atomic("gone/f", "x", 1, 0644, &err), -1);
	assert_non_null(strstr(err.msg, "gone/f"));
	assert_int_equal(count("."), 2);
	assert_int_equal(count("dir"), 0);
}

static void makes_folders(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(fs_mkdirs("a/b//c/", &err), 0);
	assert_int_equal(fs_mkdirs("a/b/c", &err), 0);
	assert_true(fs_is_dir("a/b/c"));
	put("a/f", "");
	assert_int_equal(fs_mkdirs("a/f/g", &err), -1);
	assert_int_equal(fs_mkdirs("a/f", &err), -1);
	assert_int_equal(fs_mkdirs("/tmp", &err), 0);
}

static void copies(void **state)
{
	_cleanup_str_ struct str s = STR_INIT;
	struct err err = ERR_INIT;
	struct stat st;

	(void)state;
	put("a", "text");
	assert_int_equal(chmod("a", 0751), 0);
	assert_int_equal(fs_copy("a", "b", &err), 0);
	assert_int_equal(fs_copy("a", "a", &err), 0);
	assert_int_equal(fs_read("b", 10, &s, NULL), 0);
	assert_int_equal(fs_read("a", 10, &s, NULL), 0);
	assert_string_equal(s.buf, "texttext");
	assert_int_equal(stat("b", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0751);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	alarm(10);
	assert_int_equal(fs_copy("fifo", "c", &err), -1);
	alarm(0);
	assert_int_equal(fs_copy("gone", "c", &err), -1);
	assert_false(fs_exists("c"));
	assert_int_equal(fs_rename("b", "c", &err), 0);
	assert_int_equal(fs_rename("b", "d", &err), -1);
	assert_true(fs_exists("c") && !fs_exists("b"));
}

static void locks(void **state)
{
	struct err err = ERR_INIT;
	int fd = -1, other = -5;

	(void)state;
	assert_int_equal(fs_lock("lock", false, &fd, &err), 0);
	assert_int_equal(fs_lock("lock", false, &other, &err), -1);
	assert_string_equal(err.cause, "locked");
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(other, -5);
	close(fd);
	assert_int_equal(fs_lock("lock", true, &fd, &err), 0);
	close(fd);
}

static void lists_in_order(void **state)
{
	static const char *const want[] = {".hidden", "A", "a", "b"};
	_cleanup_strv_ char **names = NULL;
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = ARRAY_SIZE(want); i--;)
		put(want[i], "");
	assert_int_equal(fs_list("gone", &names, &err), -1);
	assert_null(names);
	assert_int_equal(fs_list(".", &names, &err), 0);
	assert_int_equal(strv_len(names), ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		assert_string_equal(names[i], want[i]);
}

static void expands(void **state)
{
	static const struct {
		const char *in, *want;
	} cases[] = {
		{"/plain/~/x", "/plain/~/x"},
		{"~/x", "/home/x/x"},
		{"~", "/home/x"},
		{"~user/x", "~user/x"},
		{"$A_1/x", "one/x"},
		{"a${A_1}b", "aoneb"},
		{"$A_1$A_1", "oneone"},
		{"$UNSET_NAME", NULL},
		{"${A_1", NULL},
		{"${}", NULL},
		{"a$", NULL},
		{"$/x", NULL},
		{"", ""},
	};

	(void)state;
	setenv("HOME", "/home/x", 1);
	setenv("A_1", "one", 1);
	unsetenv("UNSET_NAME");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str s = STR_INIT;
		struct err err = ERR_INIT;

		assert_int_equal(fs_expand(cases[i].in, &s, &err), cases[i].want ? 0 : -1);
		assert_string_equal(s.buf, cases[i].want ? cases[i].want : "");
		assert_int_equal(err.kind, cases[i].want ? ERR_INFRA : ERR_USER);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_up_to_the_cap),
		TEST(stays_beneath),
		TEST(stays_beneath_on_old_kernels),
		TEST(writes_whole_files),
		TEST(failure_leaves_nothing),
		TEST(makes_folders),
		TEST(copies),
		TEST(locks),
		TEST(lists_in_order),
		TEST(expands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
