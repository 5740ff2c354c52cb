/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

/* write(), because stdio may want memory itself. */
static void *checked(void *p)
{
	static const char text[] = "out of memory: free some, or raise the limit (ulimit -v)\n";

	if (p)
		return p;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(134);
	abort();
}

void *xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return checked(n && size ? calloc(n, size) : calloc(1, 1));
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	return checked(n && size ? reallocarray(p, n, size) : realloc(p, 1));
}

char *xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *xstrndup(const char *s, size_t n)
{
	return checked(strndup(s, n));
}

char *xasprintf(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	return checked(text);
}

void mem_grow(void *array, size_t *cap, size_t n, size_t size)
{
	size_t want = *cap;
	void *p;

	if (n <= want)
		return;
	want = want > SIZE_MAX / 2 ? n : want * 2;
	if (want < 8)
		want = 8;
	if (want < n)
		want = n;
	/* array is the address of a pointer of any type, so it goes through memcpy. */
	memcpy(&p, array, sizeof(p));
	p = xreallocarray(p, want, size);
	memcpy(array, &p, sizeof(p));
	*cap = want;
}

void strv_free(char **v)
{
	if (!v)
		return;
	for (char **s = v; *s; s++)
		free(*s);
	free(v);
}

size_t strv_len(char *const *v)
{
	size_t n = 0;

	while (v && v[n])
		n++;
	return n;
}

void strv_add(char ***v, const char *s)
{
	size_t n = strv_len(*v);
	char *copy = xstrdup(s);

	*v = xreallocarray(*v, n + 2, sizeof(**v));
	(*v)[n] = copy;
	(*v)[n + 1] = NULL;
}

void cleanup_free(void *p)
{
	void *block;

	memcpy(&block, p, sizeof(block));
	free(block);
}

void cleanup_fclose(void *p)
{
	FILE *file;

	memcpy(&file, p, sizeof(file));
	if (file)
		fclose(file);
}

void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

void cleanup_strv(char ***v)
{
	strv_free(*v);
}
