/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "harness/machine/qemu_argv.h"
#include "harness/machine/watch.h"
#include "harness/util/fs.h"

static char folder[] = "/tmp/lkp-watch.XXXXXX";

/* What a shell in QEMU's place does, and what is made of it. */
static const struct {
	const char *script;
	double silence;
	enum machine_status status;
	const char *detail;
} rows[] = {
	{"echo lkp-agent: start; echo lkp-agent: done", 60, MACHINE_OK, ""},
	{"echo lkp-agent: start; printf 'Guest crashed' >&2", 60, MACHINE_PANIC, "(pvpanic)"},
	{"echo lkp-agent: start; printf 'Guest crashed' >&2; exec sleep 60", 0.5, MACHINE_PANIC,
	 "(pvpanic)"},
	{"echo lkp-agent: start; exec sleep 60", 0.5, MACHINE_SILENCE, "no console output"},
	{"echo 'Kernel panic - not syncing: VFS: x'; printf 'Guest crashed' >&2", 60, MACHINE_PANIC,
	 "VFS: x"},
	{"echo lkp-agent: start; echo 'Kernel panic - not syncing: NMI: Not continuing'; printf "
	 "'Guest crashed' >&2",
	 60, MACHINE_HANG, "interrupts off"},
	{"echo lkp-agent: start; echo 'qemu: terminating on signal 15 from pid 1' >&2", 60,
	 MACHINE_INFRA_FAILED, "by a signal from this host"},
	{"echo lkp-agent: start; fallocate -l 200M big; exec sleep 60", 60, MACHINE_BENCH_FAILED,
	 "more into its result folder"},
	{"echo 'no such device' >&2; exit 1", 60, MACHINE_INFRA_FAILED, "status 1: no such device"},
};

static struct machine_end watch(const char *script, double silence)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	char name[] = "m";
	const struct config_machine machine = {.name = name, .boot_timeout = 60};
	const struct machine_boot boot = {
		.machine = &machine, .folder = folder, .deadline_s = 60, .silence_s = silence};
	const struct watch_spec spec = {.boot = &boot,
					.argv = (char *const *)argv,
					.name = "QEMU",
					.guest = true,
					.share = folder,
					.exits = qemu_exits};
	struct machine_end end = {.status = MACHINE_OK};
	struct err err = ERR_INIT;

	if (watch_run(&spec, &end, &err) < 0)
		fail_msg("%s", err.msg);
	return end;
}

static void ends_are_told_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine_end end = watch(rows[i].script, rows[i].silence);

		assert_string_equal(machine_status_name(end.status),
				    machine_status_name(rows[i].status));
		if (!strstr(end.detail, rows[i].detail))
			fail_msg("%s: %s", rows[i].script, end.detail);
		assert_true(end.seconds < 30);
		machine_end_done(&end);
	}
}

static void the_times_of_the_agent_are_kept(void **state)
{
	struct machine_end end = watch(
		"rm -f big; echo lkp-agent: start; sleep 0.2; echo lkp-agent: done; sleep 0.2", 60);

	(void)state;
	assert_true(end.init_seconds > 0);
	assert_true(end.done_seconds >= end.init_seconds + 0.15);
	assert_true(end.seconds >= end.done_seconds + 0.15);
	machine_end_done(&end);
}

static int setup(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return fs_remove_tree(folder, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_are_told_apart),
		cmocka_unit_test(the_times_of_the_agent_are_kept),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
