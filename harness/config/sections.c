/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/check.h"
#include "harness/config/job.h"
#include "harness/config/keys.h"

#define FIELD(type, field) offsetof(struct type, field)

static const struct key top_keys[] = {
	{"trees", KEY_SECTION, .section = "tree", .help = "git repositories to watch, by name"},
	{"kconfigs", KEY_SECTION, .section = "kconfig", .help = "kernel configurations, by name"},
	{"machines", KEY_SECTION, .section = "machine", .help = "test machines, by name"},
	{"sampling", KEY_SECTION, .section = "sampling", .help = "how much is measured"},
	{"mail", KEY_SECTION, .section = "mail", .help = "what becomes of reports"},
	{"build", KEY_SECTION, .section = "build", .help = "limits of a kernel build"},
	{"paths", KEY_SECTION, .section = "paths", .help = "where things are kept"},
	{0},
};

static const struct key tree_keys[] = {
	{"url", KEY_TEXT, FIELD(config_tree, url), .required = true,
	 .help = "git repository: a path or file://path"},
	{"upstream", KEY_TEXT, FIELD(config_tree, upstream), .def = "master",
	 .help = "revision that base commits descend from"},
	{"branches", KEY_TEXTS, FIELD(config_tree, branches), .required = true,
	 .help = "branches to watch; patterns like \"topic/*\" are fine"},
	{"kconfigs", KEY_TEXTS, FIELD(config_tree, kconfigs),
	 .help = "kernel configurations to build, the first is the default; default: all"},
	{"machines", KEY_TEXTS, FIELD(config_tree, machines),
	 .help = "machines to run on, the first is the default; default: all"},
	{"jobs", KEY_TEXTS, FIELD(config_tree, jobs),
	 .help = "jobs to run: names of files in paths.jobs; default: none"},
	{"report_to", KEY_TEXTS, FIELD(config_tree, report_to), .check = check_address,
	 .help = "addresses that get the reports about this tree"},
	{"mail_authors", KEY_BOOL, FIELD(config_tree, mail_authors), .def = "false",
	 .help = "may a report go to the author of a culprit?"},
	{"embargo", KEY_BOOL, FIELD(config_tree, embargo), .def = "false",
	 .help = "keep every report about this tree in the maildir"},
	{"sandbox", KEY_BOOL, FIELD(config_tree, sandbox), .def = "true",
	 .help = "build in a sandbox; off only for a tree that you trust like your own shell"},
	{0},
};

static const struct key kconfig_keys[] = {
	{"base", KEY_TEXT, FIELD(config_kconfig, base), .def = "allnoconfig",
	 .help = "a make target (allnoconfig, tinyconfig, defconfig), or the path of a .config file"},
	{"fragments", KEY_PATHS, FIELD(config_kconfig, fragments),
	 .help = "files of CONFIG_ lines put on top of the base, in this order"},
	{"arch", KEY_TEXT, FIELD(config_kconfig, arch), .def = "x86_64", .check = check_name,
	 .help = "architecture, as in make ARCH="},
	{"image", KEY_TEXT, FIELD(config_kconfig, image), .def = "arch/x86/boot/bzImage",
	 .check = check_below, .help = "the file that boots, below the output folder"},
	{"ignore", KEY_TEXTS, FIELD(config_kconfig, ignore),
	 .help = "texts: a kernel's fault whose title line holds one of them is passed over"},
	{"fatal_warnings", KEY_BOOL, FIELD(config_kconfig, fatal_warnings), .def = "false",
	 .help = "does a WARNING of the kernel's fail the boot? off: it is recorded"},
	{0},
};

static const char *const accels[] = {"auto", "icount", "kvm", "tcg", NULL};

static const struct key machine_keys[] = {
	{"driver", KEY_TEXT, FIELD(config_machine, driver), .def = "qemu",
	 .help = "how it is reached; `lkpctl machines --drivers` lists the drivers"},
	{"class", KEY_TEXT, FIELD(config_machine, class), .def = "unknown", .check = check_name,
	 .help = "kind of machine, such as nhm or snb: chooses cpu_model, groups results"},
	{"accel", KEY_TEXT, FIELD(config_machine, accel), .def = "auto", .choices = accels,
	 .help = "qemu: icount (repeats itself exactly), kvm, tcg, or auto (kvm where it opens)"},
	{"cpu_model", KEY_TEXT, FIELD(config_machine, cpu_model),
	 .help = "qemu -cpu; default: by class, Nehalem for nhm"},
	{"cpus", KEY_INT, FIELD(config_machine, cpus), .min = 1, .max = 4096,
	 .help = "number of CPUs; default: 1, driver local: all there are; accel icount: 1"},
	{"sockets", KEY_INT, FIELD(config_machine, sockets), .def = "1", .min = 1, .max = 64,
	 .help = "qemu: packages that the CPUs are divided among"},
	{"threads", KEY_INT, FIELD(config_machine, threads), .def = "1", .min = 1, .max = 8,
	 .help = "qemu: hardware threads of a core"},
	{"memory", KEY_SIZE, FIELD(config_machine, memory), .min = 64 << 20,
	 .help = "memory, such as 512M or 4G; default: by class, 512M for nhm"},
	{"cmdline", KEY_TEXT, FIELD(config_machine, cmdline), .def = "",
	 .help = "appended to the kernel command line"},
	{"boot_timeout", KEY_DURATION, FIELD(config_machine, boot_timeout), .def = "120s", .min = 1,
	 .help = "longest time from power-on to the agent"},
	{"silence_timeout", KEY_DURATION, FIELD(config_machine, silence_timeout), .def = "60s",
	 .min = 1, .help = "longest time without a line on the console"},
	{"answers", KEY_TEXTS, FIELD(config_machine, answers),
	 .help = "driver fake: how each boot ends, in turn"},
	{0},
};

