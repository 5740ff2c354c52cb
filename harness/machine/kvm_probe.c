/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/kvm_probe.h"

#include <errno.h>
#include <linux/kvm.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/util/mem.h"

/* The guest's memory: code, then the page tables that map its first 2 MiB onto themselves. */
enum { CODE = 0x1000, PML4 = 0x2000, PDPT = 0x3000, PD = 0x4000, MEMORY = 0x10000 };
enum { PRESENT = 3, HUGE = 0x80 };
enum { CR0_PE_ET_PG = 0x80000011, CR4_PAE = 0x20, EFER_LME_LMA = 0x500 };
enum { PORT = 0xf4, WORD = 0x2a };
enum { DONE, NO_GUEST, WRONG_END };

/* mov ecx, 10 million; loop: dec ecx; jnz loop; mov al, WORD; out PORT, al */
static const uint8_t code[] = {0xb9, 0x80, 0x96, 0x98, 0x00, 0xff, 0xc9,
			       0x75, 0xfc, 0xb0, WORD, 0xe6, PORT};

static void fill(uint8_t *memory)
{
	const uint64_t pml4 = PDPT | PRESENT, pdpt = PD | PRESENT, pd = PRESENT | HUGE;

	memcpy(memory + CODE, code, sizeof(code));
	memcpy(memory + PML4, &pml4, sizeof(pml4));
	memcpy(memory + PDPT, &pdpt, sizeof(pdpt));
	memcpy(memory + PD, &pd, sizeof(pd));
}

static int set_registers(int cpu)
{
	const struct kvm_segment data = {.limit = UINT32_MAX,
					 .selector = 16,
					 .present = 1,
					 .type = 3,
					 .s = 1,
					 .db = 1,
					 .g = 1};
	const struct kvm_regs regs = {.rip = CODE, .rflags = 2};
	struct kvm_sregs s;

	if (ioctl(cpu, KVM_GET_SREGS, &s) < 0)
		return -1;
	s.cr0 = CR0_PE_ET_PG;
	s.cr3 = PML4;
	s.cr4 = CR4_PAE;
	s.efer = EFER_LME_LMA;
	s.ds = s.es = s.fs = s.gs = s.ss = data;
	s.cs = data;
	s.cs.selector = 8;
	s.cs.type = 11;
	s.cs.db = 0;
	s.cs.l = 1;
	return ioctl(cpu, KVM_SET_SREGS, &s) < 0 ? -1 : ioctl(cpu, KVM_SET_REGS, &regs);
}

/* In the child: one of DONE, NO_GUEST, WRONG_END. */
static int guest(int kvm, int vm)
{
	int cpu, size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), flags = MAP_SHARED | MAP_ANONYMOUS;
	uint8_t *memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, flags, -1, 0);
	struct kvm_userspace_memory_region region = {.memory_size = MEMORY};
	struct kvm_run *run;

	if (memory == MAP_FAILED || size < (int)sizeof(*run))
		return NO_GUEST;
	region.userspace_addr = (uintptr_t)memory;
	fill(memory);
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region) < 0)
		return NO_GUEST;
	cpu = ioctl(vm, KVM_CREATE_VCPU, 0);
	run = cpu < 0 ? MAP_FAILED
		      : mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	if (run == MAP_FAILED || set_registers(cpu) < 0)
		return NO_GUEST;
	if (ioctl(cpu, KVM_RUN, 0) < 0 || run->exit_reason != KVM_EXIT_IO || run->io.port != PORT ||
	    ((uint8_t *)run)[run->io.data_offset] != WORD)
		return WRONG_END;
	return DONE;
}

/* True when the child ended in time. */
static bool wait_for(pid_t child, int *ret_status)
{
	_cleanup_close_ int fd = (int)syscall(SYS_pidfd_open, child, 0);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int n;

	do
		n = poll(&p, 1, KVM_PROBE_MS);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		kill(child, SIGKILL);
	while (waitpid(child, ret_status, 0) < 0 && errno == EINTR)
		;
	return n > 0;
}

int kvm_probe(int kvm, struct err *err)
{
	int status = 0;
	pid_t child = fork();

	if (child < 0)
		return err_errno(err, "cannot fork to try KVM");
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(guest(kvm, ioctl(kvm, KVM_CREATE_VM, 0)));
	}
	if (!wait_for(child, &status))
		return err_set(err, ERR_INFRA,
			       "it opens, but a guest of a few instructions is not done after %g s "
			       "(no nested virtualisation in hardware?)",
			       KVM_PROBE_MS / 1000.0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == DONE)
		return 0;
	return err_set(err, ERR_INFRA, "it opens, but a guest of a few instructions %s",
		       WIFEXITED(status) && WEXITSTATUS(status) == NO_GUEST ? "cannot be made"
									    : "ends wrongly");
}
