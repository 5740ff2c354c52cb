/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lkp.yaml, read and checked. Every record keeps the place it was written at, so that later checks
 * can name it. Vectors of strings are NULL-terminated. All of it belongs to struct config.
 */
#ifndef LKP_CONFIG_H
#define LKP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config_mark {
	const char *file;
	int line, column; /* from 1 */
};

struct config_tree {
	char *name;
	struct config_mark mark;
	char *url;	       /* a path or file:// */
	char *upstream;	       /* revision that base commits descend from */
	char **branches;       /* ref patterns */
	char **kconfigs;       /* names; the first is the default */
	char **machines;       /* likewise */
	char **jobs;	       /* job names */
	char **report_to;      /* addresses for reports about this tree */
	bool mail_authors;     /* may a report go to the author of a single culprit? */
	bool embargo, sandbox; /* sandbox: false only by "sandbox: off" */
};

struct config_kconfig {
	char *name;
	struct config_mark mark;
	char *base;	    /* a make target (allnoconfig, defconfig, tinyconfig) or a file */
	char **fragments;   /* absolute paths of files of CONFIG_ lines */
	char *arch, *image; /* "x86_64"; what boots, below the output folder */
	char **ignore;	    /* faults whose title holds one of these texts are none */
	bool fatal_warnings;
};

struct config_machine {
	char *name;
	struct config_mark mark;
	char *driver;
	char *class;
	char *accel;			      /* qemu: "icount", "kvm", "tcg" or "auto" */
	char *cpu_model;		      /* qemu -cpu; default by class */
	int64_t cpus;			      /* 0, with driver local only: all there are */
	int64_t sockets, threads;	      /* threads of a core; cpus is a multiple of both */
	int64_t memory;			      /* bytes; default by class */
	char *cmdline;			      /* appended to the kernel command line; "" */
	double boot_timeout, silence_timeout; /* seconds */
	char **answers;			      /* driver fake: how each boot ends, in turn */
};

struct config_sampling {
	int64_t blocks;		    /* that decide */
	int64_t confirm_blocks;	    /* fresh ones before a mail */
	double theta;		    /* effect that matters, 0.02 */
	double min_effect;	    /* 0: theta / 2 */
	double theta_deterministic; /* one task at a time on icount: 0.005 */
	double alpha, clean_alpha;  /* 0.001, 0.10 */
	bool confirm;
};

struct config_mail {
	char *mode;	      /* "maildir"; "smtp" comes later */
	char *maildir;	      /* absolute */
	char *from, *list_id; /* "lkpd <lkpd@example.org>", "lkpd.example.org" */
	char **allow;	      /* recipients: addresses or "@domain" */
};

struct config_build {		   /* sizes in bytes; 0: no limit */
	int64_t jobs;		   /* make -j; 0: number of CPUs */
	double timeout;		   /* seconds */
	int64_t memory, processes; /* of a build; memory is also the address space of each */
	int64_t disk, output;	   /* largest file, and output folder */
	int64_t keep_free;	   /* room left on the cache's disk */
};

struct config_paths { /* absolute */
	char *state;  /* results, database, maildir */
	char *cache;  /* sources, objects, kernels, toolboxes; may be deleted at any time */
	char *db, *jobs;
};

struct config {
	char *file;
	struct config_tree *trees;
	struct config_kconfig *kconfigs;
	struct config_machine *machines;
	size_t n_trees, n_kconfigs, n_machines;
	struct config_sampling sampling;
	struct config_mail mail;
	struct config_build build;
	struct config_paths paths;
};

#endif