static const struct key sampling_keys[] = {
	{"blocks", KEY_INT, FIELD(config_sampling, blocks), .def = "5", .min = 1, .max = 30,
	 .help = "blocks (one base and one head boot each) that decide"},
	{"confirm_blocks", KEY_INT, FIELD(config_sampling, confirm_blocks), .def = "5", .min = 1,
	 .max = 30, .help = "fresh blocks that must agree before a mail"},
	{"theta", KEY_RATIO, FIELD(config_sampling, theta), .def = "2%", .min = 0.0001, .max = 0.5,
	 .help = "the effect that matters"},
	{"theta_deterministic", KEY_RATIO, FIELD(config_sampling, theta_deterministic),
	 .def = "0.5%", .min = 0.0001, .max = 0.5,
	 .help = "the same on a deterministic machine, for tests with one task at a time"},
	{"min_effect", KEY_RATIO, FIELD(config_sampling, min_effect), .def = "0", .max = 0.5,
	 .help = "smallest effect that is reported; 0: half of theta"},
	{"alpha", KEY_RATIO, FIELD(config_sampling, alpha), .def = "0.001", .min = 1e-9,
	 .max = 0.05, .help = "how often a change may be claimed where there is none"},
	{"clean_alpha", KEY_RATIO, FIELD(config_sampling, clean_alpha), .def = "0.10", .min = 1e-6,
	 .max = 0.5, .help = "how often a change of theta may be called clean"},
	{"confirm", KEY_BOOL, FIELD(config_sampling, confirm), .def = "true",
	 .help = "measure the fresh blocks; off: nothing is mailed"},
	{0},
};

static const char *const mail_modes[] = {"maildir", NULL};

static const struct key mail_keys[] = {
	{"mode", KEY_TEXT, FIELD(config_mail, mode), .def = "maildir", .choices = mail_modes,
	 .help = "maildir: reports are files on this machine, nothing is sent"},
	{"maildir", KEY_PATH, FIELD(config_mail, maildir), .def = "{state}/maildir",
	 .help = "folder of the mails"},
	{"from", KEY_TEXT, FIELD(config_mail, from), .def = "lkpd <lkpd@localhost>",
	 .check = check_sender, .help = "sender of the reports"},
	{"list_id", KEY_TEXT, FIELD(config_mail, list_id), .def = "lkpd.localhost",
	 .check = check_name, .help = "List-Id of the reports, for filters"},
	{"allow", KEY_TEXTS, FIELD(config_mail, allow), .check = check_recipient,
	 .help = "recipients that may get mail: addresses or domains; default: nobody"},
	{0},
};

static const struct key build_keys[] = {
	{"jobs", KEY_INT, FIELD(config_build, jobs), .def = "0", .max = 1024,
	 .help = "make -j; 0: number of CPUs"},
	{"timeout", KEY_DURATION, FIELD(config_build, timeout), .def = "1h", .min = 1,
	 .help = "longest time of one build"},
	{"memory", KEY_SIZE, FIELD(config_build, memory), .def = "8G",
	 .help = "memory of a build, where control groups allow, and in any case address space of "
		 "each of its processes; 0: no limit"},
	{"processes", KEY_INT, FIELD(config_build, processes), .def = "4096", .max = 1 << 22,
	 .help = "processes of a build at a time; 0: no limit"},
	{"disk", KEY_SIZE, FIELD(config_build, disk), .def = "4G",
	 .help = "largest file that a build may write; 0: no limit"},
	{"output", KEY_SIZE, FIELD(config_build, output), .def = "16G",
	 .help = "largest output folder that a build may leave; 0: no limit"},
	{"keep_free", KEY_SIZE, FIELD(config_build, keep_free), .def = "1G",
	 .help = "a build that leaves less room than this on the disk of the cache is ended; 0: "
		 "it may fill it"},
	{0},
};

