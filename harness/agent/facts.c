/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "harness/agent/clock.h"
#include "harness/agent/monitors.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/str.h"
#include "harness/util/units.h"

#define FILE_CAP	(1 << 20)
#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities"

static const struct fact_file {
	const char *name, *path;
} fact_files[] = {
	{"cmdline", "/proc/cmdline"},
	{"boot_id", "/proc/sys/kernel/random/boot_id"},
	{"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"},
	{"thp", "/sys/kernel/mm/transparent_hugepage/enabled"},
};

/* Text that is no UTF-8 is left out too: JSON cannot carry it. */
static void set_text(json_t *facts, const char *name, const char *text)
{
	if (text && *text)
		json_object_set_new(facts, name, json_string(text));
}

static void set_file(json_t *facts, const char *name, const char *path)
{
	_cleanup_str_ struct str text = STR_INIT;

	if (fs_read(path, FILE_CAP, &text, NULL) < 0)
		return;
	str_trim(&text);
	set_text(facts, name, text.buf);
}

static void set_uname(json_t *facts)
{
	_cleanup_free_ char *text = NULL;
	struct utsname u;

	if (uname(&u) < 0)
		return;
	text = xasprintf("%s %s %s %s", u.sysname, u.release, u.version, u.machine);
	set_text(facts, "uname", text);
}

static void set_clocksources(json_t *facts, const char *clocksource)
{
	_cleanup_str_ struct str all = STR_INIT;
	json_t *now, *names = json_array();
	char *rest;

	set_text(facts, "clocksource", clocksource);
	set_file(facts, "clocksource_end", CLOCK_SYSFS "current_clocksource");
	now = json_object_get(facts, "clocksource_end");
	if (streq(json_string_value(now), clocksource))
		json_object_del(facts, "clocksource_end");
	if (fs_read(CLOCK_SYSFS "available_clocksource", FILE_CAP, &all, NULL) < 0)
		str_reset(&all);
	rest = all.buf;
	for (char *word; (word = strsep(&rest, " \n"));)
		if (*word)
			json_array_append_new(names, json_string(word));
	json_object_set_new(facts, "clocksources", names);
}

/* The first "key : value" line of /proc/cpuinfo with that key. */
static void set_cpuinfo(json_t *facts, const char *name, const char *cpuinfo, const char *key)
{
	size_t n = strlen(key);

	for (const char *line = cpuinfo; line; line = strchr(line, '\n')) {
		_cleanup_free_ char *value = NULL;
		const char *p;

		line += *line == '\n';
		p = line + n;
		if (strncmp(line, key, n) != 0 || !strchr("\t :", *p))
			continue;
		p += strspn(p, "\t :");
		value = xstrndup(p, strcspn(p, "\n"));
		set_text(facts, name, value);
		return;
	}
}

static void set_cpu(json_t *facts)
{
	_cleanup_str_ struct str cpuinfo = STR_INIT;

	json_object_set_new(facts, "cpus", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	if (fs_read("/proc/cpuinfo", FILE_CAP, &cpuinfo, NULL) < 0)
		return;
	set_cpuinfo(facts, "cpu_model", cpuinfo.buf, "model name");
	set_cpuinfo(facts, "microcode", cpuinfo.buf, "microcode");
}

static void set_mitigations(json_t *facts)
{
	_cleanup_strv_ char **names = NULL;
	json_t *table = json_object();

	if (fs_list(VULNERABILITIES, &names, NULL) == 0) {
		for (char **name = names; *name; name++) {
			_cleanup_free_ char *path = xasprintf(VULNERABILITIES "/%s", *name);

			set_file(table, *name, path);
		}
	}
	json_object_set_new(facts, "mitigations", table);
}

static void set_memory(json_t *facts)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	json_object_set_new(facts, "memory_kb", json_integer(pages * (size / 1024)));
}

static void set_perf(json_t *facts, const char *toolbox)
{
	_cleanup_strv_ char **argv = NULL;
	_cleanup_str_ struct str out = STR_INIT;
	struct proc_spec spec = {.out = &out, .deadline_ms = 20000};
	struct proc_result end;

	json_object_set_new(facts, "perf_mode", json_string("none"));
	if (agent_monitor_perf(toolbox, &argv) < 0)
		return;
	strv_add(&argv, "--version");
	spec.argv = (const char *const *)argv;
	if (proc_run(&spec, &end, NULL) < 0 || end.status != PROC_EXITED || end.code)
		return;
	str_trim(&out);
	set_text(facts, "perf", out.buf);
	json_object_set_new(facts, "perf_mode", json_string("stat"));
}

/* Of a machine that was started for this job alone. */
static void set_uptimes(json_t *facts, const struct order *order, const struct facts_start *start)
{
	if (!order->copy_tag)
		return;
	json_object_set_new(facts, "init_uptime", json_num(start->init_uptime));
	json_object_set_new(facts, "ready_uptime", json_num(start->ready_uptime));
}

json_t *facts_collect(const struct order *order, const struct facts_start *start)
{
	json_t *facts = json_object();

	set_uname(facts);
	for (size_t i = 0; i < ARRAY_SIZE(fact_files); i++)
		set_file(facts, fact_files[i].name, fact_files[i].path);
	set_clocksources(facts, start->clocksource);
	set_uptimes(facts, order, start);
	set_cpu(facts);
	set_memory(facts);
	set_mitigations(facts);
	set_text(facts, "toolbox_id", order->toolbox_id);
	json_object_set_new(facts, "seed", json_integer(order->seed));
	set_perf(facts, order->toolbox);
	return facts;
}
