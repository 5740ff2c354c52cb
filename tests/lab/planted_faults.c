/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Put into a test kernel's mm/shmem.c and called by its shmem_write_begin()
 * (tests/lab/common.bash). The kernel command line says what is to go wrong ("fault=oops"), at the
 * 1000th write of the benchmark pwrite2, or at the end of the boot when its name ends in "-early".
 */
#include <linux/reboot.h>

static char planted[24];

static int __init planted_setup(char *name)
{
	strscpy(planted, name, sizeof(planted));
	return 1;
}
__setup("fault=", planted_setup);

static int __init planted_early(void)
{
	if (!strcmp(planted, "panic-early"))
		panic("planted: before user space");
	if (!strcmp(planted, "restart-early"))
		emergency_restart();
	return 0;
}
late_initcall(planted_early);

static noinline void planted_oops(void)
{
	static int *nowhere;

	WRITE_ONCE(*nowhere, 1);
}

/* Takes all memory and gives none back, also when it is killed for it. */
static noinline void planted_oom(void)
{
	while (alloc_page(GFP_KERNEL))
		;
}

static noinline void planted_irqs_off(void)
{
	local_irq_disable();
	for (;;)
		cpu_relax();
}

static noinline void planted_fault(void)
{
	static int writes;

	if (!*planted || strncmp(current->comm, "pwrite2", 7) || ++writes != 1000)
		return;
	if (!strcmp(planted, "oops"))
		planted_oops();
	if (!strcmp(planted, "panic"))
		panic("planted: under load");
	if (!strcmp(planted, "irqs-off"))
		planted_irqs_off();
	if (!strcmp(planted, "restart"))
		emergency_restart();
	if (!strcmp(planted, "oom"))
		planted_oom();
	if (!strcmp(planted, "stopped"))
		send_sig(SIGSTOP, current, 1);
	if (!strcmp(planted, "warning"))
		WARN(1, "planted: a warning under load");
	for (; !strcmp(planted, "stuck");)
		schedule_timeout_uninterruptible(MAX_SCHEDULE_TIMEOUT);
}
