/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/util/mem.h"
#include "harness/util/proc_cancel.h"
#include "harness/util/proc_pipe.h"
#include "harness/util/proc_warden.h"
#include "harness/util/time.h"

#define DEFAULT_CAP   (1u << 20)
#define DEFAULT_GRACE 2000
#define DRAIN_MAX     64 /* reads after the end: only a survivor could still be writing */

enum { IN, OUT, ERR, N_IO };

struct run {
	const struct proc_spec *spec;
	int ctl;      /* to the warden */
	int io[N_IO]; /* our ends; -1: none or at its end */
	size_t input_done;
	double start, last_output;
	double kill_at;		  /* 0: no SIGTERM was sent, infinity: killed */
	enum proc_status stopped; /* why it was ended by us; PROC_EXITED: it was not */
	bool out_cut;
	int log_error;
	pid_t group;
	struct warden_report report;
	bool reported, lost;
};

static bool make_channels(struct run *r, struct warden *w)
{
	if (!pipe_socketpair(&r->ctl, &w->ctl) || !pipe_make(&r->io[OUT], &w->io[OUT], false))
		return false;
	if (r->spec->errout && !pipe_make(&r->io[ERR], &w->io[ERR], false))
		return false;
	if (!r->spec->errout)
		w->io[ERR] = fcntl(w->io[OUT], F_DUPFD_CLOEXEC, 3);
	if (w->io[ERR] < 0)
		return false;
	if (r->spec->input)
		return pipe_make(&r->io[IN], &w->io[IN], true);
	w->io[IN] = pipe_raise(open("/dev/null", O_RDONLY | O_CLOEXEC));
	return w->io[IN] >= 0;
}

static void close_all(int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		cleanup_close(&fds[i]);
		fds[i] = -1;
	}
}

