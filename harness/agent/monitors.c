/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/monitors.h"

#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/str.h"

/* The ten events that the kernel's mailed reports show, and wall time. */
#define PERF_EVENTS                                                                              \
	"task-clock,context-switches,cpu-migrations,page-faults,cycles,stalled-cycles-frontend," \
	"stalled-cycles-backend,instructions,branches,branch-misses,duration_time"

int agent_monitor_perf(const char *toolbox, char ***argv)
{
	_cleanup_free_ char *loader = xasprintf("%s/lib/ld.so", toolbox);
	_cleanup_free_ char *libs = xasprintf("%s/lib", toolbox);
	_cleanup_free_ char *perf = xasprintf("%s/bin/perf", toolbox);
	_cleanup_free_ char *own = NULL;

	if (fs_exists(loader) && fs_exists(perf)) {
		strv_add(argv, loader);
		strv_add(argv, "--library-path");
		strv_add(argv, libs);
		strv_add(argv, perf);
		return 0;
	}
	own = proc_which("perf");
	if (!own)
		return -1;
	strv_add(argv, own);
	return 0;
}

static int perf_stat_wrap(const char *toolbox, const char *out, char ***argv)
{
	const char *const words[] = {"stat", "-j", "-e", PERF_EVENTS, "-o", out, "--"};

	if (agent_monitor_perf(toolbox, argv) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		strv_add(argv, words[i]);
	return 0;
}

const struct agent_monitor agent_monitors[] = {
	{.name = "perf-stat", .suffix = "perf", .wrap = perf_stat_wrap},
	{.name = NULL},
};

const struct agent_monitor *agent_monitor_find(const char *name)
{
	for (const struct agent_monitor *m = agent_monitors; m->name; m++)
		if (streq(m->name, name))
			return m;
	return NULL;
}
