/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/qemu_argv.h"

#include <inttypes.h>

#include "harness/machine/share.h"

#include "harness/machine/shape.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A kernel that panics where its console is not up, or hangs with interrupts off, says nothing.
 * pvpanic tells QEMU, which says so on stderr and goes on, for a kernel flushes its console only
 * behind that. The watchdog, which the agent feeds, sends an NMI, and by unknown_nmi_panic the
 * kernel shows where it hung. Both are PCI devices: microvm has neither, there only silence tells.
 */
#define PCI_DEVICES                                                                               \
	WORDS("-device", "pvpanic-pci", "-action", "panic=none", "-d", "guest_errors", "-device", \
	      "i6300esb", "-action", "watchdog=inject-nmi")
#define COMMON_NEEDS                                                                        \
	"CONFIG_BLK_DEV_INITRD=y", "CONFIG_DEVTMPFS=y", "CONFIG_TMPFS=y", "CONFIG_9P_FS=y", \
		"CONFIG_NET_9P_VIRTIO=y", "CONFIG_SERIAL_8250_CONSOLE=y"
#define PCI_CMDLINE "unknown_nmi_panic"

const struct qemu_accel qemu_accels[] = {
	/* Virtual time is the number of instructions: a guest nanosecond each. Without
	 * nolapic_timer the kernel spends 12 s of it on checking that timer. */
	{
		.name = "icount",
		.args = WORDS("-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off", "-M",
			      "microvm,acpi=off,rtc=on,pit=on,pic=on", "-rtc",
			      "base=2020-01-01,clock=vm"),
		.devices = WORDS(NULL),
		.cmdline = "nolapic_timer",
		.share_device = "virtio-9p-device",
		.needs = WORDS(COMMON_NEEDS, "CONFIG_VIRTIO_MMIO=y",
			       "CONFIG_VIRTIO_MMIO_CMDLINE_DEVICES=y"),
		.one_cpu = true,
		.deterministic = true,
	},
	{
		.name = "tcg",
		.args = WORDS("-accel", "tcg,thread=multi", "-M", "q35"),
		.devices = PCI_DEVICES,
		.cmdline = PCI_CMDLINE,
		.share_device = "virtio-9p-pci",
		.needs = WORDS(COMMON_NEEDS, "CONFIG_VIRTIO_PCI=y", "CONFIG_ACPI=y"),
	},
	{
		.name = "kvm",
		.args = WORDS("-accel", "kvm", "-M", "q35"),
		.devices = PCI_DEVICES,
		.cmdline = PCI_CMDLINE,
		.share_device = "virtio-9p-pci",
		.needs = WORDS(COMMON_NEEDS, "CONFIG_VIRTIO_PCI=y", "CONFIG_ACPI=y"),
	},
	{.name = NULL},
};

const struct watch_exit qemu_exits[] = {
	{
		.text = "Guest crashed", /* -d guest_errors, of pvpanic */
		.stopped_too = true,
		.status = MACHINE_PANIC,
		.detail = "the kernel panicked, and could not say why on its console (pvpanic)",
	},
	{
		.text = "terminating on signal ",
		.status = MACHINE_INFRA_FAILED,
		.detail = "QEMU was ended by a signal from this host",
	},
	{
		.text = "Kernel panic - not syncing: NMI: Not continuing",
		.on_console = true,
		.status = MACHINE_HANG,
		.detail = "the kernel hung with interrupts off; the watchdog's NMI shows where",
	},
	{.text = NULL},
};

/* What every guest gets: nothing but a serial console, and QEMU may start and become nothing else.
 * A guest that restarts ends QEMU. */
static const char *const base_args[] = {
	"-nodefaults",
	"-no-user-config",
	"-nic",
	"none",
	"-display",
	"none",
	"-serial",
	"stdio",
	"-no-reboot",
	"-sandbox",
	"on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny",
	NULL};

