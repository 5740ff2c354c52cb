/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/console_log.h"

#include "harness/util/mem.h"

int console_log_open(struct console_log *log, const char *folder, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/console.log", folder);
	FILE *file = fopen(path, "we");

	if (!file)
		return err_errno(err, "cannot write %s", path);
	*log = (struct console_log){.file = file};
	return 0;
}

void console_log_add(struct console_log *log, const char *data, size_t n)
{
	size_t room = log->bytes < CONSOLE_LOG_CAP ? CONSOLE_LOG_CAP - log->bytes : 0;
	size_t part = n < room ? n : room;

	fwrite(data, 1, part, log->file);
	if (room && part < n)
		fputs("\n[the rest of the console was dropped: more than 16 MiB]\n", log->file);
	/* Who looks on while the machine runs sees all there is. */
	fflush(log->file);
	log->bytes += n;
}

int console_log_close(struct console_log *log, struct err *err)
{
	int bad = ferror(log->file);

	if (fclose(log->file) == EOF || bad)
		return err_errno(err, "cannot write console.log");
	return 0;
}