static void order(struct run *r, char what)
{
	/* A warden that is gone is noticed by the end of its socket. */
	if (send(r->ctl, &what, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return;
}

static void stop(struct run *r, enum proc_status why)
{
	int grace = r->spec->grace_ms ? r->spec->grace_ms : DEFAULT_GRACE;

	if (r->kill_at > 0)
		return;
	r->stopped = why;
	r->kill_at = time_monotonic() + grace * 1e-3;
	order(r, WARDEN_TERM);
}

static void keep(struct run *r, struct str *s, const char *data, size_t n)
{
	size_t cap = r->spec->out_cap ? r->spec->out_cap : DEFAULT_CAP;
	size_t room = s->len < cap ? cap - s->len : 0;

	if (n > room)
		r->out_cut = true;
	str_addn(s, data, n < room ? n : room);
}

static void copy_to_log(struct run *r, const char *data, size_t n)
{
	while (n && r->spec->out_fd > 0 && !r->log_error) {
		ssize_t done = pipe_write(r->spec->out_fd, data, n);

		if (done < 0 && errno != EINTR)
			r->log_error = errno;
		if (done > 0) {
			data += done;
			n -= (size_t)done;
		}
	}
}

/* Takes one piece of output. Returns false when there is none for now. */
static bool take_output(struct run *r, int which)
{
	const struct proc_spec *spec = r->spec;
	struct str *s = which == ERR ? spec->errout : spec->out;
	char block[65536];
	ssize_t n;

	if (r->io[which] < 0)
		return false;
	n = read(r->io[which], block, sizeof(block));
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		close_all(&r->io[which], 1);
		return false;
	}
	r->last_output = time_monotonic();
	if (s)
		keep(r, s, block, (size_t)n);
	copy_to_log(r, block, (size_t)n);
	if (which == OUT && spec->on_output && !r->kill_at &&
	    spec->on_output(block, (size_t)n, spec->arg))
		stop(r, PROC_STOPPED);
	return true;
}

static void give_input(struct run *r)
{
	const struct proc_spec *spec = r->spec;
	ssize_t n = 0;

	if (r->io[IN] < 0)
		return;
	if (r->input_done < spec->input_len)
		n = pipe_write(r->io[IN], spec->input + r->input_done,
			       spec->input_len - r->input_done);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		r->input_done += (size_t)n;
	if (n < 0 || r->input_done == spec->input_len)
		close_all(&r->io[IN], 1);
}

static void take_report(struct run *r)
{
	struct warden_report report;
	ssize_t n = recv(r->ctl, &report, sizeof(report), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n != (ssize_t)sizeof(report)) {
		r->lost = true;
	} else if (report.stage == WARDEN_STARTED) {
		r->group = report.pid;
	} else {
		r->report = report;
		r->reported = true;
	}
}

/* Does what is due by now; returns the milliseconds until something else is. */
static int act_on_time(struct run *r)
{
	const struct proc_spec *spec = r->spec;
	double now = time_monotonic(), next = INFINITY;
	double deadline = spec->deadline_ms ? r->start + spec->deadline_ms * 1e-3 : INFINITY;

	if (now >= deadline)
		stop(r, PROC_DEADLINE);
	if (spec->tick_ms && spec->on_output && !r->kill_at) {
		if (now >= r->last_output + spec->tick_ms * 1e-3) {
			r->last_output = now;
			if (spec->on_output(NULL, 0, spec->arg))
				stop(r, PROC_STOPPED);
		}
		next = r->last_output + spec->tick_ms * 1e-3;
	}
	if (r->kill_at > 0 && now >= r->kill_at) {
		order(r, WARDEN_KILL);
		r->kill_at = INFINITY;
	}
	next = fmin(next, r->kill_at > 0 ? r->kill_at : deadline);
	if (isinf(next))
		return -1;
	return (int)fmin(fmax(ceil((next - time_monotonic()) * 1e3), 0), INT_MAX);
}

static void step(struct run *r)
{
	struct pollfd fds[] = {
		{.fd = r->ctl, .events = POLLIN},
		{.fd = r->io[IN], .events = POLLOUT},
		{.fd = r->io[OUT], .events = POLLIN},
		{.fd = r->io[ERR], .events = POLLIN},
	};
	bool heed = !r->spec->no_cancel && !r->kill_at;

	if (cancel_poll(fds, ARRAY_SIZE(fds), act_on_time(r), heed) < 0) {
		if (errno == ECANCELED)
			stop(r, PROC_CANCELLED);
		return;
	}
	if (fds[1].revents)
		give_input(r);
	if (fds[2].revents)
		take_output(r, OUT);
	if (fds[3].revents)
		take_output(r, ERR);
	if (fds[0].revents)
		take_report(r);
}

static int start_error(const struct run *r, struct err *err)
{
	const char *name = r->spec->argv[0];

	errno = r->report.error;
	switch (r->report.stage) {
	case WARDEN_NO_CWD:
		return err_errno(err, "cannot run %s in the folder %s", name, r->spec->cwd);
	case WARDEN_NO_JOIN:
		return err_errno(err, "cannot put %s into its control group %s", name,
				 r->spec->join[0]);
	case WARDEN_NO_EXEC:
		if (errno == ENOENT)
			return err_set(err, ERR_USER, "cannot run %s: no such program", name);
		return err_errno(err, "cannot run %s", name);
	default:
		return err_errno(err, "cannot start a process for %s", name);
	}
}

static void fill_result(const struct run *r, struct proc_result *ret)
{
	int status = r->report.status;

	ret->status = r->stopped;
	if (r->stopped == PROC_EXITED && WIFSIGNALED(status))
		ret->status = PROC_SIGNALED;
	ret->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	ret->seconds = time_monotonic() - r->start;
	ret->user_seconds = r->report.user_seconds;
	ret->system_seconds = r->report.system_seconds;
	ret->out_cut = r->out_cut;
	ret->log_error = r->log_error;
	ret->survivors = r->report.survivors;
}

/* Runs until the warden has reported. */
static int follow(struct run *r, pid_t warden, struct err *err)
{
	while (!r->reported && !r->lost)
		step(r);
	if (r->lost && r->group > 0)
		kill(-r->group, SIGKILL);
	for (int i = 0; i < DRAIN_MAX && take_output(r, OUT); i++)
		continue;
	for (int i = 0; i < DRAIN_MAX && take_output(r, ERR); i++)
		continue;
	while (waitpid(warden, NULL, 0) < 0 && errno == EINTR)
		continue;
	if (r->lost)
		return err_set(err, ERR_INFRA, "the process that watched %s was killed",
			       r->spec->argv[0]);
	return r->report.stage == WARDEN_ENDED ? 0 : start_error(r, err);
}

static int run_path(const struct proc_spec *spec, const char *path, struct proc_result *ret,
		    struct err *err)
{
	struct run r = {.spec = spec, .ctl = -1, .io = {-1, -1, -1}, .start = time_monotonic()};
	struct warden w = {.ctl = -1,
			   .io = {-1, -1, -1},
			   .path = path,
			   .argv = spec->argv,
			   .env = spec->env,
			   .cwd = spec->cwd,
			   .join = spec->join};
	pid_t warden = -1;
	int status = -1;

	r.last_output = r.start;
	if (make_channels(&r, &w)) {
		w.ours[0] = r.ctl;
		memcpy(w.ours + 1, r.io, sizeof(r.io));
		warden = warden_start(&w);
	}
	if (warden < 0)
		err_errno(err, "cannot start a process for %s", spec->argv[0]);
	close_all(&w.ctl, 1);
	close_all(w.io, N_IO);
	if (warden >= 0)
		status = follow(&r, warden, err);
	close_all(&r.ctl, 1);
	close_all(r.io, N_IO);
	if (status == 0)
		fill_result(&r, ret);
	return status;
}

int proc_run(const struct proc_spec *spec, struct proc_result *ret, struct err *err)
{
	_cleanup_free_ char *path = NULL;

	if (!spec->no_cancel && proc_cancelled()) {
		*ret = (struct proc_result){.status = PROC_CANCELLED};
		return 0;
	}
	/* A name with a slash is for the kernel to look up, in the new folder. */
	path = strchr(spec->argv[0], '/') ? xstrdup(spec->argv[0]) : proc_which(spec->argv[0]);
	if (!path)
		return err_set(err, ERR_USER, "cannot run %s: no such program in PATH; install it",
			       spec->argv[0]);
	return run_path(spec, path, ret, err);
}

/* The last line of the output that holds something, for a message. */
static void add_last_line(struct str *s, struct str *out)
{
	const char *line;

	str_rtrim(out);
	line = memrchr(out->buf, '\n', out->len);
	line = line ? line + 1 : out->buf;
	if (!*line)
		return;
	str_add(s, ": ");
	str_add_safe(s, line, strnlen(line, 300));
}

int proc_check(const char *const *argv, struct str *out, struct err *err)
{
	_cleanup_str_ struct str own = STR_INIT, tail = STR_INIT;
	struct proc_spec spec = {.argv = argv, .out = out ? out : &own};
	struct proc_result result = {.code = 0};

	if (out)
		spec.out_cap = out->len + DEFAULT_CAP;
	if (proc_run(&spec, &result, err) < 0)
		return -1;
	if (result.status == PROC_EXITED && result.code == 0)
		return 0;
	if (result.status == PROC_CANCELLED && proc_check_cancel(err) < 0)
		return err_wrap(err, "%s", argv[0]);
	add_last_line(&tail, spec.out);
	if (result.status == PROC_SIGNALED)
		return err_set(err, ERR_INFRA, "%s was ended by SIG%s%s", argv[0],
			       sigabbrev_np(result.code) ? sigabbrev_np(result.code) : "RT",
			       tail.buf);
	return err_set(err, ERR_INFRA, "%s failed with exit status %d%s", argv[0], result.code,
		       tail.buf);
}

/* Relative folders of PATH are skipped: what they hold depends on where we are. */
char *proc_which(const char *name)
{
	const char *path = getenv("PATH");
	size_t n;

	if (!*name || strchr(name, '/'))
		return NULL;
	if (!path)
		path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
	for (; *path; path += n + (path[n] == ':')) {
		_cleanup_free_ char *file = NULL;
		struct stat st;

		n = strcspn(path, ":");
		if (*path != '/')
			continue;
		file = xasprintf("%.*s/%s", (int)n, path, name);
		if (stat(file, &st) == 0 && S_ISREG(st.st_mode) && access(file, X_OK) == 0)
			return xstrdup(file);
	}
	return NULL;
}