static const struct key paths_keys[] = {
	{"state", KEY_PATH, FIELD(config_paths, state),
	 .help = "results, database, mail; default: /var/lib/lkp as root, else ~/.local/state/lkp; "
		 "LKP_STATE overrides both"},
	{"cache", KEY_PATH, FIELD(config_paths, cache),
	 .help = "sources, objects, kernels; may be deleted; default: /var/cache/lkp as root, else "
		 "~/.cache/lkp; LKP_CACHE overrides both"},
	{"db", KEY_PATH, FIELD(config_paths, db), .def = "{state}/lkp.db", .help = "the database"},
	{"jobs", KEY_PATH, FIELD(config_paths, jobs), .def = "jobs",
	 .help = "folder of the job files"},
	{0},
};

static const struct key job_keys[] = {
	{"summary", KEY_TEXT, FIELD(job, summary), .def = "", .help = "one line on what it is for"},
	{"suite", KEY_TEXT, FIELD(job, suite), .required = true,
	 .help = "the benchmark: will-it-scale, hackbench, pipe-test, ..."},
	{"parameters", KEY_SECTION,
	 .help = "the suite's parameters by name: a value, or a list of which each is a case"},
	{"iterations", KEY_INT, FIELD(job, iterations), .def = "5", .min = 1, .max = 1000,
	 .help = "how often a case runs in one boot"},
	{"timeout", KEY_DURATION, FIELD(job, timeout), .def = "60s", .min = 1,
	 .help = "longest time of one iteration"},
	{"monitors", KEY_TEXTS, FIELD(job, monitors), .def = "perf-stat", .check = check_name,
	 .help = "what is recorded beside the benchmark; [] for nothing"},
	{"needs", KEY_SECTION, .section = "needs", .help = "without which the job is refused"},
	{"setup", KEY_SECTION, .section = "setup", .help = "how the machine is set up"},
	{"theta", KEY_RATIO, FIELD(job, theta), .max = 0.5,
	 .help = "the effect that matters here; default: sampling.theta"},
	{"min_effect", KEY_RATIO, FIELD(job, min_effect), .max = 0.5,
	 .help = "smallest effect that is reported; default: half of theta"},
	{0},
};

static const struct key needs_keys[] = {
	{"kconfig", KEY_TEXTS, FIELD(job, needs.kconfig), .check = check_symbol,
	 .help = "kernel symbols, such as CONFIG_SHMEM=y"},
	{"cpus", KEY_INT, FIELD(job, needs.cpus), .def = "1", .min = 1, .max = 4096,
	 .help = "smallest number of CPUs"},
	{"memory", KEY_SIZE, FIELD(job, needs.memory), .def = "0", .help = "smallest memory"},
	{0},
};

static const char *const thp_modes[] = {"always", "madvise", "never", NULL};

static const struct key setup_keys[] = {
	{"governor", KEY_TEXT, FIELD(job, setup.governor), .check = check_name,
	 .help = "cpufreq governor, such as performance"},
	{"turbo", KEY_SWITCH, FIELD(job, setup.turbo), .help = "frequencies above the nominal one"},
	{"cstates", KEY_TEXT, FIELD(job, setup.cstates), .check = check_name,
	 .help = "deepest idle state allowed, such as C1"},
	{"smt", KEY_SWITCH, FIELD(job, setup.smt),
	 .help = "hardware threads beside the first of a core"},
	{"thp", KEY_TEXT, FIELD(job, setup.thp), .choices = thp_modes,
	 .help = "transparent huge pages"},
	{"numa_balancing", KEY_SWITCH, FIELD(job, setup.numa_balancing),
	 .help = "automatic NUMA balancing"},
	{"aslr", KEY_SWITCH, FIELD(job, setup.aslr), .help = "address space randomisation"},
	{"taskset", KEY_TEXT, FIELD(job, setup.taskset), .check = check_cpulist,
	 .help = "CPUs that the benchmark is pinned to, such as \"0-3\""},
	{"sysctl", KEY_TEXTS, FIELD(job, setup.sysctl), .check = check_sysctl,
	 .help = "settings such as vm.swappiness=10"},
	{"cmdline", KEY_TEXT, FIELD(job, setup.cmdline),
	 .help = "kernel command line; jobs that differ in it do not share a boot"},
	{0},
};

const struct key_section key_sections[] = {
	{"configuration", "lkp.yaml as a whole", top_keys},
	{"tree", "a git repository that is watched", tree_keys},
	{"kconfig", "a named kernel configuration", kconfig_keys},
	{"machine", "a test machine", machine_keys},
	{"sampling", "how much is measured, and how sure a verdict is", sampling_keys},
	{"mail", "what becomes of reports", mail_keys},
	{"build", "limits of a kernel build", build_keys},
	{"paths", "where things are kept", paths_keys},
	{"job", "a job file", job_keys},
	{"needs", "what a job cannot do without", needs_keys},
	{"setup", "how the machine is set up for a job; what is not named is left as it is",
	 setup_keys},
	{0},
};
