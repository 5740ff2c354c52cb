/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <unistd.h>

#include "harness/machine/kvm.h"
#include "harness/machine/kvm_probe.h"
#include "harness/machine/qemu_argv.h"
#include "harness/machine/shape.h"
#include "harness/util/time.h"

#define NOTHING                                                                                 \
	"qemu-system-x86_64 -nodefaults -no-user-config -nic none -display none -serial stdio " \
	"-no-reboot -sandbox "                                                                  \
	"on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny "
#define WATCHED                                                    \
	" -device pvpanic-pci -action panic=none -d guest_errors " \
	"-device i6300esb -action watchdog=inject-nmi"
#define FILES "-kernel kernel.image -initrd initrd.cpio "
#define SHARE "-fsdev local,id=share,path=share,security_model=mapped-file,fmode=0644,dmode=0755 "

static const struct {
	const char *accel;
	int64_t cpus, sockets, threads;
	const char *machine_cmdline, *cmdline;
	struct qemu_user user;
	const char *want;
} rows[] = {
	{"icount",
	 1,
	 1,
	 1,
	 "",
	 NULL,
	 {.drop = true},
	 "env --ignore-signal=XFSZ prlimit --fsize=16777216 setpriv --no-new-privs --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "
	 "--bounding-set=-all " NOTHING "-accel tcg,thread=single -icount shift=0,sleep=off "
	 "-M microvm,acpi=off,rtc=on,pit=on,pic=on -rtc base=2020-01-01,clock=vm "
	 "-cpu Nehalem -smp 1,sockets=1,cores=1,threads=1 -m 512M -seed 18446744073709551615 " FILES
	 "-append [console=ttyS0 loglevel=5 panic=-1 reboot=t nolapic_timer] " SHARE
	 "-device virtio-9p-device,fsdev=share,mount_tag=result"},
	{"tcg",
	 2,
	 1,
	 1,
	 "mitigations=off",
	 "isolcpus=1",
	 {.drop = false},
	 "env --ignore-signal=XFSZ prlimit --fsize=16777216 setpriv --no-new-privs " NOTHING
	 "-accel tcg,thread=multi -M q35 "
	 "-cpu Nehalem -smp 2,sockets=1,cores=2,threads=1 -m 512M -seed 18446744073709551615 " FILES
	 "-append [console=ttyS0 loglevel=5 panic=-1 reboot=t unknown_nmi_panic mitigations=off isolcpus=1] " SHARE
	 "-device virtio-9p-pci,fsdev=share,mount_tag=result" WATCHED},
	{"kvm",
	 8,
	 2,
	 2,
	 "",
	 "a",
	 {.drop = true, .group = 108},
	 "env --ignore-signal=XFSZ prlimit --fsize=16777216 setpriv --no-new-privs --reuid=65534 --regid=65534 --groups=108 --inh-caps=-all "
	 "--bounding-set=-all " NOTHING "-accel kvm -M q35 "
	 "-cpu Nehalem -smp 8,sockets=2,cores=2,threads=2 -m 512M -seed 18446744073709551615 " FILES
	 "-append [console=ttyS0 loglevel=5 panic=-1 reboot=t unknown_nmi_panic a] " SHARE
	 "-device virtio-9p-pci,fsdev=share,mount_tag=result" WATCHED},
};

/* Words with blanks in brackets. */
static void join(struct str *s, char *const *argv)
{
	for (; *argv; argv++)
		str_addf(s, strchr(*argv, ' ') ? "%s[%s]" : "%s%s", s->len ? " " : "", *argv);
}

static void commands_are_as_written_here(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char model[] = "Nehalem";
		_cleanup_free_ char *cmdline = xstrdup(rows[i].machine_cmdline);
		const struct config_machine machine = {
			.cpu_model = model,
			.cpus = rows[i].cpus,
			.sockets = rows[i].sockets,
			.threads = rows[i].threads,
			.memory = 512ll << 20,
			.cmdline = cmdline,
		};
		const struct machine_boot boot = {
			.machine = &machine,
			.cmdline = rows[i].cmdline,
			.boot = "b1",
			.seed = UINT64_MAX,
		};
		_cleanup_strv_ char **argv =
			qemu_argv(&boot, qemu_accel_find(rows[i].accel), &rows[i].user);
		_cleanup_str_ struct str got = STR_INIT;

		join(&got, argv);
		assert_string_equal(got.buf, rows[i].want);
	}
}

/* The kernel stirs its command line into its random numbers: both boots of a block need the same.
 */
