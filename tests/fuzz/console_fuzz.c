/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes from a console: one verdict, a printable detail, and the same however the text was cut.
 */
#include <stddef.h>
#include <stdint.h>

#include "harness/machine/console.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum machine_status read_all(const uint8_t *data, size_t size, size_t piece, char *detail)
{
	static const struct console_limits limits = {.deadline = 1e9, .silence = 1e9, .linger = 10};
	struct console c;

	console_init(&c, &limits, 0);
	for (size_t at = 0; at < size; at += piece) {
		size_t n = size - at < piece ? size - at : piece;

		console_feed(&c, (const char *)data + at, n, (double)at);
		console_expired(&c, (double)at);
	}
	return console_verdict(&c, detail);
}

static void check_printable(const char *detail)
{
	for (; *detail; detail++)
		if ((unsigned char)*detail < ' ' || *detail == 127)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char whole[400] = "", pieces[400] = "";
	enum machine_status status;

	status = read_all(data, size, size + 1, whole);
	if (streq(machine_status_name(status), "unknown"))
		abort();
	if ((status == MACHINE_OK) != !*whole)
		abort();
	check_printable(whole);
	if (read_all(data, size, 3, pieces) != status || !streq(whole, pieces))
		abort();
	return 0;
}
