/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: allocation failure aborts the process with a message, so callers have no such branch.
 * The _cleanup_ attributes release a variable when it goes out of scope.
 */
#ifndef LKP_MEM_H
#define LKP_MEM_H

#include <stddef.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
/* realloc() of n * size bytes; overflow of the product aborts. */
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Grows *array (elements of `size` bytes, *cap of them) so that it holds at least n. */
void mem_grow(void *array, size_t *cap, size_t n, size_t size);

/* Frees a NULL-terminated vector of strings and the vector; NULL is fine. */
void strv_free(char **v);
/* Number of strings before the NULL; 0 for NULL. */
size_t strv_len(char *const *v);
/* Appends a copy of s to the NULL-terminated vector *v (NULL: empty). */
void strv_add(char ***v, const char *s);

void cleanup_free(void *p);   /* for _cleanup_free_: p is a pointer to the pointer */
void cleanup_fclose(void *p); /* FILE ** */
void cleanup_close(int *fd);  /* closes when >= 0 */
void cleanup_strv(char ***v);

#define _cleanup_free_	 __attribute__((cleanup(cleanup_free)))
#define _cleanup_fclose_ __attribute__((cleanup(cleanup_fclose)))
#define _cleanup_close_	 __attribute__((cleanup(cleanup_close)))
#define _cleanup_strv_	 __attribute__((cleanup(cleanup_strv)))
#define _cleanup_(f)	 __attribute__((cleanup(f)))

#endif
