/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a boot ended, and what the kernel reported meanwhile.
 */
#ifndef LKP_MACHINE_END_H
#define LKP_MACHINE_END_H

#include <stddef.h>

/* How a boot ended. Names (machine_status_name): "ok", "no-init", "panic", "oops", "hang",
 * "silence", "deadline", "bench-failed", "infra-failed", "cancelled". */
enum machine_status {
	MACHINE_OK,	 /* the agent said done; whether the result is whole is for the intake */
	MACHINE_NO_INIT, /* the kernel ran but never reached the agent */
	MACHINE_PANIC,
	MACHINE_OOPS,
	MACHINE_HANG,	      /* lockup, stall or hung task reported by the kernel */
	MACHINE_SILENCE,      /* no console output at all, or none for silence_s */
	MACHINE_DEADLINE,     /* still alive at the deadline */
	MACHINE_BENCH_FAILED, /* the agent said fail */
	MACHINE_INFRA_FAILED, /* QEMU or the host failed */
	MACHINE_CANCELLED,
};

const char *machine_status_name(enum machine_status status);

struct console_finding;

struct machine_end {
	enum machine_status status;
	char detail[400];	/* one line for people: "Kernel panic - not syncing: ..." */
	char accel[16];		/* accelerator in use: "icount", "tcg", "kvm", or "" */
	char accel_reason[400]; /* why not a better one: "no KVM: ..."; "" when it was asked for */
	char version[80];	/* of the emulator, or "" */
	char **argv;		/* the command, NULL-terminated; NULL when there was none */
	double seconds;		/* wall clock, start to end */
	double init_seconds;	/* wall clock until the agent spoke; 0: never */
	double done_seconds;	/* until the agent was done or gave up; 0: never */
	char result[16]; /* where the agent's answer lies below folder: "share" or "result" */
	char kind[24];	 /* finer than status: "soft-lockup"; or the status' name */
	char frame[64];	 /* function that the fault is in, or "" */
	struct console_finding *findings; /* harness/machine/findings.h; by their place */
	size_t n_findings;
};

void machine_end_done(struct machine_end *end);

#endif
