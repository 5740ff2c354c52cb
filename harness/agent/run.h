/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run: a case's iterations in their setup, under their monitors.
 */
#ifndef LKP_AGENT_RUN_H
#define LKP_AGENT_RUN_H

#include "harness/agent/order.h"
#include "harness/agent/result.h"

/* Runs order->runs[index] and writes runs/<index>/. A benchmark that fails is a result (status
 * "bench-failed", no further iterations), not an error; -1 means that the agent itself could not do
 * its work. Whatever was set up is put back. */
int run_case(const struct order *order, size_t index, struct result *result, struct err *err);

#endif
