/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the CPUs of an emulated machine lie.
 */
#ifndef LKP_SHAPE_H
#define LKP_SHAPE_H

#include "harness/config/config.h"

/* sockets * cores (of a socket) * threads (of a core) CPUs. */
struct machine_shape {
	int sockets, cores, threads;
};

/* As configured; where that cannot be, one socket of single-threaded cores. */
struct machine_shape machine_shape(const struct config_machine *machine);

#endif
