/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON by jansson, with strict loading and typed access that says where a fault is.
 */
#ifndef LKP_JSON_H
#define LKP_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/util/err.h"
#include "harness/util/str.h"

#define _cleanup_json_ __attribute__((cleanup(json_cleanup)))
void json_cleanup(json_t **json);
/* To be called once, before any JSON is made: an allocation that fails aborts, as ours do. Without
 * it a text that could not be held in memory reads as one that is wrong. */
void json_init(void);

/* Parses all n bytes as one value; duplicate keys, trailing text, nesting over 64 and NUL bytes in
 * strings are errors of kind USER, "name:line:column: what". The caller owns *ret. */
int json_load(const char *name, const char *text, size_t n, json_t **ret, struct err *err);
/* The same from a file of at most cap bytes. */
int json_load_path(const char *path, size_t cap, json_t **ret, struct err *err);

/* Members of an object. path names obj in messages ("$.runs[3]"). With required=false a missing key
 * leaves *ret alone and is fine; a wrong type or range never is (kind USER). Borrowed strings. */
int json_get_str(const json_t *obj, const char *path, const char *key, bool required,
		 const char **ret, struct err *err);
int json_get_int(const json_t *obj, const char *path, const char *key, bool required, int64_t *ret,
		 struct err *err);
int json_get_num(const json_t *obj, const char *path, const char *key, bool required, double *ret,
		 struct err *err);
int json_get_bool(const json_t *obj, const char *path, const char *key, bool required, bool *ret,
		  struct err *err);
int json_get_array(const json_t *obj, const char *path, const char *key, bool required,
		   json_t **ret, struct err *err);
int json_get_object(const json_t *obj, const char *path, const char *key, bool required,
		    json_t **ret, struct err *err);
/* Refuses keys of obj that are not in the NULL-terminated list, naming the nearest known one. */
int json_check_keys(const json_t *obj, const char *path, const char *const *known, struct err *err);

/* Appends the value, indented by two blanks, keys in the order they were set, reals with up to 17
 * significant digits, and a newline. */
void json_add(struct str *s, const json_t *json);
/* A JSON real for finite x, null otherwise. New reference. */
json_t *json_num(double x);

#endif
