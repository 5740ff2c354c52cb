/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/result.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define DONE_CAP (16 << 20)

int result_open(struct result *result, const char *folder, struct err *err)
{
	_cleanup_free_ char *done = xasprintf("%s/done.json", folder);

	if (fs_mkdirs(folder, err) < 0)
		return -1;
	if (unlink(done) < 0 && errno != ENOENT)
		return err_errno(err, "%s: cannot remove the earlier answer", done);
	*result = (struct result){.folder = folder, .files = json_object()};
	return 0;
}

void result_done(struct result *result)
{
	json_decref(result->files);
	*result = (struct result){0};
}

static char *path_in(const char *folder, const char *name, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
	char *slash = strrchr(path, '/');

	*slash = '\0';
	if (fs_mkdirs(path, err) < 0)
		return NULL;
	*slash = '/';
	return xstrdup(path);
}

char *result_path(const struct result *result, const char *name, struct err *err)
{
	return path_in(result->folder, name, err);
}

static int write_all(const char *path, const char *data, size_t n, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0)
		return err_errno(err, "%s: cannot create", path);
	for (size_t done = 0; done < n;) {
		ssize_t part = write(fd, data + done, n - done);

		if (part < 0 && errno != EINTR)
			return err_errno(err, "%s: cannot write", path);
		if (part > 0)
			done += part;
	}
	return 0;
}

int result_write(struct result *result, const char *name, const void *data, size_t n,
		 struct err *err)
{
	_cleanup_free_ char *path = result_path(result, name, err);

	if (n > RESULT_FILE_CAP)
		n = RESULT_FILE_CAP;
	if (!path || write_all(path, data, n, err) < 0)
		return -1;
	json_object_set_new(result->files, name, json_integer(n));
	return 0;
}

int result_write_json(struct result *result, const char *name, const json_t *json, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;

	json_add(&text, json);
	return result_write(result, name, text.buf, text.len, err);
}

void result_adopt(struct result *result, const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", result->folder, name);
	struct stat st;

	if (lstat(path, &st) < 0)
		return;
	if (S_ISREG(st.st_mode) && st.st_size <= RESULT_FILE_CAP)
		json_object_set_new(result->files, name, json_integer(st.st_size));
	else
		unlink(path);
}

static int sync_folder(const char *path, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || syncfs(fd) < 0)
		return err_errno(err, "%s: cannot write to the disk", path);
	return 0;
}

int result_finish(struct result *result, const char *boot, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/done.json", result->folder);
	_cleanup_str_ struct str text = STR_INIT;
	_cleanup_json_ json_t *json = json_object();

	json_object_set_new(json, "format", json_string("lkp-result/1"));
	json_object_set_new(json, "boot", json_string(boot));
	json_object_set_new(json, "status", json_string("ok"));
	json_object_set(json, "files", result->files);
	json_add(&text, json);
	if (sync_folder(result->folder, err) < 0)
		return -1;
	return fs_write_atomic(path, text.buf, text.len, 0644, err);
}

static int copy_file(const char *from_folder, const char *to_folder, const char *name,
		     struct err *err)
{
	_cleanup_free_ char *from = xasprintf("%s/%s", from_folder, name);
	_cleanup_free_ char *to = path_in(to_folder, name, err);
	_cleanup_str_ struct str data = STR_INIT;

	if (!to || fs_read(from, RESULT_FILE_CAP, &data, err) < 0)
		return -1;
	return write_all(to, data.buf, data.len, err);
}

int result_copy(const struct result *result, const char *to, struct err *err)
{
	_cleanup_free_ char *done = xasprintf("%s/done.json", result->folder);
	_cleanup_free_ char *copied = xasprintf("%s/done.json", to);
	_cleanup_str_ struct str text = STR_INIT;
	const char *name;
	json_t *size;

	json_object_foreach(result->files, name, size)
	{
		if (copy_file(result->folder, to, name, err) < 0)
			return -1;
	}
	if (fs_read(done, DONE_CAP, &text, err) < 0 || sync_folder(to, err) < 0)
		return -1;
	return fs_write_atomic(copied, text.buf, text.len, 0644, err);
}
