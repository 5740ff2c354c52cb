/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/fs_temp.h"
#include "harness/util/hash.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/time.h"

#define SUM_LEN	   16
#define PREFIX	   "{\"sum\":\""
#define PREFIX_LEN (sizeof(PREFIX) - 1 + SUM_LEN + 2) /* with the sum and its quote and comma */

struct journal {
	char *folder;
	int lock_fd;
};

struct journal *journal_new(const char *folder)
{
	struct journal *j = xcalloc(1, sizeof(*j));

	j->folder = xstrdup(folder);
	j->lock_fd = -1;
	return j;
}

void journal_free(struct journal *j)
{
	if (!j)
		return;
	journal_unlock(j);
	free(j->folder);
	free(j);
}

const char *journal_folder(const struct journal *j)
{
	return j->folder;
}

static bool is_journal(const char *name)
{
	static const char shape[] = "dddd-dd.jsonl";

	if (strlen(name) != sizeof(shape) - 1)
		return false;
	for (size_t i = 0; shape[i]; i++)
		if (shape[i] == 'd' ? name[i] < '0' || name[i] > '9' : name[i] != shape[i])
			return false;
	return true;
}

/* The journal's files, oldest first. */
static int list(const struct journal *j, char ***ret, struct err *err)
{
	_cleanup_strv_ char **all = NULL;
	char **names = NULL;

	if (fs_is_dir(j->folder) && fs_list(j->folder, &all, err) < 0)
		return -1;
	for (size_t i = 0; all && all[i]; i++)
		if (is_journal(all[i]))
			strv_add(&names, all[i]);
	*ret = names;
	return 0;
}

static int size_of(const struct journal *j, const char *file, int64_t *ret, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", j->folder, file);
	struct stat st;

	if (stat(path, &st) < 0 && errno != ENOENT)
		return err_errno(err, "%s", path);
	*ret = fs_exists(path) ? (int64_t)st.st_size : -1;
	return 0;
}

int journal_end(const struct journal *j, struct journal_pos *ret, struct err *err)
{
	_cleanup_strv_ char **names = NULL;
	struct journal_pos end = {.file = ""};
	size_t n;

	if (list(j, &names, err) < 0)
		return -1;
	n = strv_len(names);
	if (names && n) {
		snprintf(end.file, sizeof(end.file), "%s", names[n - 1]);
		if (size_of(j, names[n - 1], &end.offset, err) < 0)
			return -1;
	}
	*ret = end;
	return 0;
}

int journal_holds(const struct journal *j, const struct journal_pos *pos, bool *ret,
		  struct err *err)
{
	int64_t size = 0;

	if (*pos->file && size_of(j, pos->file, &size, err) < 0)
		return -1;
	*ret = !*pos->file || size >= pos->offset;
	return 0;
}

/* The first digits of the SHA-256 of what follows the prefix. */
static void sum_of(const char *text, size_t n, char ret[SUM_LEN + 1])
{
	char hex[HASH_HEX_LEN + 1];

	hash_bytes(text, n, hex);
	memcpy(ret, hex, SUM_LEN);
	ret[SUM_LEN] = '\0';
}

void journal_add_line(struct str *text, const json_t *object)
{
	_cleanup_free_ char *body =
		json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
	char sum[SUM_LEN + 1];

	sum_of(body + 1, strlen(body + 1), sum);
	str_addf(text, PREFIX "%s\",%s\n", sum, body + 1);
}

/* The line's object; NULL when it is not as it was written. */
static json_t *parse(const char *name, const struct str *line)
{
	char sum[SUM_LEN + 1];
	json_t *json = NULL;
	struct err ignored = ERR_INIT;

	if (line->len <= PREFIX_LEN || line->len > JOURNAL_LINE_MAX ||
	    memcmp(line->buf, PREFIX, sizeof(PREFIX) - 1) != 0)
		return NULL;
	sum_of(line->buf + PREFIX_LEN, line->len - PREFIX_LEN, sum);
	if (memcmp(line->buf + sizeof(PREFIX) - 1, sum, SUM_LEN) != 0 ||
	    json_load(name, line->buf, line->len, &json, &ignored) < 0)
		return NULL;
	if (!json_is_object(json)) {
		json_decref(json);
		return NULL;
	}
	return json;
}

/* A line without its end into ret, what is too much of it left out; 1 a whole line, 0 the file's
 * end (what is in ret was cut by it). *ret_n: bytes read. */
static int next_line(FILE *f, struct str *ret, int64_t *ret_n)
{
	int64_t n = 0;
	int c;

	str_reset(ret);
	while ((c = getc_unlocked(f)) != EOF) {
		n++;
		if (c == '\n')
			break;
		if (ret->len <= JOURNAL_LINE_MAX)
			str_addc(ret, (char)c);
	}
	*ret_n = n;
	return c != EOF;
}

int journal_read_file(FILE *f, const char *name, journal_line_fn *fn, void *arg, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	struct journal_line line = {.file = name, .number = 1, .offset = ftello(f)};
	int64_t n;

	for (int whole = 1; whole; line.number++, line.offset += n) {
		_cleanup_json_ json_t *json = NULL;
		whole = next_line(f, &text, &n);
		if (n == 0)
			break;
		line.json = json = whole ? parse(name, &text) : NULL;
		line.torn = !whole;
		if (fn(&line, arg, err) < 0)
			return -1;
	}
	return ferror(f) ? err_errno(err, "cannot read %s", name) : 0;
}

