/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/machine.h"

#include <unistd.h>

#include "harness/machine/drivers.h"

const struct machine_driver *const machine_drivers[] = {
	&machine_qemu,
	&machine_local,
	&machine_fake,
	NULL,
};

const struct machine_driver *machine_driver_find(const char *name)
{
	for (const struct machine_driver *const *d = machine_drivers; *d; d++)
		if (streq((*d)->name, name))
			return *d;
	return NULL;
}

int machine_cpus(const struct config_machine *machine)
{
	const struct machine_driver *driver = machine_driver_find(machine->driver);

	if (driver && driver->boots && driver->deterministic(machine))
		return 1;
	if (machine->cpus > 0)
		return (int)machine->cpus;
	return driver == &machine_local ? (int)sysconf(_SC_NPROCESSORS_ONLN) : 1;
}
