/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/monitor/monitor.h"

#include "harness/monitor/perf_stat.h"
#include "harness/util/str.h"

const struct monitor *const monitors[] = {
	&monitor_perf_stat,
	NULL,
};

const struct monitor *monitor_find(const char *name)
{
	for (const struct monitor *const *m = monitors; *m; m++)
		if (streq((*m)->name, name))
			return *m;
	return NULL;
}