int journal_read(const struct journal *j, const struct journal_pos *from, journal_line_fn *fn,
		 void *arg, struct err *err)
{
	_cleanup_strv_ char **names = NULL;

	if (list(j, &names, err) < 0)
		return -1;
	for (size_t i = 0; names && names[i]; i++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", j->folder, names[i]);
		_cleanup_fclose_ FILE *f = NULL;
		if (strcmp(names[i], from->file) < 0)
			continue;
		f = fopen(path, "re");
		if (!f || (streq(names[i], from->file) && fseeko(f, from->offset, SEEK_SET) < 0))
			return err_errno(err, "cannot read %s", path);
		if (journal_read_file(f, names[i], fn, arg, err) < 0)
			return -1;
	}
	return 0;
}

int journal_lock(struct journal *j, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/.lock", j->folder);

	if (!fs_is_dir(j->folder) &&
	    (fs_mkdirs(j->folder, err) < 0 || fs_sync_folder_of(j->folder, err) < 0))
		return -1;
	return j->lock_fd >= 0 ? 0 : fs_lock(path, true, &j->lock_fd, err);
}

void journal_unlock(struct journal *j)
{
	if (j->lock_fd >= 0)
		close(j->lock_fd);
	j->lock_fd = -1;
}

/* How many bytes behind the file's last newline. */
static int tail_of(int fd, off_t size, struct str *ret_tail, struct err *err)
{
	char piece[65536];
	off_t at = size, begin = 0;

	while (at > 0 && begin == 0) {
		size_t n = at < (off_t)sizeof(piece) ? (size_t)at : sizeof(piece);
		at -= (off_t)n;
		if (pread(fd, piece, n, at) != (ssize_t)n)
			return err_errno(err, "cannot read");
		const char *end = memrchr(piece, '\n', n);
		begin = end ? at + (end - piece) + 1 : 0;
	}
	while (begin < size) {
		ssize_t n = pread(fd, piece, sizeof(piece), begin);
		if (n <= 0)
			return err_errno(err, "cannot read");
		str_addn(ret_tail, piece, (size_t)n);
		begin += n;
	}
	return 0;
}

int journal_heal(struct journal *j, struct err *err)
{
	_cleanup_str_ struct str tail = STR_INIT;
	_cleanup_close_ int fd = -1;
	struct journal_pos end;
	struct stat st;

	if (journal_end(j, &end, err) < 0)
		return -1;
	if (!*end.file)
		return 0;
	_cleanup_free_ char *path = xasprintf("%s/%s", j->folder, end.file);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 || fstat(fd, &st) < 0)
		return err_errno(err, "%s", path);
	if (tail_of(fd, st.st_size, &tail, err) < 0)
		return err_wrap(err, "%s", path);
	if (tail.len == 0)
		return 0;
	off_t keep = st.st_size - (off_t)tail.len;
	_cleanup_free_ char *aside = xasprintf("%s.torn-%lld", path, (long long)keep);
	if (fs_write_atomic(aside, tail.buf, tail.len, 0644, err) < 0)
		return -1;
	return ftruncate(fd, keep) < 0 || fsync(fd) < 0 ? err_errno(err, "%s", path) : 0;
}

/* A clock that was set back does not bring a line before the others. */
static int file_for_now(const struct journal *j, struct journal_pos *ret, struct err *err)
{
	char file[sizeof(ret->file)];
	time_t now = (time_t)time_now();
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(file, sizeof(file), "%Y-%m.jsonl", &tm);
	if (journal_end(j, ret, err) < 0)
		return -1;
	if (strcmp(file, ret->file) > 0) {
		memcpy(ret->file, file, sizeof(file));
		ret->offset = 0;
	}
	return 0;
}

int journal_append(struct journal *j, const struct str *lines, struct journal_pos *ret_end,
		   struct err *err)
{
	struct journal_pos end;

	if (journal_heal(j, err) < 0 || file_for_now(j, &end, err) < 0)
		return -1;
	_cleanup_free_ char *path = xasprintf("%s/%s", j->folder, end.file);
	_cleanup_close_ int fd =
		open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	struct fs_temp file = {.fd = fd};
	if (fd < 0)
		return err_errno(err, "cannot write to %s", path);
	if (fs_temp_write(&file, lines->buf, lines->len) < 0 || fsync(fd) < 0) {
		int code = errno;
		err_set_cause(err, ERR_INFRA, code == ENOSPC || code == EDQUOT ? "disk-full" : "",
			      "cannot write to %s: %s", path, strerror(code));
		/* What cannot be taken back stays as a torn line. */
		if (ftruncate(fd, end.offset) < 0)
			err_wrap(err, "part of a line is left");
		return -1;
	}
	if (end.offset == 0 && fs_sync_folder_of(path, err) < 0)
		return ftruncate(fd, 0) < 0 ? err_wrap(err, "a line is left in %s", path) : -1;
	end.offset += (int64_t)lines->len;
	*ret_end = end;
	return 0;
}

int journal_cut(struct journal *j, const struct journal_pos *end, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", j->folder, end->file);
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 || ftruncate(fd, end->offset) < 0 || fsync(fd) < 0)
		return err_errno(err, "cannot take back the last line of %s", path);
	return 0;
}
