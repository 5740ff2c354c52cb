/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/outcheck.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/fs_walk.h"
#include "harness/util/log.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"

#define FILES_MAX 1000000
#define DAY_S	  86400

struct check {
	const struct sandbox *box;
	int64_t now;
	int64_t cap, bytes;
	long files;
	struct str found; /* the first that is wrong; "": none */
};

static bool below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return str_starts(path, folder) && (!path[n] || path[n] == '/');
}

/* Kbuild links to the sources by absolute names. */
static const char *judge_link(const struct check *c, int dirfd, const char *name)
{
	char target[4096];
	ssize_t n = readlinkat(dirfd, name, target, sizeof(target) - 1);

	if (n < 0)
		return "a link that cannot be read";
	target[n] = '\0';
	if (*target != '/' || below(target, sandbox_src(c->box)) ||
	    below(target, sandbox_out(c->box)))
		return NULL;
	return "a link that leads out of the folder";
}

static const char *judge(const struct check *c, int dirfd, const char *name, const struct stat *st)
{
	if (st->st_uid != sandbox_uid() && st->st_uid != geteuid())
		return "another user's";
	if (S_ISLNK(st->st_mode))
		return judge_link(c, dirfd, name);
	if (S_ISDIR(st->st_mode))
		return (st->st_mode & 0700) == 0700 ? NULL : "a folder that is closed";
	if (!S_ISREG(st->st_mode))
		return "no file, folder or link";
	if (!(st->st_mode & 0400))
		return "a file that is closed";
	return st->st_mtime > c->now + DAY_S ? "of the future" : NULL;
}

static int look(int dirfd, const char *name, const struct stat *st, void *arg)
{
	struct check *c = arg;
	const char *wrong = judge(c, dirfd, name, st);

	c->bytes += (int64_t)st->st_blocks * 512;
	if (!wrong && ++c->files > FILES_MAX)
		wrong = "one file too many";
	if (!wrong && c->cap > 0 && c->bytes > c->cap)
		wrong = "one too many for \"build: output:\"";
	if (!wrong)
		return 0;
	str_add_safe(&c->found, name, strnlen(name, 100));
	str_addf(&c->found, " is %s", wrong);
	return -1;
}

bool outcheck_is_plain(const char *out, const char *name)
{
	for (const char *end = name; *end;) {
		_cleanup_free_ char *path = NULL;
		struct stat st;

		end += strspn(end, "/");
		end += strcspn(end, "/");
		path = xasprintf("%s/%.*s", out, (int)(end - name), name);
		if (lstat(path, &st) < 0)
			return true;
		if (*end ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode))
			return false;
	}
	return true;
}

static void find_fault(struct check *c, const char *const *plain)
{
	struct err err = ERR_INIT;

	for (; *plain && !c->found.len; plain++)
		if (!outcheck_is_plain(c->box->out, *plain))
			str_addf(&c->found, "%s is no file", *plain);
	if (!c->found.len && fs_walk(c->box->out, "look into", look, c, &err) < 0 && !c->found.len)
		str_add(&c->found, err.msg);
}

int outcheck_empty(const char *out, struct err *err)
{
	const char *const open_up[] = {"chmod", "-R", "u+rwX", "--", out, NULL};
	const mode_t mode = 0755;

	/* Root needs it not; as a user a closed folder cannot be emptied. What it does not change
	 * shows in the removal. */
	if (geteuid() != 0)
		proc_check(open_up, NULL, NULL);
	if (fs_remove_tree(out, err) < 0)
		return err_wrap(err, "cannot empty what a build left; remove it by hand");
	if (mkdir(out, mode) < 0 || chmod(out, mode) < 0 ||
	    (geteuid() == 0 && chown(out, SANDBOX_UID, SANDBOX_UID) < 0))
		return err_errno(err, "cannot make the folder %s", out);
	return 0;
}

int outcheck(const struct sandbox *box, const char *const *plain, int64_t cap, bool *ret_emptied,
	     struct err *err)
{
	struct check c = {.box = box, .cap = cap, .now = time_now(), .found = STR_INIT};
	int status = 0;

	find_fault(&c, plain);
	if (c.found.len) {
		log_warn("folder=%s: an earlier build left it unfit (%s); it is emptied", box->out,
			 c.found.buf);
		status = outcheck_empty(box->out, err);
	}
	if (status == 0)
		*ret_emptied = c.found.len > 0;
	str_done(&c.found);
	return status;
}
