/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/order.h"

#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define FILE_CAP  (4 << 20)
#define WORDS_MAX 1000

static int get_words(const json_t *obj, const char *path, const char *key, bool required,
		     char ***ret, struct err *err)
{
	_cleanup_strv_ char **words = NULL;
	json_t *array = NULL, *word;
	size_t i;

	if (json_get_array(obj, path, key, required, &array, err) < 0)
		return -1;
	if (json_array_size(array) > WORDS_MAX)
		return err_set(err, ERR_USER, "%s.%s: more than %d entries", path, key, WORDS_MAX);
	json_array_foreach(array, i, word)
	{
		if (!json_is_string(word))
			return err_set(err, ERR_USER, "%s.%s[%zu]: expected a string", path, key,
				       i);
		strv_add(&words, json_string_value(word));
	}
	if (required && !words)
		return err_set(err, ERR_USER, "%s.%s: must not be empty", path, key);
	*ret = words;
	words = NULL;
	return 0;
}

static int load_run(json_t *json, const char *path, struct order_run *run, struct err *err)
{
	static const char *const keys[] = {"case",     "argv",	"iterations", "timeout_s",
					   "monitors", "setup", NULL};

	if (json_check_keys(json, path, keys, err) < 0 ||
	    json_get_str(json, path, "case", true, &run->name, err) < 0 ||
	    get_words(json, path, "argv", true, &run->argv, err) < 0 ||
	    json_get_int(json, path, "iterations", true, &run->iterations, err) < 0 ||
	    json_get_num(json, path, "timeout_s", true, &run->timeout_s, err) < 0 ||
	    get_words(json, path, "monitors", false, &run->monitors, err) < 0 ||
	    json_get_object(json, path, "setup", false, &run->setup, err) < 0)
		return -1;
	if (run->iterations < 1 || run->iterations > ORDER_ITERATIONS_MAX)
		return err_set(err, ERR_USER, "%s.iterations: expected 1 to %d", path,
			       ORDER_ITERATIONS_MAX);
	if (!(run->timeout_s > 0 && run->timeout_s <= 86400))
		return err_set(err, ERR_USER, "%s.timeout_s: expected more than 0, at most 86400",
			       path);
	return 0;
}

static int load_runs(struct order *order, struct err *err)
{
	json_t *array, *json;
	char path[40];
	size_t i;

	if (json_get_array(order->json, "$", "runs", true, &array, err) < 0)
		return -1;
	if (json_array_size(array) > ORDER_RUNS_MAX)
		return err_set(err, ERR_USER, "$.runs: more than %d", ORDER_RUNS_MAX);
	order->runs = xcalloc(json_array_size(array), sizeof(*order->runs));
	json_array_foreach(array, i, json)
	{
		snprintf(path, sizeof(path), "$.runs[%zu]", i);
		order->n_runs = i + 1;
		if (load_run(json, path, &order->runs[i], err) < 0)
			return -1;
	}
	return 0;
}

static int check_folder(const char *key, const char *path, struct err *err)
{
	if (path[0] != '/')
		return err_set(err, ERR_USER, "$.%s: expected an absolute path", key);
	return 0;
}

static int load_copy_out(struct order *order, struct err *err)
{
	const char *text = NULL;

	if (json_get_str(order->json, "$", "copy_out", false, &text, err) < 0)
		return -1;
	if (text && (!str_starts(text, "9p:") || !text[3]))
		return err_set(err, ERR_USER, "$.copy_out: expected \"9p:TAG\"");
	order->copy_tag = text ? text + 3 : NULL;
	return 0;
}

static int load_head(struct order *o, struct err *err)
{
	static const char *const keys[] = {"format", "boot",	"seed",	    "toolbox", "toolbox_id",
					   "result", "scratch", "copy_out", "runs",    NULL};
	const json_t *json = o->json;
	const char *format;

	if (json_check_keys(json, "$", keys, err) < 0 ||
	    json_get_str(json, "$", "format", true, &format, err) < 0)
		return -1;
	if (!streq(format, "lkp-job/1"))
		return err_set(err, ERR_USER, "$.format: expected \"lkp-job/1\"");
	if (json_get_str(json, "$", "boot", true, &o->boot, err) < 0 ||
	    json_get_int(json, "$", "seed", false, &o->seed, err) < 0 ||
	    json_get_str(json, "$", "toolbox", true, &o->toolbox, err) < 0 ||
	    json_get_str(json, "$", "toolbox_id", false, &o->toolbox_id, err) < 0 ||
	    json_get_str(json, "$", "result", true, &o->result, err) < 0 ||
	    json_get_str(json, "$", "scratch", true, &o->scratch, err) < 0 ||
	    check_folder("result", o->result, err) < 0 ||
	    check_folder("scratch", o->scratch, err) < 0)
		return -1;
	return load_copy_out(o, err);
}

int order_load(const char *path, struct order *ret, struct err *err)
{
	struct order order = {0};

	if (json_load_path(path, FILE_CAP, &order.json, err) < 0)
		return -1;
	if (load_head(&order, err) < 0 || load_runs(&order, err) < 0) {
		order_done(&order);
		return err_wrap(err, "%s", path);
	}
	*ret = order;
	return 0;
}

void order_done(struct order *order)
{
	for (size_t i = 0; i < order->n_runs; i++) {
		strv_free(order->runs[i].argv);
		strv_free(order->runs[i].monitors);
	}
	free(order->runs);
	json_decref(order->json);
	*order = (struct order){0};
}
