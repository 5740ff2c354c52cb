/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/kernel/buildlog.h"
#include "harness/util/mem.h"

/* As gcc 12, binutils 2.40 and make 4.3 print them below a build of Linux 6.1. */
static const struct {
	const char *log, *want;
} logs[] = {
	{"  CC      mm/shmem.o\n"
	 "/src/mm/filemap.c:10:5: warning: unused variable 'error: x' [-Wunused-variable]\n"
	 "/src/mm/shmem.c: In function 'shmem_write_end':\n"
	 "/src/mm/shmem.c:2560:9: error: 'nonsense' undeclared (first use in this function)\n"
	 " 2560 |         nonsense = 1;\n"
	 "/src/mm/shmem.c:2561:9: error: another\n"
	 "make[3]: *** [/src/scripts/Makefile.build:250: mm/shmem.o] Error 1\n"
	 "make: *** [Makefile:231: __sub-make] Error 2\n",
	 "mm/shmem.c:2560:9: error: 'nonsense' undeclared (first use in this function)"},
	{"In file included from /src/mm/shmem.c:24:\n"
	 "/src/include/linux/fs.h:6:10: fatal error: linux/gone.h: No such file or directory\n"
	 "compilation terminated.\n",
	 "include/linux/fs.h:6:10: fatal error: linux/gone.h: No such file or directory"},
	{"/src/arch/x86/entry/entry_64.S: Assembler messages:\n"
	 "/src/arch/x86/entry/entry_64.S:90: Error: no such instruction: `movz %rax'\n"
	 "make[4]: *** [/src/scripts/Makefile.build:384: entry_64.o] Error 1\n",
	 "arch/x86/entry/entry_64.S:90: Error: no such instruction: `movz %rax'"},
	{"  LD      .tmp_vmlinux.kallsyms1\n"
	 "ld: warning: a.o: missing .note.GNU-stack section\n"
	 "ld: mm/shmem.o: in function `shmem_write_end':\n"
	 "shmem.c:(.text+0x1c2): undefined reference to `lkp_gone'\n"
	 "make[1]: *** [/src/scripts/Makefile.vmlinux:35: vmlinux] Error 1\n",
	 "shmem.c:(.text+0x1c2): undefined reference to `lkp_gone'"},
	{"ld: mm/a.o: in function `x':\nld: cannot find -lnope: No such file or directory\n",
	 "ld: cannot find -lnope: No such file or directory"},
	{"ERROR: modpost: \"gone\" [fs/x.ko] undefined!\nmake[1]: *** [Makefile.modpost:126] E\n",
	 "ERROR: modpost: \"gone\" [fs/x.ko] undefined!"},
	{"vmlinux.o: error: objtool: f+0x1: unsupported instruction\nmake: *** [x] Error 255\n",
	 "vmlinux.o: error: objtool: f+0x1: unsupported instruction"},
	{"mm/Kconfig:12: syntax error\nmm/Kconfig:11: unknown statement \"confg\"\n"
	 "make[2]: *** [/src/scripts/kconfig/Makefile:77: allnoconfig] Error 1\n",
	 "mm/Kconfig:12: syntax error"},
	{"make[1]: *** No rule to make target 'mm/gone.o', needed by 'mm/built-in.a'.  Stop.\n"
	 "make: *** [Makefile:231: __sub-make] Error 2\n",
	 "make[1]: *** No rule to make target 'mm/gone.o', needed by 'mm/built-in.a'.  Stop."},
	{"/bin/sh: 1: flex: not found\n\n", "/bin/sh: 1: flex: not found"},
	{"/src/a.c:1:2: error: \x1b[31mred\n", "a.c:1:2: error: \\x1b[31mred"},
	{"", "make printed nothing"},
};

static void finds_the_first_error(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(logs); i++) {
		_cleanup_str_ struct str got = STR_INIT;

		buildlog_first_error(logs[i].log, strlen(logs[i].log), "/src", &got);
		assert_string_equal(got.buf, logs[i].want);
	}
}

static void an_endless_line_is_cut(void **state)
{
	_cleanup_str_ struct str log = STR_INIT;
	_cleanup_str_ struct str got = STR_INIT;

	(void)state;
	str_add(&log, "/src/a.c:1:2: error: ");
	for (int i = 0; i < 100000; i++)
		str_addc(&log, '\x01');
	buildlog_first_error(log.buf, log.len, "/src", &got);
	assert_true(got.len <= 400);
}

static void tells_the_host_from_the_commit(void **state)
{
	static const struct {
		const char *log;
		bool host;
	} rows[] = {
		{"mm/x.c:1:1: fatal error: error writing to /tmp/cc.s: No space left on device\n",
		 true},
		{"gcc: fatal error: Killed signal terminated program cc1\n", true},
		{"cc1: out of memory allocating 65536 bytes after a total of 1 bytes\n", true},
		{"make[2]: *** [Makefile:9: vmlinux] File size limit exceeded\n", true},
		{"a.c:1:2: error: #error \"No space left on device\"\n", false},
		{"    1 | #define X \"x: No space left on device\"\n", false},
		{"a.c:1:2: error: 'x' undeclared\n", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(buildlog_host_fault(rows[i].log, strlen(rows[i].log)) != NULL,
				 rows[i].host);
}

static void counts_objects_in_pieces_of_any_size(void **state)
{
	static const char log[] = "  CC      mm/shmem.o\n  AR      mm/built-in.a\n"
				  "  AS      arch/x86/entry/entry_64.o\n  HOSTCC  scripts/x\n"
				  "make: x\n  CC      a.o\n";

	(void)state;
	for (size_t piece = 1; piece < sizeof(log); piece++) {
		struct buildlog_counter counter = {0};
		bool changed = false;

		for (size_t at = 0; at < sizeof(log) - 1; at += piece) {
			size_t left = sizeof(log) - 1 - at;

			changed |= buildlog_count(&counter, log + at, left < piece ? left : piece);
		}
		assert_true(changed);
		assert_int_equal(counter.objects, 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_first_error),
		cmocka_unit_test(an_endless_line_is_cut),
		cmocka_unit_test(tells_the_host_from_the_commit),
		cmocka_unit_test(counts_objects_in_pieces_of_any_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
