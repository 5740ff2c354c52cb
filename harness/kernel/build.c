/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/build.h"

#include <fcntl.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"

#define LOG_MAX ((size_t)16 << 20)
/* A rebuild of a few files gets no bar: most of it is make looking around, and linking. */
#define BAR_FROM 40
/* What a first build is taken to compile. */
#define OBJECTS_USUAL 850

void build_done(struct build *b)
{
	str_done(&b->log);
}

static bool on_output(const char *data, size_t n, void *arg)
{
	struct build *b = arg;
	double total = b->state.objects ? (double)b->state.objects : OBJECTS_USUAL;
	double done;

	if (!data || !buildlog_count(&b->counter, data, n))
		return false;
	done = (double)b->counter.objects;
	if (b->state.objects == 0 || b->counter.objects > BAR_FROM)
		progress_update(b->progress, done < total ? done : total, total);
	return false;
}

static char **make_argv(const struct build *b, const char *const *words)
{
	_cleanup_free_ char *out = xasprintf("O=%s", sandbox_out(&b->box));
	_cleanup_free_ char *arch = xasprintf("ARCH=%s", b->arch);
	_cleanup_free_ char *jobs = xasprintf("-j%lld", (long long)b->jobs);
	const char *const head[] = {
		"make", "--no-print-directory", jobs, "-C", sandbox_src(&b->box), out, arch};
	_cleanup_strv_ char **command = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(head); i++)
		strv_add(&command, head[i]);
	for (; *words; words++)
		strv_add(&command, *words);
	return sandbox_argv(&b->box, (const char *const *)command, geteuid() == 0);
}

/* How make ended, when that says nothing about the commit. */
static int judge_end(const struct build *b, const struct proc_result *result, const char *log,
		     struct err *err)
{
	_cleanup_str_ struct str safe = STR_INIT;
	const char *fault;

	if (result->status == PROC_DEADLINE)
		return err_set_cause(err, ERR_INFRA, "deadline",
				     "the kernel was not built in time; raise \"build: timeout:\" "
				     "if it needs longer");
	if (result->status == PROC_CANCELLED)
		return proc_check_cancel(err) < 0 ? -1
						  : err_set_cause(err, ERR_INFRA, "cancelled",
								  "the build was cancelled");
	if (result->status != PROC_EXITED)
		return err_set_cause(err, ERR_INFRA, "sandbox",
				     "the kernel build was killed by signal %d from outside",
				     result->code);
	if (result->code == 0)
		return 0;
	str_add_safe(&safe, log, strcspn(log, "\n"));
	if (sandbox_complaint(log))
		return err_set_cause(err, ERR_INFRA, "sandbox",
				     "the build sandbox does not start: %s", safe.buf);
	fault = buildlog_host_fault(log, b->log.len - (size_t)(log - b->log.buf));
	if (fault)
		return err_set_cause(err, ERR_INFRA, "host", "the kernel was not built: %s", fault);
	return 0;
}

int build_make(struct build *b, const char *const *words, bool *ret_ok, struct err *err)
{
	_cleanup_strv_ char **argv = make_argv(b, words);
	size_t start = b->log.len;
	struct proc_spec spec = {.argv = (const char *const *)argv,
				 .cwd = "/",
				 .out = &b->log,
				 .out_cap = LOG_MAX,
				 .on_output = on_output,
				 .arg = b};
	struct proc_result result;
	double left = b->deadline - time_monotonic();

	if (b->deadline > 0)
		spec.deadline_ms = left > 2e6 ? 2000000000 : left > 0.001 ? (int)(left * 1e3) : 1;
	if (proc_run(&spec, &result, err) < 0)
		return err_wrap(err, "cannot build");
	if (judge_end(b, &result, b->log.buf + start, err) < 0)
		return -1;
	*ret_ok = result.code == 0;
	return 0;
}

int build_read(const struct build *b, const char *name, size_t cap, struct str *ret,
	       struct err *err)
{
	_cleanup_close_ int fd = open(b->box.out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_errno(err, "cannot open %s", b->box.out);
	return fs_read_beneath(fd, name, cap, ret, err);
}
