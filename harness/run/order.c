/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/run/order.h"

#include "harness/machine/toolbox.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

static void set_switch(json_t *obj, const char *key, int value)
{
	if (value >= 0)
		json_object_set_new(obj, key, json_boolean(value));
}

static void set_text(json_t *obj, const char *key, const char *value)
{
	if (value)
		json_object_set_new(obj, key, json_string(value));
}

static json_t *setup_json(const struct job_setup *setup)
{
	json_t *obj = json_object();
	set_text(obj, "governor", setup->governor);
	set_switch(obj, "turbo", setup->turbo);
	set_text(obj, "cstates", setup->cstates);
	set_switch(obj, "smt", setup->smt);
	set_text(obj, "thp", setup->thp);
	set_switch(obj, "numa_balancing", setup->numa_balancing);
	set_switch(obj, "aslr", setup->aslr);
	set_text(obj, "taskset", setup->taskset);
	json_t *sysctl = json_object();
	for (size_t i = 0; setup->sysctl && setup->sysctl[i]; i++) {
		const char *equals = strchr(setup->sysctl[i], '=');
		if (!equals)
			continue;
		_cleanup_free_ char *name =
			xstrndup(setup->sysctl[i], (size_t)(equals - setup->sysctl[i]));
		json_object_set_new(sysctl, name, json_string(equals + 1));
	}
	if (json_object_size(sysctl))
		json_object_set_new(obj, "sysctl", sysctl);
	else
		json_decref(sysctl);
	return obj;
}

static int64_t iterations(const struct run_boot *b, const struct job *job)
{
	return b->iterations > 0 ? b->iterations : job->iterations;
}

static int run_json(const struct run_boot *b, const struct bench_case *c,
		    const struct bench_target *target, json_t **ret, struct err *err)
{
	_cleanup_strv_ char **argv = NULL;
	const struct job *job = c->job;
	if (job->needs.cpus > target->cpus)
		return err_set(
			err, ERR_USER,
			"job \"%s\" needs %lld CPUs, machine \"%s\" has %d: choose another with -m",
			job->name, (long long)job->needs.cpus, b->machine->name, target->cpus);
	if (b->driver->boots && job->needs.memory > b->machine->memory)
		return err_set(err, ERR_USER,
			       "job \"%s\" needs %lld MiB of memory, machine \"%s\" has %lld MiB",
			       job->name, (long long)job->needs.memory >> 20, b->machine->name,
			       (long long)b->machine->memory >> 20);
	if (c->bench->argv(c, target, &argv, err) < 0)
		return err_wrap(err, "case %s", c->name);
	json_t *list = json_array();
	for (size_t i = 0; argv[i]; i++)
		json_array_append_new(list, json_string(argv[i]));
	json_t *monitors = json_array();
	for (size_t i = 0; job->monitors && job->monitors[i]; i++)
		json_array_append_new(monitors, json_string(job->monitors[i]));
	*ret = json_object();
	json_object_set_new(*ret, "case", json_string(c->name));
	json_object_set_new(*ret, "argv", list);
	json_object_set_new(*ret, "iterations", json_integer(iterations(b, job)));
	json_object_set_new(*ret, "timeout_s", json_real(job->timeout));
	json_object_set_new(*ret, "monitors", monitors);
	json_object_set_new(*ret, "setup", setup_json(&job->setup));
	return 0;
}

int order_write(const struct run_boot *b, const char *boot, const char *folder, struct str *ret,
		struct err *err)
{
	_cleanup_json_ json_t *order = json_object();
	_cleanup_free_ char *result = xasprintf("%s/result", folder);
	bool guest = b->driver->boots;
	_cleanup_free_ char *toolbox =
		guest ? xstrdup("/lkp") : xasprintf("%s/" TOOLBOX_TREE "/lkp", b->toolbox);
	const struct bench_target target = {
		.cpus = machine_cpus(b->machine),
		.deterministic = b->driver->deterministic(b->machine),
		.toolbox = toolbox,
		.scratch = "/tmp",
	};
	json_object_set_new(order, "format", json_string("lkp-job/1"));
	json_object_set_new(order, "boot", json_string(boot));
	json_object_set_new(order, "seed", json_integer((json_int_t)b->seed));
	json_object_set_new(order, "toolbox", json_string(toolbox));
	json_object_set_new(order, "toolbox_id", json_string(b->toolbox_id));
	json_object_set_new(order, "result", json_string(guest ? "/result" : result));
	json_object_set_new(order, "scratch", json_string(target.scratch));
	if (guest)
		json_object_set_new(order, "copy_out", json_string("9p:result"));
	json_t *runs = json_array();
	json_object_set_new(order, "runs", runs);
	for (size_t i = 0; i < b->n_cases; i++) {
		json_t *run = NULL;
		if (run_json(b, &b->cases[i], &target, &run, err) < 0)
			return -1;
		json_array_append_new(runs, run);
	}
	json_add(ret, order);
	return 0;
}

double order_seconds(const struct run_boot *b)
{
	double sum = 0;
	for (size_t i = 0; i < b->n_cases; i++)
		sum += (double)iterations(b, b->cases[i].job) * b->cases[i].job->timeout;
	return sum;
}
