/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the n-th call of one function fail, in one process: LD_PRELOAD=inject.so with
 * INJECT=FUNCTION:N:ERRNO (as a number). INJECT=FUNCTION:0:0 only counts. At its end the process
 * appends "FUNCTION CALLS" to the file $INJECT_COUNT. "write" stands for all that writes a file,
 * "fsync" for all that flushes one, "rename", "fork" and "malloc" likewise. Children never see any
 * of it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static struct {
	char function[16];
	long at, calls;
	int error;
	bool on;
} inject;

static char count_file[400];

static void in_child(void)
{
	inject.on = false;
	*count_file = '\0';
}

__attribute__((constructor)) static void start(void)
{
	const char *what = getenv("INJECT"), *file = getenv("INJECT_COUNT");

	unsetenv("LD_PRELOAD");
	if (!what ||
	    sscanf(what, "%15[^:]:%ld:%d", inject.function, &inject.at, &inject.error) != 3)
		return;
	if (file)
		snprintf(count_file, sizeof(count_file), "%s", file);
	pthread_atfork(NULL, NULL, in_child);
	inject.on = true;
}

__attribute__((destructor)) static void stop(void)
{
	char line[64];
	int fd, n;

	inject.on = false;
	if (!*count_file || (fd = open(count_file, O_WRONLY | O_CREAT | O_APPEND, 0644)) < 0)
		return;
	n = snprintf(line, sizeof(line), "%s %ld\n", inject.function, inject.calls);
	if (write(fd, line, (size_t)n) != n)
		perror("inject");
	close(fd);
}

/* Is this the call that fails? */
static bool fails(const char *function)
{
	if (!inject.on || strcmp(inject.function, function) != 0 || ++inject.calls != inject.at)
		return false;
	errno = inject.error;
	return true;
}

#define REAL(type, name, ...)                          \
	static type (*real)(__VA_ARGS__);              \
	if (!real) {                                   \
		void *found = dlsym(RTLD_NEXT, #name); \
		memcpy(&real, &found, sizeof(real));   \
	}

/* A pipe or a terminal is no file that fills up. */
static bool is_file(int fd)
{
	return lseek(fd, 0, SEEK_CUR) >= 0;
}

ssize_t write(int fd, const void *data, size_t n)
{
	REAL(ssize_t, write, int, const void *, size_t)
	return is_file(fd) && fails("write") ? -1 : real(fd, data, n);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
	REAL(ssize_t, pwrite, int, const void *, size_t, off_t)
	return fails("write") ? -1 : real(fd, data, n, at);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
	REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
	return fails("write") ? -1 : real(fd, data, n, at);
}

/* stdio writes by a way that cannot be caught: here a buffer fails when it is handed over. */
size_t fwrite(const void *data, size_t size, size_t n, FILE *file)
{
	REAL(size_t, fwrite, const void *, size_t, size_t, FILE *)
	return is_file(fileno(file)) && fails("write") ? 0 : real(data, size, n, file);
}

int fflush(FILE *file)
{
	REAL(int, fflush, FILE *)
	return file && is_file(fileno(file)) && fails("write") ? EOF : real(file);
}

int fsync(int fd)
{
	REAL(int, fsync, int)
	return fails("fsync") ? -1 : real(fd);
}

int fdatasync(int fd)
{
	REAL(int, fdatasync, int)
	return fails("fsync") ? -1 : real(fd);
}

int syncfs(int fd)
{
	REAL(int, syncfs, int)
	return fails("fsync") ? -1 : real(fd);
}

int rename(const char *from, const char *to)
{
	REAL(int, rename, const char *, const char *)
	return fails("rename") ? -1 : real(from, to);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	REAL(int, renameat, int, const char *, int, const char *)
	return fails("rename") ? -1 : real(from_dir, from, to_dir, to);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned int flags)
{
	REAL(int, renameat2, int, const char *, int, const char *, unsigned int)
	return fails("rename") ? -1 : real(from_dir, from, to_dir, to, flags);
}

int link(const char *from, const char *to)
{
	REAL(int, link, const char *, const char *)
	return fails("rename") ? -1 : real(from, to);
}

pid_t fork(void)
{
	REAL(pid_t, fork, void)
	return fails("fork") ? -1 : real();
}

/* dlsym() itself wants memory, so the real ones are found under the names that glibc gives them. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size)
{
	return fails("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails("malloc") ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
	return fails("malloc") ? NULL : __libc_realloc(block, size);
}
