/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "harness/kernel/symbols.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

static char folder[] = "/tmp/lkp-symtest-XXXXXX";
static char *vmlinux;

/* Lines are counted on: planted() is at 3, its call of inner() at 4. */
static const char source[] = "static __attribute__((noinline)) int inner(int *p)\n"
			     "{ return *p; }\n"
			     "__attribute__((noinline)) int planted(int *p) {\n"
			     "	int x = inner(p);\n"
			     "	return x + 1;\n"
			     "}\n"
			     "int main(void) { int x = 0; return planted(&x); }\n";

static int compile(void)
{
	_cleanup_free_ char *c = xasprintf("%s/shmem.c", folder);
	_cleanup_free_ char *map = xasprintf("-fdebug-prefix-map=%s=/src/mm", folder);
	const char *const argv[] = {"gcc", "-g", "-O0", map, "-o", vmlinux, c, NULL};

	if (fs_write_atomic(c, source, strlen(source), 0644, NULL) < 0)
		return -1;
	return proc_check(argv, NULL, NULL);
}

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || chmod(folder, 0755) < 0)
		return -1;
	vmlinux = xasprintf("%s/vmlinux", folder);
	return compile();
}

static int teardown(void **state)
{
	(void)state;
	free(vmlinux);
	return fs_remove_tree(folder, NULL);
}

/* Whether this host has the sandbox; without it the same is tried bare. */
static bool no_sandbox(void)
{
	_cleanup_free_ char *bwrap = proc_which("bwrap");

	return !bwrap;
}

static void decode(const char *in, struct str *out)
{
	_cleanup_str_ struct str text = STR_INIT;
	struct err err = ERR_INIT;

	str_add(&text, in);
	if (symbols_decode(vmlinux, no_sandbox(), &text, out, &err) < 0)
		fail_msg("%s", err.msg);
}

static void test_frames_get_their_lines(void **state)
{
	_cleanup_str_ struct str out = STR_INIT;

	(void)state;
	decode("BUG: x\nRIP: 0010:planted+0x0/0x999\n ? inner+0x0/0x1f\n main+0x1/0x99 [module]\n"
	       " unknown+0x1/0x2\n planted+0x0/0x999 again\nend, +0x1/0x2, planted+0x9/0x1\n",
	       &out);
	assert_string_equal(out.buf, "BUG: x\nRIP: 0010:planted+0x0/0x999 (mm/shmem.c:3)\n"
				     " ? inner+0x0/0x1f (mm/shmem.c:2)\n main+0x1/0x99 [module]\n"
				     " unknown+0x1/0x2\n planted+0x0/0x999 (mm/shmem.c:3) again\n"
				     "end, +0x1/0x2, planted+0x9/0x1\n");
}

/* A frame's address is that behind the call; the line is that of the call. */
static void test_a_return_address_names_the_call(void **state)
{
	_cleanup_str_ struct str symbols = STR_INIT;
	_cleanup_str_ struct str out = STR_INIT;
	_cleanup_free_ char *text = NULL;
	const char *const argv[] = {"objdump", "-d", "--disassemble=planted", vmlinux, NULL};
	unsigned long start, behind;
	const char *p;

	(void)state;
	assert_int_equal(proc_check(argv, &symbols, NULL), 0);
	p = strstr(symbols.buf, "<planted>:");
	assert_non_null(p);
	while (p > symbols.buf && p[-1] != '\n')
		p--;
	start = strtoul(p, NULL, 16);
	p = strstr(symbols.buf, "<inner>");
	assert_non_null(p);
	behind = strtoul(strchr(p, '\n') + 1, NULL, 16);
	text = xasprintf(" planted+0x%lx/0x999\n", behind - start);
	decode(text, &out);
	assert_true(str_ends(out.buf, " (mm/shmem.c:4)\n"));
}

static void test_a_text_without_frames_is_left_alone(void **state)
{
	static const char text[] = "no frame+0x here, +0x/0x2\n\xff a+0x1\n";
	_cleanup_str_ struct str out = STR_INIT;

	(void)state;
	decode(text, &out);
	assert_string_equal(out.buf, text);
}

static void test_a_file_that_is_no_vmlinux_is_an_error(void **state)
{
	_cleanup_free_ char *junk = xasprintf("%s/junk", folder);
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_str_ struct str out = STR_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(fs_write_atomic(junk,
					 "\x7f"
					 "ELF",
					 4, 0644, NULL),
			 0);
	str_add(&text, " planted+0x1/0x2\n");
	assert_int_equal(symbols_decode(junk, no_sandbox(), &text, &out, &err), -1);
	assert_int_equal(err.kind, ERR_INFRA);
	assert_non_null(strstr(err.msg, "nm"));
	assert_string_equal(out.buf, "");
}

static void test_only_debug_info_is_wanted(void **state)
{
	(void)state;
	assert_true(symbols_wanted("CONFIG_A=y\nCONFIG_DEBUG_INFO=y\n"));
	assert_true(symbols_wanted("CONFIG_DEBUG_INFO=y\n"));
	assert_false(symbols_wanted("# CONFIG_DEBUG_INFO is not set\nCONFIG_DEBUG_INFO_NONE=y\n"));
	assert_false(symbols_wanted(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_get_their_lines),
		cmocka_unit_test(test_a_return_address_names_the_call),
		cmocka_unit_test(test_a_text_without_frames_is_left_alone),
		cmocka_unit_test(test_a_file_that_is_no_vmlinux_is_an_error),
		cmocka_unit_test(test_only_debug_info_is_wanted),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
