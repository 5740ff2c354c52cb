/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/console.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "harness/util/str.h"

#define LINE_CAP 900

static int console_fd = STDOUT_FILENO;

void console_open(void)
{
	int fd = open("/dev/console", O_WRONLY | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0)
		console_fd = fd;
}

void console_say(const char *fmt, ...)
{
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_str_ struct str line = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	str_cut(&text, LINE_CAP);
	str_add(&line, "lkp-agent: ");
	str_add_safe(&line, text.buf, text.len);
	str_addc(&line, '\n');
	for (size_t done = 0; done < line.len;) {
		ssize_t n = write(console_fd, line.buf + done, line.len - done);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0)
			done += n;
	}
}
