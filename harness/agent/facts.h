/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine is: facts.json (docs/boot-folder.md).
 */
#ifndef LKP_AGENT_FACTS_H
#define LKP_AGENT_FACTS_H

#include <jansson.h>

#include "harness/agent/order.h"

/* A fact that cannot be read here is left out. `clocksource` is the one that was in use before the
 * first run; when it is another now, that one is "clocksource_end". New reference. Starts perf
 * once, to ask for its version: call it after the last measurement. */
json_t *facts_collect(const struct order *order, const char *clocksource);

#endif
