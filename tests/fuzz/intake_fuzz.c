/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as done.json: refused, or files that all lie below the folder and within the caps. */
#include <stddef.h>
#include <stdint.h>

#include "harness/machine/intake.h"
#include "harness/util/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_file(const char *path, const json_t *size)
{
	if (*path == '/' || *path == '.' || !*path || strlen(path) > INTAKE_PATH_MAX)
		abort();
	if (strstr(path, "/.") || strstr(path, "//") || path[strlen(path) - 1] == '/')
		abort();
	for (const char *p = path; *p; p++)
		if (*p <= ' ' || (unsigned char)*p >= 127)
			abort();
	if (json_integer_value(size) < 0 || json_integer_value(size) > INTAKE_FILE_CAP)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_json_ json_t *files = NULL;
	struct err err = ERR_INIT;
	json_int_t total = 0;
	const char *path;
	json_t *value;

	if (intake_files((const char *)data, size, "b1", &files, &err) < 0) {
		if (files || err.kind != ERR_BENCH || !streq(err.cause, "bad-result"))
			abort();
		return 0;
	}
	if (json_object_size(files) > INTAKE_FILES_MAX)
		abort();
	json_object_foreach(files, path, value)
	{
		check_file(path, value);
		total += json_integer_value(value);
	}
	if (total > INTAKE_TOTAL_CAP)
		abort();
	return 0;
}
