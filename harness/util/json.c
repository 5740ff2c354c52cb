/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/json.h"

#include <math.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define DEPTH_MAX 64

void json_init(void)
{
	json_set_alloc_funcs(xmalloc, free);
}

void json_cleanup(json_t **json)
{
	json_decref(*json);
}

/* jansson's own limit of depth is 2048 and fixed, so brackets outside strings are counted first. */
static int check_depth(const char *name, const char *text, size_t n, struct err *err)
{
	size_t line = 1, column = 0;
	int depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		char c = text[i];

		column++;
		if (c == '\n') {
			line++;
			column = 0;
		} else if (quoted && c == '\\') {
			i++;
			column++;
		} else if (c == '"') {
			quoted = !quoted;
		} else if (!quoted && (c == '[' || c == '{')) {
			if (++depth > DEPTH_MAX)
				return err_set(err, ERR_USER, "%s:%zu:%zu: nested deeper than %d",
					       name, line, column, DEPTH_MAX);
		} else if (!quoted && (c == ']' || c == '}')) {
			depth--;
		}
	}
	return 0;
}

int json_load(const char *name, const char *text, size_t n, json_t **ret, struct err *err)
{
	_cleanup_str_ struct str what = STR_INIT;
	json_error_t fault;
	json_t *json;

	if (check_depth(name, text, n, err) < 0)
		return -1;
	json = json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &fault);
	if (json) {
		*ret = json;
		return 0;
	}
	str_add_safe(&what, fault.text, strnlen(fault.text, sizeof(fault.text)));
	return err_set(err, ERR_USER, "%s:%d:%d: %s", name, fault.line < 1 ? 1 : fault.line,
		       fault.column < 1 ? 1 : fault.column, what.buf);
}

int json_load_path(const char *path, size_t cap, json_t **ret, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;

	if (fs_read(path, cap, &text, err) < 0)
		return -1;
	return json_load(path, text.buf, text.len, ret, err);
}

static const char *type_name(const json_t *json)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object",   [JSON_ARRAY] = "an array",
		[JSON_STRING] = "a string",    [JSON_INTEGER] = "an integer",
		[JSON_REAL] = "a real number", [JSON_TRUE] = "true",
		[JSON_FALSE] = "false",	       [JSON_NULL] = "null",
	};

	return json ? names[json_typeof(json)] : "nothing";
}

/* Finds the member: 1 found, 0 absent and allowed to be, -1 error. */
static int member(const json_t *obj, const char *path, const char *key, bool required, json_t **ret,
		  struct err *err)
{
	json_t *value;

	if (!json_is_object(obj))
		return err_set(err, ERR_USER, "%s: expected an object, found %s", path,
			       type_name(obj));
	value = json_object_get(obj, key);
	if (!value && required)
		return err_set(err, ERR_USER, "%s: the key \"%s\" is missing", path, key);
	if (!value)
		return 0;
	*ret = value;
	return 1;
}

static int wrong_type(const char *path, const char *key, const char *wanted, const json_t *found,
		      struct err *err)
{
	return err_set(err, ERR_USER, "%s.%s: expected %s, found %s", path, key, wanted,
		       type_name(found));
}

int json_get_str(const json_t *obj, const char *path, const char *key, bool required,
		 const char **ret, struct err *err)
{
	json_t *value = NULL;
	int found = member(obj, path, key, required, &value, err);

	if (found <= 0)
		return found;
	if (!json_is_string(value))
		return wrong_type(path, key, "a string", value, err);
	*ret = json_string_value(value);
	return 0;
}

int json_get_int(const json_t *obj, const char *path, const char *key, bool required, int64_t *ret,
		 struct err *err)
{
	json_t *value = NULL;
	int found = member(obj, path, key, required, &value, err);

	if (found <= 0)
		return found;
	if (!json_is_integer(value))
		return wrong_type(path, key, "an integer", value, err);
	*ret = json_integer_value(value);
	return 0;
}

int json_get_num(const json_t *obj, const char *path, const char *key, bool required, double *ret,
		 struct err *err)
{
	json_t *value = NULL;
	int found = member(obj, path, key, required, &value, err);

	if (found <= 0)
		return found;
	if (!json_is_number(value))
		return wrong_type(path, key, "a number", value, err);
	*ret = json_number_value(value);
	return 0;
}

int json_get_bool(const json_t *obj, const char *path, const char *key, bool required, bool *ret,
		  struct err *err)
{
	json_t *value = NULL;
	int found = member(obj, path, key, required, &value, err);

	if (found <= 0)
		return found;
	if (!json_is_boolean(value))
		return wrong_type(path, key, "true or false", value, err);
	*ret = json_is_true(value);
	return 0;
}

int json_get_array(const json_t *obj, const char *path, const char *key, bool required,
		   json_t **ret, struct err *err)
{
	json_t *value = NULL;
	int found = member(obj, path, key, required, &value, err);

	if (found <= 0)
		return found;
	if (!json_is_array(value))
		return wrong_type(path, key, "an array", value, err);
	*ret = value;
	return 0;
}

int json_get_object(const json_t *obj, const char *path, const char *key, bool required,
		    json_t **ret, struct err *err)
{
	json_t *value = NULL;
	int found = member(obj, path, key, required, &value, err);

	if (found <= 0)
		return found;
	if (!json_is_object(value))
		return wrong_type(path, key, "an object", value, err);
	*ret = value;
	return 0;
}

static bool known_key(const char *key, const char *const *known)
{
	for (; *known; known++)
		if (streq(key, *known))
			return true;
	return false;
}

int json_check_keys(const json_t *obj, const char *path, const char *const *known, struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT;
	const char *key, *near;
	json_t *value;

	if (!json_is_object(obj))
		return err_set(err, ERR_USER, "%s: expected an object, found %s", path,
			       type_name(obj));
	json_object_foreach((json_t *)obj, key, value)
	{
		if (known_key(key, known))
			continue;
		str_add_safe(&shown, key, strnlen(key, 80));
		near = str_nearest(key, known);
		if (near)
			return err_set(err, ERR_USER,
				       "%s: unknown key \"%s\"; did you mean \"%s\"?", path,
				       shown.buf, near);
		return err_set(err, ERR_USER, "%s: unknown key \"%s\"", path, shown.buf);
	}
	return 0;
}

static int add_piece(const char *data, size_t n, void *arg)
{
	str_addn(arg, data, n);
	return 0;
}

void json_add(struct str *s, const json_t *json)
{
	size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY;

	json_dump_callback(json, add_piece, s, flags);
	str_addc(s, '\n');
}

json_t *json_num(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}
