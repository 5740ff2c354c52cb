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
#include "harness/machine/end.h"
#include "harness/util/err.h"
#include "harness/util/mem.h"
#include "harness/util/progress.h"
#include "harness/util/str.h"

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
	char *const *ignore; /* texts: a fault whose title has one does not count; NULL: none */
	bool fatal_warnings; /* a WARNING of the kernel's ends the boot */
	struct progress *progress;
};

struct machine_driver {
	const char *name;
	const char *summary;
	bool boots; /* needs a kernel image */
	/* Is this machine usable now? kind USER or INFRA with the remedy when not. */
	int (*check)(const struct config_machine *machine, struct err *err);
	/* The accelerator that boot() would use, or "". */
	const char *(*accel)(const struct config_machine *machine);
	/* Why it is not the one that is better, in words, or "". NULL: there is no choice. */
	const char *(*accel_reason)(const struct config_machine *machine);
	/* True when the machine repeats itself exactly (icount): benchmarks run fixed work. */
	bool (*deterministic)(const struct config_machine *machine);
	/* Lines of .config without which a kernel cannot run a job there; NULL-terminated. The
	 * pointer itself may be NULL: any kernel can. */
	const char *const *(*needs)(const struct config_machine *machine);
	/* Runs one boot to its end. -1 only when nothing could be started or on a broken lab
	 * (INFRA); everything the kernel or the benchmark did is in *ret. Obeys proc_cancelled().
	 */
	int (*boot)(const struct machine_boot *boot, struct machine_end *ret, struct err *err);
};

extern const struct machine_driver *const machine_drivers[]; /* NULL-terminated */

const struct machine_driver *machine_driver_find(const char *name); /* or NULL */
/* Number of CPUs the benchmarks see on this machine. */
int machine_cpus(const struct config_machine *machine);

#endif