/* Nothing here may differ between the boots of a block (such as the boot's id): the kernel stirs
 * its command line into its random numbers, and with it everything that is laid out at random.
 * Level 4 is that of the kernel's WARNINGs and of most call traces: "quiet" would hide them. */
#define BASE_CMDLINE "console=ttyS0 loglevel=5 panic=-1 reboot=t"

const struct qemu_accel *qemu_accel_find(const char *name)
{
	for (const struct qemu_accel *a = qemu_accels; a->name; a++)
		if (streq(a->name, name))
			return a;
	return NULL;
}

static void add_all(char ***argv, const char *const *words)
{
	for (; *words; words++)
		strv_add(argv, *words);
}

/* Takes the word over. */
static void add_word(char ***argv, char *word)
{
	strv_add(argv, word);
	free(word);
}

static void add_pair(char ***argv, const char *option, char *value)
{
	strv_add(argv, option);
	add_word(argv, value);
}

static void add_user(char ***argv, const struct qemu_user *user)
{
	/* A guest that writes too long a file gets an error, QEMU no signal. */
	strv_add(argv, "env");
	strv_add(argv, "--ignore-signal=XFSZ");
	strv_add(argv, "prlimit");
	add_word(argv, xasprintf("--fsize=%u", SHARE_FILE_MAX));
	strv_add(argv, "setpriv");
	strv_add(argv, "--no-new-privs");
	if (!user->drop)
		return;
	add_word(argv, xasprintf("--reuid=%d", QEMU_UID));
	add_word(argv, xasprintf("--regid=%d", QEMU_UID));
	if (user->group)
		add_word(argv, xasprintf("--groups=%u", (unsigned int)user->group));
	else
		strv_add(argv, "--clear-groups");
	strv_add(argv, "--inh-caps=-all");
	strv_add(argv, "--bounding-set=-all");
}

static char *kernel_cmdline(const struct machine_boot *boot, const struct qemu_accel *accel)
{
	const char *const parts[] = {BASE_CMDLINE, accel->cmdline, boot->machine->cmdline,
				     boot->cmdline};
	struct str s = STR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!parts[i] || !*parts[i])
			continue;
		if (s.len)
			str_addc(&s, ' ');
		str_add(&s, parts[i]);
	}
	return str_detach(&s);
}

static char *smp(const struct config_machine *m, const struct qemu_accel *accel)
{
	struct machine_shape shape = machine_shape(m);

	if (accel->one_cpu)
		shape = (struct machine_shape){1, 1, 1};
	return xasprintf("%d,sockets=%d,cores=%d,threads=%d",
			 shape.sockets * shape.cores * shape.threads, shape.sockets, shape.cores,
			 shape.threads);
}

char **qemu_argv(const struct machine_boot *boot, const struct qemu_accel *accel,
		 const struct qemu_user *user)
{
	const struct config_machine *m = boot->machine;
	char **argv = NULL;

	add_user(&argv, user);
	strv_add(&argv, QEMU_PROGRAM);
	add_all(&argv, base_args);
	add_all(&argv, accel->args);
	add_pair(&argv, "-cpu", xstrdup(m->cpu_model));
	add_pair(&argv, "-smp", smp(m, accel));
	add_pair(&argv, "-m", xasprintf("%" PRId64 "M", m->memory >> 20));
	add_pair(&argv, "-seed", xasprintf("%" PRIu64, boot->seed));
	add_pair(&argv, "-kernel", xstrdup(QEMU_KERNEL));
	add_pair(&argv, "-initrd", xstrdup(QEMU_INITRD));
	add_pair(&argv, "-append", kernel_cmdline(boot, accel));
	add_pair(&argv, "-fsdev",
		 xstrdup("local,id=share,path=" QEMU_SHARE
			 ",security_model=mapped-file,fmode=0644,dmode=0755"));
	add_pair(&argv, "-device",
		 xasprintf("%s,fsdev=share,mount_tag=" QEMU_TAG, accel->share_device));
	add_all(&argv, accel->devices);
	return argv;
}
