/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "benchmarks/hackbench/channel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static int open_local(int ret[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, ret);
}

static int listen_loopback(struct sockaddr_in *ret_address)
{
	socklen_t size = sizeof(*ret_address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*ret_address = (struct sockaddr_in){.sin_family = AF_INET,
					    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (fd < 0)
		return -1;
	if (!bind(fd, (struct sockaddr *)ret_address, size) && !listen(fd, 1) &&
	    !getsockname(fd, (struct sockaddr *)ret_address, &size))
		return fd;
	close(fd);
	return -1;
}

static int open_inet(int ret[2])
{
	struct sockaddr_in address;
	int listener = listen_loopback(&address), in = -1, out = -1, saved;

	if (listener < 0)
		return -1;
	out = socket(AF_INET, SOCK_STREAM, 0);
	if (out >= 0 && !connect(out, (struct sockaddr *)&address, sizeof(address)))
		in = accept(listener, NULL, NULL);
	saved = errno;
	close(listener);
	if (in < 0 && out >= 0)
		close(out);
	errno = saved;
	if (in < 0)
		return -1;
	ret[0] = in;
	ret[1] = out;
	return 0;
}

int channel_open(enum channel_kind kind, int ret[2])
{
	static int (*const openers[])(int ret[2]) = {
		[CHANNEL_LOCAL] = open_local,
		[CHANNEL_PIPE] = pipe,
		[CHANNEL_INET] = open_inet,
	};

	return openers[kind](ret);
}
