/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/kvm.h"

#include <fcntl.h>
#include <linux/kvm.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/machine/kvm_probe.h"
#include "harness/util/mem.h"

gid_t kvm_group(const char *device)
{
	struct stat st;

	if (stat(device, &st) < 0 || (st.st_mode & 0006) == 0006 || (st.st_mode & 0060) != 0060)
		return 0;
	return st.st_gid;
}

/* Root opens anything, but QEMU does not run as root. */
static int check_rights(const char *device, struct err *err)
{
	struct stat st;

	if (geteuid() != 0 || kvm_group(device) != 0)
		return 0;
	if (stat(device, &st) < 0)
		return err_errno(err, "cannot stat %s", device);
	if ((st.st_mode & 0006) == 0006)
		return 0;
	return err_set(
		err, ERR_INFRA,
		"%s is for root alone, and QEMU does not run as root here; give it to a group: "
		"chgrp kvm %s && chmod 0660 %s",
		device, device, device);
}

int kvm_check(const char *device, struct err *err)
{
	_cleanup_close_ int fd = open(device, O_RDWR | O_CLOEXEC), vm = -1;

	if (fd < 0)
		return err_errno(err,
				 "cannot open %s (is the kvm module loaded, and may you use it?)",
				 device);
	if (ioctl(fd, KVM_GET_API_VERSION, 0) != KVM_API_VERSION)
		return err_set(err, ERR_INFRA, "%s does not speak KVM's interface version %d",
			       device, KVM_API_VERSION);
	vm = ioctl(fd, KVM_CREATE_VM, 0);
	if (vm < 0)
		return err_errno(err, "%s makes no virtual machine", device);
	if (check_rights(device, err) < 0)
		return -1;
	return kvm_probe(fd, err) < 0 ? err_wrap(err, "%s", device) : 0;
}
