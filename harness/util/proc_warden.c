/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/proc_warden.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/util/mem.h"
#include "harness/util/time.h"

#define PATIENCE_S 10 /* for SIGKILL to work, since something last died */

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

struct state {
	const struct warden *w;
	struct warden_report report;
	int sigfd;
	bool alive;   /* the command has not been reaped */
	bool killing; /* everything is to die */
	double patience_ends;
};

struct start_fault {
	enum warden_stage stage;
	int error;
};

static void __attribute__((noreturn)) give_up(int fd, enum warden_stage stage)
{
	struct start_fault fault = {stage, errno};

	if (write(fd, &fault, sizeof(fault)) < 0)
		_exit(126);
	_exit(127);
}

static void reset_signals(void)
{
	struct sigaction dfl = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &dfl, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* "0" stands for the writer. False: errno says why. */
static bool join_groups(const char *const *files)
{
	for (; files && *files; files++) {
		int fd = open(*files, O_WRONLY | O_CLOEXEC);

		if (fd < 0 || write(fd, "0", 1) != 1)
			return false;
		close(fd);
	}
	return true;
}

static void __attribute__((noreturn))
become_command(const struct warden *w, pid_t parent, int fault_fd)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	setpgid(0, 0);
	for (int i = 0; i < 3; i++)
		if (dup2(w->io[i], i) < 0)
			give_up(fault_fd, WARDEN_NO_EXEC);
	/* Older kernels lack it; all our descriptors are opened with O_CLOEXEC anyway. */
	syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
	if (!join_groups(w->join))
		give_up(fault_fd, WARDEN_NO_JOIN);
	if (w->cwd && chdir(w->cwd) < 0)
		give_up(fault_fd, WARDEN_NO_CWD);
	reset_signals();
	execve(w->path, (char *const *)w->argv, w->env ? (char *const *)w->env : environ);
	give_up(fault_fd, WARDEN_NO_EXEC);
}

static bool start_command(struct state *s)
{
	struct start_fault fault = {WARDEN_NO_FORK, 0};
	pid_t self = getpid();
	int fds[2] = {-1, -1}, low[2];
	ssize_t n;

	/* Descriptors 0 to 2 may be closed in us; the command's own must not land on these. */
	if (pipe2(low, O_CLOEXEC) == 0) {
		fds[0] = fcntl(low[0], F_DUPFD_CLOEXEC, 3);
		fds[1] = fcntl(low[1], F_DUPFD_CLOEXEC, 3);
		close(low[0]);
		close(low[1]);
	}
	s->report.pid = fds[0] < 0 || fds[1] < 0 ? -1 : fork();
	if (s->report.pid == 0)
		become_command(s->w, self, fds[1]);
	if (s->report.pid < 0) {
		s->report.stage = WARDEN_NO_FORK;
		s->report.error = errno;
		return false;
	}
	setpgid(s->report.pid, s->report.pid);
	close(fds[1]);
	do
		n = read(fds[0], &fault, sizeof(fault));
	while (n < 0 && errno == EINTR);
	close(fds[0]);
	for (int i = 0; i < 3; i++)
		close(s->w->io[i]);
	if (n != (ssize_t)sizeof(fault))
		return true;
	waitpid(s->report.pid, NULL, 0);
	s->report.stage = fault.stage;
	s->report.error = fault.error;
	return false;
}

/* The parent of a process, read from /proc/PID/stat; 0 when it is gone. */
static pid_t parent_of(const char *pid)
{
	char path[64], text[512], *p;
	int fd, ppid = 0;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	/* The name in parentheses is the program's choice and may hold any byte. */
	p = strrchr(text, ')');
	if (!p || sscanf(p, ") %*c %d", &ppid) != 1)
		return 0;
	return ppid;
}

/* Kills our children; theirs become ours when they die. A child cannot vanish before we reap it, so
 * the number read cannot have become another process's. Returns how many there are. */
