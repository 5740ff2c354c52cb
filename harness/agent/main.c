/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lkp-agent: runs a job on a test machine (docs/boot-folder.md). As PID 1 of an initramfs it mounts
 * what it needs, runs /lkp/job.json, copies the answer out and powers the machine off, come what
 * may; else it runs the job file it is given and exits.
 */
#include <errno.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/agent/clock.h"
#include "harness/agent/console.h"
#include "harness/agent/facts.h"
#include "harness/agent/kernel_log.h"
#include "harness/agent/mounts.h"
#include "harness/agent/order.h"
#include "harness/agent/result.h"
#include "harness/agent/run.h"
#include "harness/agent/watchdog.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

#define BOOT_JOB     "/lkp/job.json"
#define COPY_FOLDER  "/copy-out"
#define CLOCK_WAIT_S 3.0
#define COPY_S	     300.0 /* that facts and the copy may take */

static int keep_config(struct result *result, struct err *err)
{
	_cleanup_str_ struct str data = STR_INIT;

	if (fs_read("/proc/config.gz", RESULT_FILE_CAP, &data, NULL) < 0)
		return 0;
	return result_write(result, "config.gz", data.buf, data.len, err);
}

static int keep_kernel_log(struct result *result, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;

	if (kernel_log_read(RESULT_FILE_CAP, &text) < 0)
		return 0;
	return result_write(result, "dmesg", text.buf, text.len, err);
}

static int keep_facts(const struct order *order, struct result *result,
		      const struct facts_start *start, struct err *err)
{
	json_t *facts = facts_collect(order, start);
	int rc = result_write_json(result, "facts.json", facts, err);

	json_decref(facts);
	return rc;
}

/* Until the last measurement nothing leaves memory: on the icount machine a wait for I/O warps
 * time. */
static int work(const struct order *order, struct result *result, struct err *err)
{
	_cleanup_str_ struct str clocksource = STR_INIT;

	struct facts_start start = {.init_uptime = clock_uptime()};

	clock_wait_stable(CLOCK_WAIT_S, &clocksource);
	start.clocksource = clocksource.buf;
	start.ready_uptime = clock_uptime();
	clock_start_phase(order->seed);
	for (size_t i = 0; i < order->n_runs; i++)
		if (run_case(order, i, result, err) < 0)
			return -1;
	watchdog_feed(COPY_S);
	if (keep_facts(order, result, &start, err) < 0 || keep_config(result, err) < 0 ||
	    keep_kernel_log(result, err) < 0 || result_finish(result, order->boot, err) < 0)
		return -1;
	if (!order->copy_tag)
		return 0;
	if (mounts_share(order->copy_tag, COPY_FOLDER, err) < 0)
		return -1;
	return result_copy(result, COPY_FOLDER, err);
}

static int run_job(const char *path, struct err *err)
{
	struct order order;
	struct result result;
	int rc;

	if (order_load(path, &order, err) < 0)
		return -1;
	rc = result_open(&result, order.result, err);
	if (rc == 0) {
		rc = work(&order, &result, err);
		result_done(&result);
	}
	order_done(&order);
	return rc;
}

static int report(int rc, const struct err *err)
{
	if (rc < 0)
		console_say("fail %s", err->msg);
	else
		console_say("done");
	return rc < 0 ? 1 : 0;
}

/* The work is a child's, so that the machine is powered off even when the child dies of a signal.
 */
static int boot_child(void)
{
	struct err err = ERR_INIT;
	int rc;

	setenv("PATH", "/lkp/bin:/usr/bin:/bin", 1);
	setenv("HOME", "/tmp", 1);
	watchdog_open();
	rc = run_job(BOOT_JOB, &err);
	watchdog_close();
	return report(rc, &err);
}

static void wait_for(pid_t child)
{
	int status = 0;
	pid_t pid;

	do {
		pid = waitpid(-1, &status, 0);
	} while (pid != child && (pid > 0 || errno == EINTR));
	if (pid == child && WIFSIGNALED(status))
		console_say("fail the agent was killed by signal %d", WTERMSIG(status));
}

static int boot_main(void)
{
	struct err err = ERR_INIT;
	int mounted = mounts_base(&err);
	pid_t child;

	console_open();
	console_say("start");
	child = mounted < 0 ? -1 : fork();
	if (child == 0)
		_exit(boot_child());
	if (mounted < 0)
		report(-1, &err);
	else if (child < 0)
		console_say("fail cannot fork: %s", strerror(errno));
	else
		wait_for(child);
	sync();
	reboot(RB_AUTOBOOT);
	return 1;
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;

	json_init();
	/* jansson would read /dev/urandom, and a guest without entropy spins a second for that. */
	json_object_seed(1);
	setenv("LC_ALL", "C", 1);
	if (getpid() == 1)
		return boot_main();
	if (argc != 2 || argv[1][0] == '-') {
		fprintf(stderr, "usage: lkp-agent JOB.json\n");
		return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 64;
	}
	proc_cancel_install();
	console_say("start");
	return report(run_job(argv[1], &err), &err);
}
