/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/setup.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

#include "harness/agent/cpulist.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define CPU_SYSFS "/sys/devices/system/cpu/"
#define FILE_CAP  4096

void setup_add_missing(struct setup *setup, const char *name)
{
	strv_add(&setup->missing, name);
}

static int write_file(const char *path, const char *text)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t n = strlen(text);

	return fd >= 0 && write(fd, text, n) == (ssize_t)n ? 0 : -1;
}

/* "always [madvise] never" stands for its bracketed word. */
static void chosen_word(struct str *s)
{
	char *open = strchr(s->buf, '['), *close = open ? strchr(open, ']') : NULL;
	_cleanup_free_ char *word = NULL;

	if (!close)
		return;
	word = xstrndup(open + 1, close - open - 1);
	str_reset(s);
	str_add(s, word);
}

static int set_file(struct setup *setup, const char *path, const char *value)
{
	_cleanup_str_ struct str old = STR_INIT;
	struct setup_change *change;

	if (fs_read(path, FILE_CAP, &old, NULL) < 0)
		return -1;
	str_trim(&old);
	chosen_word(&old);
	if (streq(old.buf, value))
		return 0;
	if (write_file(path, value) < 0)
		return -1;
	mem_grow(&setup->changes, &setup->cap, setup->n_changes + 1, sizeof(*setup->changes));
	change = &setup->changes[setup->n_changes++];
	*change = (struct setup_change){xstrdup(path), str_detach(&old)};
	return 0;
}

/* Every file of the pattern must take it, and there must be one. */
static int set_files(struct setup *setup, const char *pattern, const char *value)
{
	glob_t found = {0};
	int rc = glob(pattern, 0, NULL, &found) == 0 ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < found.gl_pathc; i++)
		rc = set_file(setup, found.gl_pathv[i], value);
	globfree(&found);
	return rc;
}

static int set_governor(struct setup *setup, const char *value)
{
	return set_files(setup, CPU_SYSFS "cpu[0-9]*/cpufreq/scaling_governor", value);
}

static int set_turbo(struct setup *setup, const char *on)
{
	if (set_file(setup, CPU_SYSFS "intel_pstate/no_turbo", *on == '1' ? "0" : "1") == 0)
		return 0;
	return set_file(setup, CPU_SYSFS "cpufreq/boost", on);
}

static int set_smt(struct setup *setup, const char *on)
{
	return set_file(setup, CPU_SYSFS "smt/control", *on == '1' ? "on" : "off");
}

static int set_thp(struct setup *setup, const char *value)
{
	return set_file(setup, "/sys/kernel/mm/transparent_hugepage/enabled", value);
}

static int set_numa_balancing(struct setup *setup, const char *on)
{
	return set_file(setup, "/proc/sys/kernel/numa_balancing", on);
}

static int set_aslr(struct setup *setup, const char *on)
{
	return set_file(setup, "/proc/sys/kernel/randomize_va_space", *on == '1' ? "2" : "0");
}

static int state_number(const char *deepest)
{
	_cleanup_str_ struct str name = STR_INIT;
	char path[80];

	for (int i = 0; i < 32; i++) {
		snprintf(path, sizeof(path), CPU_SYSFS "cpu0/cpuidle/state%d/name", i);
		str_reset(&name);
		if (fs_read(path, FILE_CAP, &name, NULL) < 0)
			return -1;
		str_rtrim(&name);
		if (streq(name.buf, deepest))
			return i;
	}
	return -1;
}

/* The kernel lists the states from shallow to deep. */
static int set_cstates(struct setup *setup, const char *deepest)
{
	int last = state_number(deepest);
	char pattern[80];

	if (last < 0)
		return -1;
	for (int i = 0; i < 32; i++) {
		snprintf(pattern, sizeof(pattern), CPU_SYSFS "cpu0/cpuidle/state%d", i);
		if (!fs_exists(pattern))
			return 0;
		snprintf(pattern, sizeof(pattern), CPU_SYSFS "cpu[0-9]*/cpuidle/state%d/disable",
			 i);
		if (set_files(setup, pattern, i > last ? "1" : "0") < 0)
			return -1;
	}
	return 0;
}