static void the_boot_id_is_not_in_the_command(void **state)
{
	char model[] = "Nehalem", none[] = "";
	const struct config_machine machine = {
		.cpu_model = model, .memory = 1 << 30, .cmdline = none};
	const struct qemu_user user = {.drop = true};
	const char *const ids[] = {"1f0e", "77aa"};
	struct str got[2] = {STR_INIT, STR_INIT};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct machine_boot boot = {.machine = &machine, .boot = ids[i], .seed = 1};
		_cleanup_strv_ char **argv = qemu_argv(&boot, qemu_accel_find("icount"), &user);

		join(&got[i], argv);
	}
	assert_string_equal(got[0].buf, got[1].buf);
	str_done(&got[0]);
	str_done(&got[1]);
}

static char *words(const char *text)
{
	return xstrdup(text);
}

static void bad_machines_are_refused_with_the_remedy(void **state)
{
	static const struct {
		const char *accel;
		int64_t cpus, memory;
		const char *want;
	} bad[] = {
		{"icount", 2, 512ll << 20, "set cpus: 1"},
		{"icount", 1, 1 << 20, "at least 64 MiB"},
		{"hvf", 1, 512ll << 20, "must be icount, kvm, tcg or auto"},
	};
	const struct machine_driver *driver = machine_driver_find("qemu");

	(void)state;
	assert_non_null(driver);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_free_ char *name = words("m"), *accel = words(bad[i].accel),
				    *model = words("Nehalem");
		const struct config_machine machine = {.name = name,
						       .accel = accel,
						       .cpu_model = model,
						       .cpus = bad[i].cpus,
						       .memory = bad[i].memory};
		struct err err = ERR_INIT;

		assert_int_equal(driver->check(&machine, &err), -1);
		assert_int_equal(err.kind, ERR_USER);
		assert_non_null(strstr(err.msg, bad[i].want));
	}
}

static void icount_is_deterministic_and_has_one_cpu(void **state)
{
	char driver[] = "qemu", icount[] = "icount", tcg[] = "tcg";
	struct config_machine machine = {.driver = driver, .accel = icount, .cpus = 8};

	(void)state;
	assert_true(machine_driver_find("qemu")->deterministic(&machine));
	assert_int_equal(machine_cpus(&machine), 1);
	machine.accel = tcg;
	assert_false(machine_driver_find("qemu")->deterministic(&machine));
	assert_int_equal(machine_cpus(&machine), 8);
	assert_string_equal(machine_driver_find("qemu")->accel(&machine), "tcg");
}

/* What opens but is no KVM must not be taken for it. */
static void only_a_real_kvm_is_usable(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(kvm_check("/dev/null", &err), -1);
	assert_int_equal(err.kind, ERR_INFRA);
	assert_int_equal(kvm_check("/dev/there-is-no-such-device", &err), -1);
	assert_int_equal(err.kind, ERR_INFRA);
}

/* Whatever this host's KVM is, the answer comes in time; where it is none, with a reason. */
static void a_guest_is_tried_and_never_waited_for(void **state)
{
	struct err err = ERR_INIT;
	int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC), null = open("/dev/null", O_RDWR | O_CLOEXEC);
	double start = time_monotonic();

	(void)state;
	assert_int_equal(kvm_probe(null, &err), -1);
	assert_non_null(strstr(err.msg, "cannot be made"));
	if (fd >= 0 && kvm_probe(fd, &err) < 0)
		assert_non_null(strstr(err.msg, "a guest of a few instructions"));
	assert_true(time_monotonic() - start < 2.5 * KVM_PROBE_MS / 1000);
	close(null);
	if (fd >= 0)
		close(fd);
}

static void cpus_lie_as_configured(void **state)
{
	static const struct {
		int64_t cpus, sockets, threads;
		struct machine_shape want;
	} shapes[] = {
		{1, 0, 0, {1, 1, 1}}, {4, 1, 1, {1, 4, 1}}, {8, 2, 2, {2, 2, 2}},
		{2, 1, 2, {1, 1, 2}}, {2, 4, 1, {1, 2, 1}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		const struct config_machine m = {.cpus = shapes[i].cpus,
						 .sockets = shapes[i].sockets,
						 .threads = shapes[i].threads};
		const struct machine_shape got = machine_shape(&m);

		assert_memory_equal(&got, &shapes[i].want, sizeof(got));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_are_as_written_here),
		cmocka_unit_test(the_boot_id_is_not_in_the_command),
		cmocka_unit_test(bad_machines_are_refused_with_the_remedy),
		cmocka_unit_test(icount_is_deterministic_and_has_one_cpu),
		cmocka_unit_test(only_a_real_kvm_is_usable),
		cmocka_unit_test(a_guest_is_tried_and_never_waited_for),
		cmocka_unit_test(cpus_lie_as_configured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
