/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/end.h"

#include <stdlib.h>

#include "harness/util/mem.h"

static const char *const status_names[] = {
	[MACHINE_OK] = "ok",
	[MACHINE_NO_INIT] = "no-init",
	[MACHINE_PANIC] = "panic",
	[MACHINE_OOPS] = "oops",
	[MACHINE_HANG] = "hang",
	[MACHINE_SILENCE] = "silence",
	[MACHINE_DEADLINE] = "deadline",
	[MACHINE_BENCH_FAILED] = "bench-failed",
	[MACHINE_INFRA_FAILED] = "infra-failed",
	[MACHINE_CANCELLED] = "cancelled",
};

const char *machine_status_name(enum machine_status status)
{
	return (size_t)status < ARRAY_SIZE(status_names) ? status_names[status] : "unknown";
}

void machine_end_done(struct machine_end *end)
{
	strv_free(end->argv);
	free(end->findings);
	end->argv = NULL;
	end->findings = NULL;
	end->n_findings = 0;
}
