/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines and their drivers. A driver turns (kernel image, job) into a result folder, or into a
 * failure with a cause; it never judges. One const row per driver, all of them in
 * machine_drivers[].
 */
#ifndef LKP_MACHINE_H
#define LKP_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/config/config.h"
#include "harness/util/err.h"
#include "harness/util/mem.h"
#include "harness/util/progress.h"
#include "harness/util/str.h"

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

/* What to boot. All paths absolute. Borrowed by the driver for the call. */
struct machine_boot {
	const struct config_machine *machine;
	const char *image;   /* kernel image; NULL for drivers that do not boot */
	const char *cmdline; /* appended to the driver's own; NULL: nothing */
	const char *toolbox; /* folder of the toolbox (harness/machine/toolbox.h) */
	const char *job;     /* text of job.json */
	const char *folder;  /* existing folder: the driver writes console.log, share/ here */
	const char *boot;    /* the boot's uuid */
	uint64_t seed;	     /* for the machine's own randomness */
	double deadline_s;   /* from the start of the boot */
	double silence_s;    /* longest time without console output */
	struct progress *progress;
};

struct machine_end {
	enum machine_status status;
	char detail[400];    /* one line for people: "Kernel panic - not syncing: ..." */
	char accel[16];	     /* accelerator in use: "icount", "tcg", "kvm", or "" */
	char version[80];    /* of the emulator, or "" */
	char **argv;	     /* the command, NULL-terminated; NULL when there was none */
	double seconds;	     /* wall clock, start to end */
	double init_seconds; /* wall clock until the agent spoke; 0: never */
	char result[16];     /* where the agent's answer lies below folder: "share" or "result" */
};

void machine_end_done(struct machine_end *end);

struct machine_driver {
	const char *name;
	const char *summary;
	bool boots; /* needs a kernel image */
	/* Is this machine usable now? kind USER or INFRA with the remedy when not. */
	int (*check)(const struct config_machine *machine, struct err *err);
	/* The accelerator that boot() would use, or "". */
	const char *(*accel)(const struct config_machine *machine);
	/* True when the machine repeats itself exactly (icount): benchmarks run fixed work. */
	bool (*deterministic)(const struct config_machine *machine);
	/* Runs one boot to its end. -1 only when nothing could be started or on a broken lab
	 * (INFRA); everything the kernel or the benchmark did is in *ret. Obeys proc_cancelled().
	 */
	int (*boot)(const struct machine_boot *boot, struct machine_end *ret, struct err *err);
};

extern const struct machine_driver *const machine_drivers[]; /* NULL-terminated */

const struct machine_driver *machine_driver_find(const char *name); /* or NULL */
const char *machine_status_name(enum machine_status status);
/* Number of CPUs the benchmarks see on this machine. */
int machine_cpus(const struct config_machine *machine);

#endif
