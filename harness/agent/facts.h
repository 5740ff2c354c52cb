/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine is: facts.json (docs/boot-folder.md).
 */
#ifndef LKP_AGENT_FACTS_H
#define LKP_AGENT_FACTS_H

#include <jansson.h>

#include "harness/agent/order.h"

/* What was so before the first run. */
struct facts_start {
	const char *clocksource; /* in use; when it is another now, that one is "clocksource_end" */
	double init_uptime,
		ready_uptime; /* clock_uptime() when we began, and before the first run */
};

/* A fact that cannot be read here is left out. New reference. Starts perf once, to ask for its
 * version: call it after the last measurement. */
json_t *facts_collect(const struct order *order, const struct facts_start *start);

#endif
