/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/proc_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

int pipe_raise(int fd)
{
	int high;

	if (fd < 0 || fd > 2)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	close(fd);
	return high;
}

static bool raise_both(int first, int second, int *ret_first, int *ret_second)
{
	*ret_first = pipe_raise(first);
	*ret_second = pipe_raise(second);
	return *ret_first >= 0 && *ret_second >= 0;
}

bool pipe_make(int *ours, int *theirs, bool we_write)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return false;
	return raise_both(fds[we_write], fds[!we_write], ours, theirs) &&
	       fcntl(*ours, F_SETFL, O_NONBLOCK) == 0;
}

bool pipe_socketpair(int *ours, int *theirs)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return false;
	return raise_both(fds[0], fds[1], ours, theirs);
}

ssize_t pipe_write(int fd, const char *data, size_t n)
{
	const struct timespec now = {0};
	sigset_t pipe_only, pending, old;
	ssize_t done;
	int code;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &old);
	done = write(fd, data, n);
	code = errno;
	if (done < 0 && code == EPIPE && !sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipe_only, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = code;
	return done;
}
