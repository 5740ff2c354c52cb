/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/util/str.h"

static const struct {
	const char *name;
	int priority; /* of syslog(3) */
} levels[] = {
	[LOG_LEVEL_ERR] = {"error", 3},
	[LOG_LEVEL_WARN] = {"warning", 4},
	[LOG_LEVEL_INFO] = {"info", 6},
	[LOG_LEVEL_DEBUG] = {"debug", 7},
};

static enum log_level most = LOG_LEVEL_WARN;

void log_set_level(enum log_level level)
{
	most = level;
}

/* JOURNAL_STREAM is "device:inode" of the stream; a child with another stderr inherits it too. */
static bool to_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	uintmax_t dev, ino;
	struct stat st;

	return stream && sscanf(stream, "%ju:%ju", &dev, &ino) == 2 &&
	       fstat(STDERR_FILENO, &st) == 0 && st.st_dev == dev && st.st_ino == ino;
}

void log_line(enum log_level level, const char *fmt, ...)
{
	_cleanup_str_ struct str text = STR_INIT, line = STR_INIT;
	int code = errno;
	va_list ap;

	if (level > most)
		return;
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	if (to_journal())
		str_addf(&line, "<%d>", levels[level].priority);
	else
		str_addf(&line, "%s: ", levels[level].name);
	str_add_safe(&line, text.buf, text.len);
	str_addc(&line, '\n');
	/* One write a line, so that lines of several processes do not mix. A stderr that takes
	 * nothing leaves no place to say so. */
	if (write(STDERR_FILENO, line.buf, line.len) < 0)
		errno = code;
	errno = code;
}
