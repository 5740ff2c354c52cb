/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/build.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/kernel/outcheck.h"
#include "harness/util/fs.h"
#include "harness/util/log.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"
#include "harness/util/units.h"

#define LOG_MAX ((size_t)16 << 20)
/* A rebuild of a few files gets no bar: most of it is make looking around, and linking. */
#define BAR_FROM 40
/* What a first build is taken to compile. */
#define OBJECTS_USUAL 850
#define TICK_MS	      500
/* A shell says by 128 + n that signal n ended a command, and so does bubblewrap. */
#define BY_SIGNAL 128

void build_done(struct build *b)
{
	str_done(&b->log);
	str_done(&b->refusal);
	cgroup_free(b->group);
	b->group = NULL;
}

int build_limit(struct build *b, struct err *err)
{
	const struct config_build *l = b->limits;
	_cleanup_str_ struct str why = STR_INIT;

	b->group = cgroup_new(
		&(struct cgroup_limits){.memory = l->memory, .processes = l->processes}, &why);
	if (!b->group && (l->memory > 0 || l->processes > 0))
		log_info("memory and processes are limited one by one only: %s", why.buf);
	outguard_start(&b->guard, b->box.out, l->output, l->keep_free);
	if (outguard_look(&b->guard, true))
		return outguard_judge(&b->guard, err);
	return 0;
}

char **build_limit_names(const struct build *b)
{
	const char *const *names = cgroup_names(b->group);
	char **all = NULL;

	for (; names && *names; names++)
		strv_add(&all, *names);
	strv_add(&all, "rlimits");
	return all;
}

static bool on_output(const char *data, size_t n, void *arg)
{
	struct build *b = arg;
	double total = b->state.objects ? (double)b->state.objects : OBJECTS_USUAL;
	double done;

	if (outguard_look(&b->guard, false))
		return true;
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

/* Limits of ours that the build ran into, when it failed. */
static int judge_limits(struct build *b, struct err *err)
{
	_cleanup_str_ struct str limit = STR_INIT;

	if (outguard_look(&b->guard, true))
		return outguard_judge(&b->guard, err);
	if (cgroup_out_of_memory(b->group)) {
		units_add_setting(&limit, (uint64_t)b->limits->memory);
		return err_set_cause(err, ERR_INFRA, "memory",
				     "the build ran out of memory (limit %s); raise \"build: "
				     "memory:\" or lower \"build: jobs:\"",
				     limit.buf);
	}
	if (cgroup_out_of_processes(b->group))
		return err_set_cause(err, ERR_INFRA, "processes",
				     "the build wanted more than %lld processes at a time; raise "
				     "\"build: processes:\" or lower \"build: jobs:\"",
				     (long long)b->limits->processes);
	return 0;
}

/* What the sandbox or a program in it says of this host. */
static int judge_text(const struct build *b, const char *log, struct err *err)
{
	_cleanup_str_ struct str safe = STR_INIT;
	const char *fault;

	str_add_safe(&safe, log, strcspn(log, "\n"));
	if (sandbox_complaint(log))
		return err_set_cause(err, ERR_INFRA, "sandbox",
				     "the build sandbox does not start: %s", safe.buf);
	fault = buildlog_host_fault(log, b->log.len - (size_t)(log - b->log.buf));
	if (fault)
		return err_set_cause(err, ERR_INFRA, "host", "the kernel was not built in %s: %s",
				     b->box.out, fault);
	return 0;
}

/* How make ended, when that says nothing about the commit. */
static int judge_end(struct build *b, const struct proc_result *result, const char *log,
		     struct err *err)
{
	switch (result->status) {
	case PROC_DEADLINE:
		return err_set_cause(err, ERR_INFRA, "deadline",
				     "the kernel was not built in time; raise \"build: timeout:\" "
				     "if it needs longer");
	case PROC_CANCELLED:
		return proc_check_cancel(err) < 0 ? -1
						  : err_set_cause(err, ERR_INFRA, "cancelled",
								  "the build was cancelled");
	case PROC_STOPPED:
		return outguard_judge(&b->guard, err);
	case PROC_SIGNALED:
		return err_set_cause(err, ERR_INFRA, "sandbox",
				     "the kernel build was killed by signal %d from outside",
				     result->code);
	case PROC_EXITED:
		break;
	}
	if (result->code != 0)
		return judge_limits(b, err) < 0 || judge_text(b, log, err) < 0 ? -1 : 0;
	/* What was written faster than we looked. */
	if (outguard_look(&b->guard, true) && b->guard.verdict == OUTGUARD_TOO_LARGE)
		return outguard_judge(&b->guard, err);
	return 0;
}

/* Lines of ours at the end of the log, where make can say no more. */
static void add_notes(struct build *b, const struct proc_result *result)
{
	static const char cut[] = "lkp: make printed more than 16 MiB; the rest is not kept\n";
	int sig = result->status == PROC_EXITED ? result->code - BY_SIGNAL : 0;

	if (result->out_cut && !str_ends(b->log.buf, cut))
		str_addf(&b->log, "%s%s", str_ends(b->log.buf, "\n") ? "" : "\n", cut);
	if (sig > 0 && sigabbrev_np(sig))
		str_addf(&b->log, "lkp: make was killed by SIG%s from within the build\n",
			 sigabbrev_np(sig));
}

int build_make(struct build *b, const char *const *words, bool *ret_ok, struct err *err)
{
	_cleanup_strv_ char **argv = make_argv(b, words);
	_cleanup_strv_ char **env = sandbox_env();
	size_t start = b->log.len;
	struct proc_spec spec = {.argv = (const char *const *)argv,
				 .env = (const char *const *)env,
				 .cwd = "/",
				 .join = cgroup_files(b->group),
				 .tick_ms = TICK_MS,
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
	add_notes(b, &result);
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

/* Why a file of the output folder is none of ours to read; NULL: it is. */
static const char *refuse(const struct build *b, const char *name, const struct stat *st,
			  size_t cap)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", b->box.out, name);

	if (S_ISLNK(st->st_mode))
		return "it is a symbolic link";
	if (S_ISDIR(st->st_mode))
		return "it is a folder";
	if (!S_ISREG(st->st_mode))
		return "it is no regular file";
	if (st->st_size > (off_t)cap)
		return "it is too large";
	if (!outcheck_is_plain(b->box.out, name))
		return "a symbolic link is on the way";
	return access(path, R_OK) < 0 && errno == EACCES ? "it may not be read" : NULL;
}

/* The build has ended, and nothing of it lives that could change what we look at. */
int build_take(struct build *b, const char *name, size_t cap, struct str *ret, bool *ret_there,
	       struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", b->box.out, name);
	const char *why = NULL;
	struct stat st;

	*ret_there = false;
	if (lstat(path, &st) == 0)
		why = refuse(b, name, &st, cap);
	else if (errno == ENOENT)
		return 0;
	else
		why = errno == ENOTDIR ? "a file is on the way" : "the way is closed";
	if (why)
		str_addf(&b->refusal, "%s: refused what the build left there: %s", name, why);
	else if (build_read(b, name, cap, ret, err) < 0)
		return -1;
	*ret_there = !why;
	return 0;
}
