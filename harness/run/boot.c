/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/run/boot.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "harness/machine/findings.h"
#include "harness/machine/intake.h"
#include "harness/run/decode.h"
#include "harness/run/index.h"
#include "harness/run/order.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"

#define SILENCE_BEHIND 20.0 /* seconds that the agent has to end an iteration that timed out */

/* Bytes on the disk: before a boot (a guest's answer is at most 64 MiB, and copied), and behind it.
 */
#define ROOM_BEFORE (256u << 20)
#define ROOM_AFTER  (64u << 20)

static void random_bytes(void *to, size_t n)
{
	while (getrandom(to, n, 0) != (ssize_t)n)
		if (errno != EINTR)
			abort();
}

uint64_t run_seed(void)
{
	uint32_t x;
	random_bytes(&x, sizeof(x));
	x &= 0x7fffffff;
	return x ? x : 1;
}

/* A version 4 uuid (RFC 9562). */
static void make_uuid(char text[RUN_BOOT_LEN + 1])
{
	unsigned char b[16];
	_cleanup_str_ struct str s = STR_INIT;
	random_bytes(b, sizeof(b));
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
	for (size_t i = 0; i < sizeof(b); i++)
		str_addf(&s, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
	memcpy(text, s.buf, RUN_BOOT_LEN + 1);
}

static char *results_folder(const struct config *config, const char *machine)
{
	return xasprintf("%s/results/%s", config->paths.state, machine);
}

int run_lock(const struct config *config, const char *machine, bool wait, int *ret_fd,
	     struct err *err)
{
	_cleanup_free_ char *results = results_folder(config, machine);
	_cleanup_free_ char *lock = xasprintf("%s/.lock", results);
	_cleanup_strv_ char **names = NULL;
	_cleanup_close_ int fd = -1;
	if (fs_mkdirs(results, err) < 0)
		return -1;
	if (fs_lock(lock, wait, &fd, err) < 0)
		return err_wrap(err, "machine \"%s\" is in use by another lkp process", machine);
	if (fs_list(results, &names, err) < 0)
		return -1;
	for (size_t i = 0; names && names[i]; i++) {
		/* Only the lock's holder makes such a folder: this one's maker was killed. */
		if (names[i][0] != '.' || !str_ends(names[i], ".part"))
			continue;
		_cleanup_free_ char *stale = xasprintf("%s/%s", results, names[i]);
		if (fs_remove_tree(stale, err) < 0)
			return -1;
	}
	*ret_fd = fd;
	fd = -1;
	return 0;
}

static json_t *commit_json(const struct commit *c)
{
	json_t *obj = json_object();
	json_t *parents = json_array();
	for (size_t i = 0; i < c->n_parents; i++)
		json_array_append_new(parents, json_string(c->parents[i]));
	json_object_set_new(obj, "id", json_string(c->id));
	json_object_set_new(obj, "parents", parents);
	json_object_set_new(obj, "subject", json_string(c->subject));
	json_object_set_new(
		obj, "author",
		json_pack("{s:s,s:s}", "name", c->author_name, "email", c->author_email));
	json_object_set_new(obj, "date", json_integer(c->date));
	return obj;
}

static json_t *argv_json(char *const *argv)
{
	json_t *list = json_array();
	for (size_t i = 0; argv && argv[i]; i++)
		json_array_append_new(list, json_string(argv[i]));
	return list;
}

/* json_string() refuses what is no UTF-8; a detail quotes the console. */
static json_t *safe_string(const char *text)
{
	_cleanup_str_ struct str s = STR_INIT;
	str_add_safe(&s, text, strlen(text));
	return json_string(s.buf);
}

/* What the kernel itself says it was configured with; absent without CONFIG_IKCONFIG_PROC. */
static void add_config_hash(json_t *obj, const char *folder)
{
	_cleanup_free_ char *path = xasprintf("%s/result/config.gz", folder);
	char hex[HASH_HEX_LEN + 1];
	struct err none = ERR_INIT;
	if (fs_exists(path) && hash_file(path, hex, &none) == 0)
		json_object_set_new(obj, "config_gz_sha256", json_string(hex));
}

static json_t *findings_json(const struct machine_end *end)
{
	json_t *list = json_array();
	for (size_t i = 0; i < end->n_findings; i++) {
		const struct console_finding *f = &end->findings[i];
		json_t *obj = json_object();
		json_object_set_new(obj, "kind", json_string(f->kind->name));
		json_object_set_new(obj, "title", safe_string(f->title));
		json_object_set_new(obj, "frame", safe_string(f->frame));
		json_object_set_new(obj, "signature", safe_string(f->signature));
		json_object_set_new(obj, "fatal", json_boolean(f->fatal));
		json_object_set_new(obj, "offset", json_integer((json_int_t)f->offset));
		json_object_set_new(obj, "count", json_integer(f->count));
		json_array_append_new(list, obj);
	}
	return list;
}

static int write_boot_json(const struct run_boot *b, const struct run_ended *ended,
			   const struct machine_end *end, int64_t started, const char *folder,
			   struct err *err)
{
	_cleanup_json_ json_t *obj = json_object();
	_cleanup_free_ char *path = xasprintf("%s/boot.json", folder);
	_cleanup_str_ struct str text = STR_INIT;
	json_object_set_new(obj, "format", json_string("lkp-boot/1"));
	json_object_set_new(obj, "boot", json_string(ended->boot));
	json_object_set_new(obj, "machine", json_string(b->machine->name));
	json_object_set_new(obj, "class", json_string(b->machine->class));
	json_object_set_new(obj, "driver", json_string(b->driver->name));
	json_object_set_new(obj, "accel", json_string(end->accel));
	if (*end->accel_reason)
		json_object_set_new(obj, "accel_reason", safe_string(end->accel_reason));
	json_object_set_new(obj, "emulator", safe_string(end->version));
	json_object_set_new(obj, "tree", json_string(b->kernel->tree));
	json_object_set_new(obj, "commit", commit_json(b->kernel->commit));
	json_object_set_new(obj, "kconfig", json_string(b->kernel->kconfig));
	json_object_set_new(obj, "toolchain", json_string(b->kernel->toolchain));
	json_object_set_new(obj, "image_id", json_string(b->kernel->image_id));
	json_object_set_new(obj, "toolbox_id", json_string(b->toolbox_id));
	json_object_set_new(obj, "block", json_integer(b->block));
	json_object_set_new(obj, "purpose", json_string(b->purpose));
	json_object_set_new(obj, "seed", json_integer((json_int_t)b->seed));
	json_object_set_new(obj, "argv", argv_json(end->argv));
	json_object_set_new(obj, "started", json_integer(started));
	json_object_set_new(obj, "seconds", json_num(end->seconds));
	json_object_set_new(obj, "init_seconds", json_num(end->init_seconds));
	json_object_set_new(obj, "status", json_string(machine_status_name(ended->status)));
	json_object_set_new(obj, "kind",
			    json_string(ended->status == end->status
						? end->kind
						: machine_status_name(ended->status)));
	json_object_set_new(obj, "detail", safe_string(ended->detail));
	json_object_set_new(obj, "findings", findings_json(end));
	add_config_hash(obj, folder);
	json_add(&text, obj);
	return fs_write_atomic(path, text.buf, text.len, 0644, err);
}

/* A boot on a full disk says nothing about its kernel: it is not begun without room for kernel,
 * initramfs and answer, and one that failed while others took that room does not count. */
static int check_room(const struct run_boot *b, uint64_t wanted, struct err *err)
{
	const char *state = b->config->paths.state;
	struct statvfs fs;

	if (statvfs(state, &fs) < 0 || (uint64_t)fs.f_bavail * fs.f_frsize >= wanted)
		return 0;
	return err_set_cause(
		err, ERR_INFRA, "disk-full",
		"the disk that holds %s is full: a boot needs %u MiB; free some, or set "
		"\"paths: state:\" to a folder that has the room",
		state, (unsigned int)(ROOM_BEFORE >> 20));
}

/* Takes over what the machine answered. An answer that is not whole makes an "ok" boot a failed
 * one. */
static int take_result(const struct machine_end *end, const char *folder, struct run_ended *ended,
		       struct err *err)
{
	_cleanup_free_ char *from = xasprintf("%s/%s", folder, end->result);
	_cleanup_free_ char *taken = xasprintf("%s/.taken", folder);
	_cleanup_free_ char *result = xasprintf("%s/result", folder);
	struct err bad = ERR_INIT;

	ended->status = end->status;
	snprintf(ended->detail, sizeof(ended->detail), "%s", end->detail);
	snprintf(ended->what, sizeof(ended->what), "%s%s%s", end->kind, *end->frame ? " in " : "",
		 end->frame);
	if (end->status == MACHINE_OK && intake_result(from, taken, ended->boot, &bad) < 0) {
		if (bad.kind == ERR_INFRA) {
			*err = bad;
			return -1;
		}
		ended->status = MACHINE_BENCH_FAILED;
		snprintf(ended->what, sizeof(ended->what), "%s",
			 machine_status_name(ended->status));
		snprintf(ended->detail, sizeof(ended->detail), "%.399s", bad.msg);
	}
	if (fs_remove_tree(from, err) < 0 || fs_remove_tree(result, err) < 0)
		return -1;
	if (ended->status == MACHINE_OK)
		return fs_rename(taken, result, err);
	return fs_remove_tree(taken, err);
}

/* The agent is silent while an iteration runs, and ends one that takes too long. Its clock is the
 * guest's, which on a deterministic machine has little to do with ours: iterations are short there.
 */
static double silence_allowed(const struct run_boot *b)
{
	double allowed = b->machine->silence_timeout;

	if (b->driver->deterministic && b->driver->deterministic(b->machine))
		return allowed;
	for (size_t i = 0; i < b->n_cases; i++)
		if (b->cases[i].job->timeout + SILENCE_BEHIND > allowed)
			allowed = b->cases[i].job->timeout + SILENCE_BEHIND;
	return allowed;
}

static int boot_in(const struct run_boot *b, const char *folder, struct run_ended *ended,
		   struct err *err)
{
	_cleanup_(machine_end_done) struct machine_end end = {0};
	_cleanup_str_ struct str job = STR_INIT;
	_cleanup_free_ char *job_path = xasprintf("%s/job.json", folder);
	int64_t started = time_now();

	if (fs_mkdirs(folder, err) < 0 || check_room(b, ROOM_BEFORE, err) < 0 ||
	    order_write(b, ended->boot, folder, &job, err) < 0 ||
	    fs_write_atomic(job_path, job.buf, job.len, 0644, err) < 0)
		return -1;
	const struct machine_boot boot = {
		.machine = b->machine,
		.image = b->kernel->image,
		.cmdline = b->cmdline,
		.toolbox = b->toolbox,
		.job = job.buf,
		.folder = folder,
		.boot = ended->boot,
		.seed = b->seed,
		.deadline_s = b->machine->boot_timeout + order_seconds(b),
		.silence_s = silence_allowed(b),
		.ignore = b->kernel->rules ? b->kernel->rules->ignore : NULL,
		.fatal_warnings = b->kernel->rules && b->kernel->rules->fatal_warnings,
		.progress = b->progress,
	};
	if (b->driver->boot(&boot, &end, err) < 0)
		return -1;
	if (end.status == MACHINE_CANCELLED)
		return proc_check_cancel(err) < 0
			       ? -1
			       : err_set_cause(err, ERR_INFRA, "cancelled", "cancelled");
	ended->seconds = end.seconds;
	if ((end.status != MACHINE_OK && check_room(b, ROOM_AFTER, err) < 0) ||
	    take_result(&end, folder, ended, err) < 0)
		return -1;
	decode_report(b, folder);
	return write_boot_json(b, ended, &end, started, folder, err);
}

int run_boot(struct db *db, const struct run_boot *b, struct run_ended *ret, struct err *err)
{
	struct run_ended ended = {.status = MACHINE_OK};
	struct index_counts counts = {0};
	_cleanup_free_ char *results = results_folder(b->config, b->machine->name);

	make_uuid(ended.boot);
	_cleanup_free_ char *part = xasprintf("%s/.%s.part", results, ended.boot);
	_cleanup_free_ char *folder = xasprintf("%s/%s", results, ended.boot);
	if (boot_in(b, part, &ended, err) < 0) {
		struct err ignored = ERR_INIT;
		fs_remove_tree(part, &ignored);
		return -1;
	}
	if (fs_rename(part, folder, err) < 0 || index_boot(db, folder, &counts, err) < 0)
		return -1;
	ended.failed = counts.failed;
	*ret = ended;
	return 0;
}
