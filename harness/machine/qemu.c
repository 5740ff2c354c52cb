/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/machine/drivers.h"
#include "harness/machine/initrd.h"
#include "harness/machine/kvm.h"
#include "harness/machine/qemu_argv.h"
#include "harness/machine/toolbox.h"
#include "harness/machine/watch.h"
#include "harness/util/fs.h"
#include "harness/util/log.h"
#include "harness/util/proc.h"

#define KVM_DEVICE "/dev/kvm"
#define MEMORY_MIN (64ll << 20)

static char no_kvm[400]; /* why accel "auto" is not kvm; "" until that is known, or when it is */

/* Decided once a process: the host does not change, and the warning is for saying once. */
static const struct qemu_accel *auto_accel(const struct config_machine *m)
{
	static const struct qemu_accel *chosen;
	struct err err = ERR_INIT;

	if (chosen)
		return chosen;
	chosen = qemu_accel_find(kvm_check(KVM_DEVICE, &err) == 0 ? "kvm" : "tcg");
	if (streq(chosen->name, "kvm"))
		return chosen;
	snprintf(no_kvm, sizeof(no_kvm), "emulated in software, for there is no KVM: %.300s",
		 err.msg);
	log_warn("KVM is not usable: machine %s is emulated in software, which is many times "
		 "slower and noisier; reason: %s",
		 m->name, err.msg);
	return chosen;
}

static const struct qemu_accel *accel_of(const struct config_machine *m)
{
	return streq(m->accel, "auto") ? auto_accel(m) : qemu_accel_find(m->accel);
}

static int check_programs(struct err *err)
{
	static const struct {
		const char *program, *package;
	} needed[] = {
		{QEMU_PROGRAM, "qemu-system-x86"},
		{"setpriv", "util-linux"},
		{"cpio", "cpio"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		_cleanup_free_ char *path = proc_which(needed[i].program);

		if (!path)
			return err_set(err, ERR_INFRA,
				       "%s is not installed; install the package %s",
				       needed[i].program, needed[i].package);
	}
	return 0;
}

static int check_kvm(const struct config_machine *m, struct err *err)
{
	struct err why = ERR_INIT;

	if (streq(m->accel, "auto") || kvm_check(KVM_DEVICE, &why) == 0)
		return 0;
	return err_set(err, ERR_INFRA,
		       "machine %s: accel kvm cannot be had here: %s; without KVM, use accel: tcg "
		       "or icount",
		       m->name, why.msg);
}

static int qemu_check(const struct config_machine *m, struct err *err)
{
	const struct qemu_accel *accel = accel_of(m);

	if (!accel)
		return err_set(err, ERR_USER,
			       "machine %s: accel is \"%s\", must be icount, kvm, tcg or auto",
			       m->name, m->accel ? m->accel : "");
	if (!m->cpu_model || !*m->cpu_model)
		return err_set(err, ERR_USER, "machine %s has no cpu_model for qemu", m->name);
	if (accel->one_cpu && m->cpus > 1)
		return err_set(err, ERR_USER,
			       "machine %s: accel %s has one CPU, but cpus is %lld; set cpus: 1",
			       m->name, accel->name, (long long)m->cpus);
	if (m->memory < MEMORY_MIN)
		return err_set(err, ERR_USER, "machine %s: memory must be at least %lld MiB",
			       m->name, MEMORY_MIN >> 20);
	if (check_programs(err) < 0)
		return err_wrap(err, "machine %s", m->name);
	return streq(accel->name, "kvm") ? check_kvm(m, err) : 0;
}

static const char *qemu_accel_name(const struct config_machine *m)
{
	const struct qemu_accel *accel = accel_of(m);

	return accel ? accel->name : "";
}

static const char *qemu_accel_reason(const struct config_machine *m)
{
	return streq(m->accel, "auto") && auto_accel(m) ? no_kvm : "";
}

static const char *const *qemu_needs(const struct config_machine *m)
{
	static const char *const nothing[] = {NULL};
	const struct qemu_accel *accel = accel_of(m);

	return accel ? accel->needs : nothing;
}

static bool qemu_deterministic(const struct config_machine *m)
{
	const struct qemu_accel *accel = accel_of(m);

	return accel && accel->deterministic;
}

/* "QEMU emulator version 7.2.22 (Debian ...)": asked once a process. */
static const char *qemu_version(void)
{
	static char version[80];
	const char *const argv[] = {QEMU_PROGRAM, "--version", NULL};
	_cleanup_str_ struct str out = STR_INIT;

	if (!*version && proc_check(argv, &out, NULL) == 0)
		snprintf(version, sizeof(version), "%.*s", (int)strcspn(out.buf, "\n"), out.buf);
	return version;
}

/* ---- the boot folder ------------------------------------------------------------------------- */

static int copy_kernel(const char *image, const char *to, struct err *err)
{
	_cleanup_close_ int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || fchmod(fd, 0644) < 0)
		return err_errno(err, "cannot write %s", to);
	return initrd_append(fd, image, err) < 0 ? err_wrap(err, "%s", to) : 0;
}

