/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as lkp.yaml: read whole, or refused with a fault at a place inside the text. */
#include <stddef.h>
#include <stdint.h>

#include "harness/config/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_str_ struct str faults = STR_INIT;
	struct config *config = NULL;
	struct err err = ERR_INIT;

	if (config_parse("/nonexistent/lkp.yaml", (const char *)data, size, &config, &faults,
			 &err) < 0) {
		if (config || !faults.len || err.kind != ERR_USER)
			abort();
		return 0;
	}
	if (!config || faults.len)
		abort();
	config_free(config);
	return 0;
}
