/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine `local`: no boot, the agent runs on this host under the kernel that runs here. The
 * job it is given names paths of this host: "toolbox" <toolbox>/tree/lkp, "result" <folder>/result,
 * no "copy_out".
 */
#include "harness/machine/drivers.h"
#include "harness/machine/toolbox.h"
#include "harness/machine/watch.h"
#include "harness/util/fs.h"

#define JOB_FILE "job.json"

static int local_check(const struct config_machine *m, struct err *err)
{
	(void)m;
	(void)err;
	return 0;
}

static const char *local_accel(const struct config_machine *m)
{
	(void)m;
	return "";
}

static bool local_deterministic(const struct config_machine *m)
{
	(void)m;
	return false;
}

static int local_boot(const struct machine_boot *boot, struct machine_end *ret, struct err *err)
{
	_cleanup_free_ char *agent = xasprintf("%s/" TOOLBOX_TREE "/init", boot->toolbox);
	_cleanup_free_ char *job = xasprintf("%s/" JOB_FILE, boot->folder);
	struct machine_end end = {.result = "result"};
	struct watch_spec spec = {.boot = boot, .name = "the agent"};

	if (fs_write_atomic(job, boot->job, strlen(boot->job), 0644, err) < 0)
		return -1;
	strv_add(&end.argv, agent);
	strv_add(&end.argv, job);
	spec.argv = end.argv;
	if (watch_run(&spec, &end, err) < 0) {
		machine_end_done(&end);
		return -1;
	}
	*ret = end;
	return 0;
}

const struct machine_driver machine_local = {
	.name = "local",
	.summary = "no boot: runs the job on this host, under the kernel that runs here",
	.check = local_check,
	.accel = local_accel,
	.deterministic = local_deterministic,
	.boot = local_boot,
};
