/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/fake_result.h"

#include <inttypes.h>

#include "harness/util/fs.h"
#include "harness/util/json.h"

#define SECONDS 0.15 /* what an iteration is said to have taken */

struct writer {
	const char *to;
	const struct machine_boot *boot;
	const struct fake_answer *answer;
	json_t *files;
};

static int write_text(struct writer *w, const char *name, const char *text, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", w->to, name);
	_cleanup_fclose_ FILE *f = fopen(path, "we");

	if (!f || fputs(text, f) == EOF || fflush(f) == EOF)
		return err_errno(err, "cannot write %s", path);
	json_object_set_new(w->files, name, json_integer((json_int_t)strlen(text)));
	return 0;
}

static int write_json(struct writer *w, const char *name, const json_t *json, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;

	json_add(&text, json);
	return write_text(w, name, text.buf, err);
}

/* ---- what the benchmarks print ----------------------------------------------------------------
 */

static void print_will_it_scale(struct str *s, double value, const char *tasks)
{
	str_addf(s, "testcase:made up\nwarmup\nmeasurement\nmin:%.0f max:%.0f total:%.0f\n", value,
		 value, value);
	str_addf(s, "average:%.0f\ntasks:%s\n", value, tasks);
}

static void print_hackbench(struct str *s, double value, const char *tasks)
{
	(void)tasks;
	str_addf(s, "Time: %.3f\nelapsed_ns: %.0f\n", value, value * 1e9);
}

static void print_pipe_test(struct str *s, double value, const char *tasks)
{
	(void)tasks;
	str_addf(s, "%.6f usecs/op\n%.0f ops/sec\n", value, 1e6 / value);
}

static const struct program {
	const char *part; /* of the program's base name */
	double normal;
	bool higher_is_better;
	void (*print)(struct str *s, double value, const char *tasks);
} programs[] = {
	{"_threads", 1e6, true, print_will_it_scale},
	{"_processes", 1e6, true, print_will_it_scale},
	{"hackbench", 0.5, false, print_hackbench},
	{"pipe-test", 5.0, false, print_pipe_test},
};

/* The word behind "-t"; "1" when there is none. */
static const char *tasks_of(const json_t *argv)
{
	const json_t *word;
	size_t i;

	json_array_foreach(argv, i, word)
	{
		const char *next = json_string_value(json_array_get(argv, i + 1));

		if (next && streq(json_string_value(word), "-t"))
			return next;
	}
	return "1";
}

static void print_output(struct writer *w, struct str *s, const char *name, const json_t *argv,
			 int64_t k)
{
	const char *path = json_string_value(json_array_get(argv, 0));
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *base = slash ? slash + 1 : path ? path : "";

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		const struct program *p = &programs[i];

		if (!strstr(base, p->part))
			continue;
		p->print(s,
			 w->answer->value(base, name, k, p->normal, p->higher_is_better,
					  w->answer->arg),
			 tasks_of(argv));
		return;
	}
}

