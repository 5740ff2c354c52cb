/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/shape.h"

struct machine_shape machine_shape(const struct config_machine *machine)
{
	struct machine_shape s = {1, 1, 1};
	int cpus = machine->cpus > 0 ? (int)machine->cpus : 1;

	if (machine->sockets > 0)
		s.sockets = (int)machine->sockets;
	if (machine->threads > 0)
		s.threads = (int)machine->threads;
	s.cores = cpus / (s.sockets * s.threads);
	if (s.cores < 1)
		s = (struct machine_shape){1, cpus, 1};
	return s;
}