static int kill_children(void)
{
	DIR *proc = opendir("/proc");
	pid_t self = getpid();
	struct dirent *entry;
	int n = 0;

	while (proc && (entry = readdir(proc))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
		    parent_of(entry->d_name) != self)
			continue;
		kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
		n++;
	}
	if (proc)
		closedir(proc);
	return n;
}

static double seconds(struct timeval tv)
{
	return (double)tv.tv_sec + (double)tv.tv_usec * 1e-6;
}

static void start_killing(struct state *s)
{
	if (s->killing)
		return;
	s->killing = true;
	s->patience_ends = time_monotonic() + PATIENCE_S;
}

/* While the command is a zombie its number still names its group and nothing else. */
static void look_at_command(struct state *s)
{
	siginfo_t info = {0};

	if (!s->alive)
		return;
	waitid(P_PID, (id_t)s->report.pid, &info, WEXITED | WNOHANG | WNOWAIT);
	if (info.si_pid)
		start_killing(s);
	if (s->killing)
		kill(-s->report.pid, SIGKILL);
}

/* Reaps what has died. Returns false when no child is left. */
static bool reap(struct state *s)
{
	struct rusage ru;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &ru)) > 0) {
		s->patience_ends = time_monotonic() + PATIENCE_S;
		if (pid != s->report.pid)
			continue;
		s->alive = false;
		s->report.status = status;
		s->report.user_seconds = seconds(ru.ru_utime);
		s->report.system_seconds = seconds(ru.ru_stime);
	}
	return pid == 0;
}

static void obey(struct state *s)
{
	char order;
	ssize_t n = recv(s->w->ctl, &order, 1, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0 || order == WARDEN_KILL) {
		start_killing(s);
	} else if (s->alive) {
		kill(-s->report.pid, SIGTERM);
		kill(-s->report.pid, SIGCONT);
	}
}

static void watch(struct state *s)
{
	struct pollfd fds[] = {{.fd = s->w->ctl, .events = POLLIN},
			       {.fd = s->sigfd, .events = POLLIN}};
	struct signalfd_siginfo info;

	for (;;) {
		look_at_command(s);
		if (!reap(s))
			return;
		/* The command may have died just after the look. */
		if (!s->alive)
			start_killing(s);
		if (s->killing) {
			s->report.survivors = kill_children();
			if (time_monotonic() >= s->patience_ends)
				return;
		}
		poll(fds, ARRAY_SIZE(fds), s->killing ? 500 : -1);
		while (read(s->sigfd, &info, sizeof(info)) > 0)
			continue;
		if (fds[0].revents)
			obey(s);
		if (s->killing && fds[0].revents & POLLHUP)
			fds[0].fd = -1;
	}
}

static void send_report(const struct state *s)
{
	/* When we are gone nobody reads it, and nobody needs to. */
	if (send(s->w->ctl, &s->report, sizeof(s->report), MSG_NOSIGNAL) < 0)
		_exit(1);
}

static void __attribute__((noreturn)) be_warden(const struct warden *w)
{
	struct state s = {.w = w, .alive = true};
	sigset_t all, chld;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGCHLD, SIG_DFL);
	setpgid(0, 0);
	prctl(PR_SET_NAME, "lkp-warden");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* Or a command would never see the end of its input, nor the warden our death. */
	for (size_t i = 0; i < ARRAY_SIZE(w->ours); i++)
		if (w->ours[i] >= 0)
			close(w->ours[i]);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	s.sigfd = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s.sigfd < 0) {
		s.report = (struct warden_report){.stage = WARDEN_NO_FORK, .error = errno};
	} else if (start_command(&s)) {
		send_report(&s);
		watch(&s);
		s.report.stage = WARDEN_ENDED;
		if (s.alive)
			s.report.status = SIGKILL;
		if (wait4(-1, NULL, WNOHANG, NULL) < 0)
			s.report.survivors = 0;
	}
	send_report(&s);
	_exit(0);
}

pid_t warden_start(const struct warden *w)
{
	pid_t pid = fork();

	if (pid == 0)
		be_warden(w);
	return pid;
}