static void print_perf(struct str *s)
{
	static const struct {
		const char *event, *unit, *value;
	} rows[] = {
		{"task-clock", "msec", "149.250000"},
		{"context-switches", "", "3.000000"},
		{"page-faults", "", "61.000000"},
		{"instructions", "", "<not supported>"},
		{"duration_time", "ns", "150000000.000000"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		str_addf(s,
			 "{\"counter-value\" : \"%s\", \"unit\" : \"%s\", \"event\" : \"%s\", "
			 "\"event-runtime\" : 149250000, \"pcnt-running\" : 100.00}\n",
			 rows[i].value, rows[i].unit, rows[i].event);
}

/* ---- the folder -------------------------------------------------------------------------------
 */

static int write_file(struct writer *w, size_t i, int64_t k, const char *suffix, const char *text,
		      struct err *err)
{
	_cleanup_free_ char *name = xasprintf("runs/%zu/%" PRId64 ".%s", i, k, suffix);

	return write_text(w, name, text, err);
}

static int write_iteration(struct writer *w, size_t i, const json_t *run, int64_t k, bool failed,
			   json_t *iterations, struct err *err)
{
	_cleanup_str_ struct str out = STR_INIT, perf = STR_INIT;

	if (!failed)
		print_output(w, &out, json_string_value(json_object_get(run, "case")),
			     json_object_get(run, "argv"), k);
	print_perf(&perf);
	json_array_append_new(iterations, json_pack("{s:i, s:n, s:b, s:f}", "exit", failed ? 1 : 0,
						    "signal", "timeout", 0, "seconds", SECONDS));
	if (write_file(w, i, k, "out", out.buf, err) < 0 ||
	    write_file(w, i, k, "err", failed ? "made up: failed\n" : "", err) < 0)
		return -1;
	return write_file(w, i, k, "perf", perf.buf, err);
}

static int write_run(struct writer *w, size_t i, const json_t *run, struct err *err)
{
	_cleanup_free_ char *folder = xasprintf("%s/runs/%zu", w->to, i);
	_cleanup_free_ char *name = xasprintf("runs/%zu/run.json", i);
	_cleanup_json_ json_t *record = json_object(), *iterations = json_array();
	int64_t n = json_integer_value(json_object_get(run, "iterations"));
	bool failed = w->answer->exit_1 && i == 0;

	if (fs_mkdirs(folder, err) < 0)
		return -1;
	for (int64_t k = 0; k < (failed ? 1 : n); k++)
		if (write_iteration(w, i, run, k, failed, iterations, err) < 0)
			return -1;
	json_object_set(record, "case", json_object_get(run, "case"));
	json_object_set_new(record, "status", json_string(failed ? "bench-failed" : "ok"));
	json_object_set_new(
		record, "detail",
		json_string(failed ? "iteration 0: exit status 1: made up: failed" : ""));
	json_object_set_new(record, "setup_missing", json_array());
	json_object_set(record, "iterations", iterations);
	return write_json(w, name, record, err);
}

static int write_facts(struct writer *w, const json_t *job, struct err *err)
{
	const struct config_machine *m = w->boot->machine;
	_cleanup_json_ json_t *facts = json_pack(
		"{s:s, s:s, s:s, s:[s,s], s:{}, s:s, s:i, s:I, s:s, s:s, s:s}", "uname",
		"Linux 6.1.0 #1 SMP @0 x86_64", "cmdline", w->boot->cmdline ? w->boot->cmdline : "",
		"clocksource", "tsc", "clocksources", "tsc", "hpet", "mitigations", "cpu_model",
		"made up", "cpus", machine_cpus(m), "memory_kb", (json_int_t)(m->memory >> 10),
		"boot_id", w->boot->boot, "perf", "perf version 6.1", "perf_mode", "stat");

	json_object_set(facts, "toolbox_id", json_object_get(job, "toolbox_id"));
	json_object_set(facts, "seed", json_object_get(job, "seed"));
	return write_json(w, "facts.json", facts, err);
}

static int write_all(struct writer *w, const json_t *job, struct err *err)
{
	_cleanup_json_ json_t *done = NULL;
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(job, "runs"), i, run)
	{
		if (write_run(w, i, run, err) < 0)
			return -1;
	}
	if (write_facts(w, job, err) < 0 || write_text(w, "dmesg", "<6>made up\n", err) < 0)
		return -1;
	if (w->answer->half)
		return 0;
	done = json_pack("{s:s, s:s, s:s, s:O}", "format", "lkp-result/1", "boot", w->boot->boot,
			 "status", "ok", "files", w->files);
	return write_json(w, "done.json", done, err);
}

int fake_result_write(const char *to, const struct machine_boot *boot,
		      const struct fake_answer *answer, struct err *err)
{
	_cleanup_json_ json_t *job = NULL, *files = json_object();
	struct writer w = {.to = to, .boot = boot, .answer = answer, .files = files};

	if (json_load("job.json", boot->job, strlen(boot->job), &job, err) < 0 ||
	    fs_mkdirs(to, err) < 0)
		return -1;
	return write_all(&w, job, err);
}
