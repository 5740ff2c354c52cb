/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/monitor/monitor.h"

#include "harness/monitor/perf_stat.h"
#include "harness/util/mem.h"
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

int monitor_check_job(const struct job *job, struct err *err)
{
	const char *names[16] = {NULL};

	for (size_t i = 0; monitors[i] && i < ARRAY_SIZE(names) - 1; i++)
		names[i] = monitors[i]->name;
	for (size_t i = 0; job->monitors && job->monitors[i]; i++) {
		if (monitor_find(job->monitors[i]))
			continue;
		const char *near = str_nearest(job->monitors[i], names);
		_cleanup_str_ struct str shown = STR_INIT;
		str_add_safe(&shown, job->monitors[i], strnlen(job->monitors[i], 80));
		return err_set(err, ERR_USER, "%s: job \"%s\": no monitor \"%s\"%s%s%s", job->file,
			       job->name, shown.buf, near ? "; did you mean \"" : "",
			       near ? near : "", near ? "\"?" : "");
	}
	return 0;
}