static int set_taskset(struct setup *setup, const char *list)
{
	cpu_set_t cpus, old;

	if (cpulist_parse(list, &cpus) < 0 || sched_getaffinity(0, sizeof(old), &old) < 0 ||
	    sched_setaffinity(0, sizeof(cpus), &cpus) < 0)
		return -1;
	setup->affinity = old;
	setup->affinity_set = true;
	return 0;
}

/* In this order: CPUs come and go before they are tuned, and we are bound last. */
static const struct setup_key {
	const char *name;
	bool is_bool;					    /* else a string */
	int (*set)(struct setup *setup, const char *value); /* bool: "0" or "1" */
} keys[] = {
	{"smt", true, set_smt},
	{"governor", false, set_governor},
	{"turbo", true, set_turbo},
	{"cstates", false, set_cstates},
	{"thp", false, set_thp},
	{"aslr", true, set_aslr},
	{"numa_balancing", true, set_numa_balancing},
	{"taskset", false, set_taskset},
};

static int apply_key(struct setup *setup, const struct setup_key *key, const json_t *json,
		     struct err *err)
{
	const char *value = NULL;
	bool on = false;

	if (!json_object_get(json, key->name))
		return 0;
	if (key->is_bool && json_get_bool(json, "setup", key->name, true, &on, err) < 0)
		return -1;
	if (!key->is_bool && json_get_str(json, "setup", key->name, true, &value, err) < 0)
		return -1;
	if (key->is_bool)
		value = on ? "1" : "0";
	if (key->set(setup, value) < 0)
		setup_add_missing(setup, key->name);
	return 0;
}

/* "vm.swappiness" -> /proc/sys/vm/swappiness; anything that could leave that folder is refused. */
static int sysctl_path(const char *name, struct str *ret)
{
	static const char good[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";

	if (!*name || name[strspn(name, good)] || name[0] == '.' || strstr(name, ".."))
		return -1;
	str_add(ret, "/proc/sys/");
	for (; *name; name++)
		str_addc(ret, *name == '.' ? '/' : *name);
	return 0;
}

static int apply_sysctl(struct setup *setup, const json_t *json, struct err *err)
{
	json_t *table = NULL, *value;
	const char *name;

	if (json_get_object(json, "setup", "sysctl", false, &table, err) < 0)
		return -1;
	json_object_foreach(table, name, value)
	{
		_cleanup_str_ struct str path = STR_INIT;
		_cleanup_free_ char *missing = xasprintf("sysctl.%s", name);

		if (!json_is_string(value) || sysctl_path(name, &path) < 0)
			return err_set(err, ERR_USER,
				       "setup.sysctl: expected \"name\": \"value\" pairs");
		if (set_file(setup, path.buf, json_string_value(value)) < 0)
			setup_add_missing(setup, missing);
	}
	return 0;
}

int setup_apply(struct setup *setup, const json_t *json, struct err *err)
{
	const char *known[ARRAY_SIZE(keys) + 2];

	if (!json)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		known[i] = keys[i].name;
	known[ARRAY_SIZE(keys)] = "sysctl";
	known[ARRAY_SIZE(keys) + 1] = NULL;
	if (json_check_keys(json, "setup", known, err) < 0 || apply_sysctl(setup, json, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (apply_key(setup, &keys[i], json, err) < 0)
			return -1;
	return 0;
}

void setup_restore(struct setup *setup)
{
	if (setup->affinity_set)
		sched_setaffinity(0, sizeof(setup->affinity), &setup->affinity);
	while (setup->n_changes) {
		struct setup_change *change = &setup->changes[--setup->n_changes];

		write_file(change->path, change->old);
		free(change->path);
		free(change->old);
	}
	free(setup->changes);
	strv_free(setup->missing);
	*setup = (struct setup)SETUP_INIT;
}
