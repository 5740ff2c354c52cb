/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define DONE	      "done.json"
#define FORMAT	      "lkp-result/1"
#define BAD(err, ...) err_set_cause(err, ERR_BENCH, "bad-result", __VA_ARGS__)

/* Whatever a reader of the guest's files said: it is about the answer, not about us. */
static int bad_wrap(struct err *err, const char *what)
{
	struct err said = err ? *err : (struct err)ERR_INIT;

	return BAD(err, "%s: %s", what, said.msg);
}

static int bad_path(struct err *err, const char *path)
{
	_cleanup_str_ struct str safe = STR_INIT;

	str_add_safe(&safe, path, strlen(path));
	str_cut(&safe, 300);
	return BAD(err, DONE " names the file \"%s\", which is no path that a result may have",
		   safe.buf);
}

/* Relative, of plain characters, no component hidden (so neither "." nor ".."). */
static int check_path(const char *path, struct err *err)
{
	static const char *const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789._/-";
	size_t depth = 1, n = strlen(path);

	if (!n || n > INTAKE_PATH_MAX || path[strspn(path, plain)] || streq(path, DONE))
		return bad_path(err, path);
	for (const char *p = path; p; p = strchr(p, '/'), p = p ? p + 1 : NULL, depth++)
		if (*p == '.' || *p == '/' || !*p || depth > INTAKE_DEPTH_MAX)
			return bad_path(err, path);
	return 0;
}

static int check_files(const json_t *files, struct err *err)
{
	const char *path;
	json_t *value;
	json_int_t total = 0;

	if (json_object_size(files) > INTAKE_FILES_MAX)
		return BAD(err, DONE " names %zu files, at most %d are taken",
			   json_object_size(files), INTAKE_FILES_MAX);
	json_object_foreach((json_t *)files, path, value)
	{
		json_int_t size = json_is_integer(value) ? json_integer_value(value) : -1;

		if (check_path(path, err) < 0)
			return -1;
		if (size < 0 || size > INTAKE_FILE_CAP)
			return BAD(err, DONE ": the size of %s must be a number from 0 to %u", path,
				   INTAKE_FILE_CAP);
		total += size;
		if (total > INTAKE_TOTAL_CAP)
			return BAD(err, DONE " names more than %u bytes in all", INTAKE_TOTAL_CAP);
	}
	return 0;
}

static int check_word(const json_t *done, const char *key, const char *want, struct err *err)
{
	_cleanup_str_ struct str safe = STR_INIT;
	const char *value;

	if (json_get_str(done, "$", key, true, &value, err) < 0)
		return bad_wrap(err, DONE);
	if (streq(value, want))
		return 0;
	str_add_safe(&safe, value, strlen(value));
	str_cut(&safe, 200);
	return BAD(err, DONE ": %s is \"%s\", must be \"%s\"", key, safe.buf, want);
}

int intake_files(const char *text, size_t n, const char *boot, json_t **ret, struct err *err)
{
	_cleanup_json_ json_t *done = NULL;
	json_t *files;

	if (json_load(DONE, text, n, &done, err) < 0)
		return bad_wrap(err, "the agent's answer");
	if (!json_is_object(done))
		return BAD(err, DONE " is no object");
	if (check_word(done, "format", FORMAT, err) < 0 ||
	    check_word(done, "boot", boot, err) < 0 || check_word(done, "status", "ok", err) < 0)
		return -1;
	if (json_get_object(done, "$", "files", true, &files, err) < 0)
		return bad_wrap(err, DONE);
	if (check_files(files, err) < 0)
		return -1;
	*ret = json_incref(files);
	return 0;
}

static int write_new(const char *path, const struct str *bytes, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	size_t done = 0;

	if (fd < 0)
		return err_errno(err, "cannot write %s", path);
	while (done < bytes->len) {
		ssize_t n = write(fd, bytes->buf + done, bytes->len - done);

		if (n < 0 && errno != EINTR)
			return err_errno(err, "cannot write %s", path);
		if (n > 0)
			done += (size_t)n;
	}
	return 0;
}

/* A name that is a file in one path and a folder in another cannot be whole. */
static int make_parent(const char *to, const char *path, struct err *err)
{
	_cleanup_free_ char *parent = xasprintf("%s/%s", to, path);
	struct stat st;

	*strrchr(parent, '/') = '\0';
	for (char *p = parent + strlen(to); *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (stat(parent, &st) == 0 && !S_ISDIR(st.st_mode))
			return bad_path(err, path);
		*p = '/';
	}
	if (stat(parent, &st) == 0 && !S_ISDIR(st.st_mode))
		return bad_path(err, path);
	return fs_mkdirs(parent, err);
}

static int take(int dirfd, const char *to, const char *path, size_t size, struct err *err)
{
	_cleanup_free_ char *target = xasprintf("%s/%s", to, path);
	_cleanup_str_ struct str bytes = STR_INIT;

	if (fs_read_beneath(dirfd, path, INTAKE_FILE_CAP, &bytes, err) < 0)
		return bad_wrap(err, "the agent's answer is not whole");
	if (bytes.len != size)
		return BAD(err, "the agent's answer is not whole: %s has %zu bytes, must have %zu",
			   path, bytes.len, size);
	if (fs_is_dir(target))
		return bad_path(err, path);
	if (make_parent(to, path, err) < 0)
		return -1;
	return write_new(target, &bytes, err);
}

static int take_all(int dirfd, const char *to, const char *boot, struct err *err)
{
	_cleanup_free_ char *target = xasprintf("%s/" DONE, to);
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_json_ json_t *files = NULL;
	const char *path;
	json_t *size;

	if (fs_read_beneath(dirfd, DONE, INTAKE_FILE_CAP, &text, err) < 0)
		return bad_wrap(err, "the agent left no answer");
	if (intake_files(text.buf, text.len, boot, &files, err) < 0)
		return -1;
	json_object_foreach(files, path, size)
	{
		if (take(dirfd, to, path, (size_t)json_integer_value(size), err) < 0)
			return -1;
	}
	return write_new(target, &text, err);
}

/* One sync for all of it: thousands of single ones would take longer than the boot. */
static int sync_all(const char *to, struct err *err)
{
	_cleanup_close_ int fd = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || syncfs(fd) < 0)
		return err_errno(err, "cannot flush %s to the disk", to);
	return 0;
}

int intake_result(const char *from, const char *to, const char *boot, struct err *err)
{
	_cleanup_close_ int fd = open(from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return BAD(err, "the agent left no answer: there is no folder %s", from);
	if (fd < 0)
		return err_errno(err, "cannot open %s", from);
	if (take_all(fd, to, boot, err) < 0)
		return -1;
	return sync_all(to, err);
}