/* QEMU's user must get into the folder itself; the folders above it do not matter to him. */
static int make_share(const char *folder, bool drop, struct err *err)
{
	_cleanup_free_ char *share = xasprintf("%s/" QEMU_SHARE, folder);
	struct stat st;

	if (mkdir(share, 0700) < 0)
		return err_errno(err, "cannot make the folder %s", share);
	if (!drop)
		return 0;
	if (chown(share, QEMU_UID, QEMU_UID) < 0)
		return err_errno(err, "cannot give %s to QEMU's user", share);
	if (stat(folder, &st) < 0 || chmod(folder, (st.st_mode & 07777) | S_IXOTH) < 0)
		return err_errno(err, "cannot let QEMU's user into %s", folder);
	return 0;
}

static int prepare(const struct machine_boot *boot, bool drop, struct err *err)
{
	_cleanup_free_ char *kernel = xasprintf("%s/" QEMU_KERNEL, boot->folder);
	_cleanup_free_ char *initrd = xasprintf("%s/" QEMU_INITRD, boot->folder);
	_cleanup_free_ char *cpio = xasprintf("%s/" TOOLBOX_CPIO, boot->toolbox);

	if (make_share(boot->folder, drop, err) < 0)
		return -1;
	if (copy_kernel(boot->image, kernel, err) < 0)
		return -1;
	return initrd_for_boot(cpio, boot->job, initrd, err);
}

/* They are big, and made again from what is kept elsewhere. */
static void tidy(const struct machine_boot *boot)
{
	_cleanup_free_ char *kernel = xasprintf("%s/" QEMU_KERNEL, boot->folder);
	_cleanup_free_ char *initrd = xasprintf("%s/" QEMU_INITRD, boot->folder);

	unlink(kernel);
	unlink(initrd);
}

/* ---- the boot -------------------------------------------------------------------------------- */

static int run(const struct machine_boot *boot, struct machine_end *end, struct err *err)
{
	static const char *const env[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/",
					  "LC_ALL=C", NULL};
	_cleanup_free_ char *share = xasprintf("%s/" QEMU_SHARE, boot->folder);
	const struct watch_spec spec = {
		.boot = boot,
		.argv = end->argv,
		.env = env,
		.name = "QEMU",
		.guest = true,
		.share = share,
		.exits = qemu_exits,
	};

	return watch_run(&spec, end, err);
}

static int qemu_boot(const struct machine_boot *boot, struct machine_end *ret, struct err *err)
{
	const struct qemu_accel *accel = accel_of(boot->machine);
	struct qemu_user user = {.drop = geteuid() == 0};
	struct machine_end end = {.result = QEMU_SHARE};
	int status;

	if (qemu_check(boot->machine, err) < 0)
		return -1;
	if (streq(accel->name, "kvm"))
		user.group = kvm_group(KVM_DEVICE);
	snprintf(end.accel, sizeof(end.accel), "%s", accel->name);
	snprintf(end.accel_reason, sizeof(end.accel_reason), "%s",
		 qemu_accel_reason(boot->machine));
	snprintf(end.version, sizeof(end.version), "%s", qemu_version());
	end.argv = qemu_argv(boot, accel, &user);
	status = prepare(boot, user.drop, err);
	if (status == 0)
		status = run(boot, &end, err);
	tidy(boot);
	if (status < 0)
		machine_end_done(&end);
	else
		*ret = end;
	return status;
}

const struct machine_driver machine_qemu = {
	.name = "qemu",
	.summary = "boots the kernel in QEMU: icount (deterministic), kvm or tcg",
	.boots = true,
	.check = qemu_check,
	.accel = qemu_accel_name,
	.accel_reason = qemu_accel_reason,
	.deterministic = qemu_deterministic,
	.needs = qemu_needs,
	.boot = qemu_boot,
};
