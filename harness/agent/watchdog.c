/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/watchdog.h"

#include <fcntl.h>
#include <linux/watchdog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEVICE	"/dev/watchdog"
#define FIRST_S 60 /* until the first step is fed for */
/* QEMU's i6300esb counts to 2046. */
#define LONGEST_S 2000

static int device = -1;

static void set_option(int option)
{
	(void)!ioctl(device, WDIOC_SETOPTIONS, &option);
}

void watchdog_open(void)
{
	device = open(DEVICE, O_WRONLY | O_CLOEXEC);
	watchdog_feed(FIRST_S);
}

void watchdog_feed(double seconds)
{
	int timeout = seconds < LONGEST_S ? (int)seconds + 1 : 0;

	if (device < 0)
		return;
	if (!timeout) {
		set_option(WDIOS_DISABLECARD);
		return;
	}
	set_option(WDIOS_ENABLECARD);
	/* One that cannot be set might be too short. */
	if (ioctl(device, WDIOC_SETTIMEOUT, &timeout) < 0)
		set_option(WDIOS_DISABLECARD);
}

/* A close without the letter means that the one who fed it died. */
void watchdog_close(void)
{
	if (device < 0)
		return;
	(void)!write(device, "V", 1);
	close(device);
	device = -1;
}
