/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptors for talking to a child process. None of them is 0, 1 or 2, even when those are closed
 * in us, so that the child can put its own there; all are close-on-exec.
 */
#ifndef LKP_PROC_PIPE_H
#define LKP_PROC_PIPE_H

#include <stdbool.h>
#include <sys/types.h>

/* fd itself, or its replacement when it is 0, 1 or 2 (fd is closed then). -1 with errno on failure.
 */
int pipe_raise(int fd);
/* A pipe; `ours` does not block, and is the writing end when we_write. False: errno says why. */
bool pipe_make(int *ours, int *theirs, bool we_write);
/* A SOCK_SEQPACKET pair. False: errno says why. */
bool pipe_socketpair(int *ours, int *theirs);
/* write() that gives EPIPE but no SIGPIPE. */
ssize_t pipe_write(int fd, const char *data, size_t n);

#endif
