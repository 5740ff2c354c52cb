/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/config/job.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

static char folder[] = "/tmp/lkp-job-XXXXXX";

static int setup(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return fs_remove_tree(folder, NULL);
}

static struct job *parse_fine(const char *text)
{
	struct job *job = NULL;
	_cleanup_str_ struct str faults = STR_INIT;

	if (job_parse("jobs/demo.yaml", text, strlen(text), &job, &faults, NULL) < 0)
		fail_msg("%s", faults.buf);
	return job;
}

static void test_defaults(void **state)
{
	struct job *job = parse_fine("suite: pipe-test\n");
	_cleanup_str_ struct str setup_text = STR_INIT;

	(void)state;
	assert_string_equal(job->name, "demo");
	assert_string_equal(job->file, "jobs/demo.yaml");
	assert_string_equal(job->suite, "pipe-test");
	assert_int_equal(job->suite_mark.line, 1);
	assert_int_equal(job->suite_mark.column, 8);
	assert_string_equal(job->summary, "");
	assert_int_equal(job->n_params, 0);
	assert_int_equal(job->iterations, 5);
	assert_true(job->timeout == 60 && job->theta == 0 && job->min_effect == 0);
	assert_int_equal(strv_len(job->monitors), 1);
	assert_string_equal(job->monitors[0], "perf-stat");
	assert_int_equal(job->needs.cpus, 1);
	assert_int_equal(job->needs.memory, 0);
	assert_int_equal(job->setup.turbo, -1);
	assert_int_equal(job->setup.smt, -1);
	assert_int_equal(job->setup.aslr, -1);
	assert_int_equal(job->setup.numa_balancing, -1);
	assert_null(job->setup.taskset);
	assert_null(job->setup.cmdline);
	job_setup_add(&setup_text, &job->setup);
	assert_string_equal(setup_text.buf, "");
	job_free(job);
}

static void test_everything(void **state)
{
	struct job *job = parse_fine("x-base: &base { mode: [process, thread], tasks: 1 }\n"
				     "summary: all of it\n"
				     "suite: will-it-scale\n"
				     "parameters:\n"
				     "  <<: *base\n"
				     "  tasks: [ 1, 50% ]\n"
				     "iterations: 7\n"
				     "timeout: 2min\n"
				     "monitors: [ vmstat ]\n"
				     "theta: 1%\n"
				     "needs: { kconfig: [ CONFIG_SHMEM=y ], cpus: 4, memory: 1G }\n"
				     "setup:\n"
				     "  governor: performance\n"
				     "  turbo: off\n"
				     "  smt: on\n"
				     "  thp: never\n"
				     "  aslr: false\n"
				     "  taskset: 0-3,8\n"
				     "  sysctl: [ vm.swappiness=10, kernel.sched_schedstats=0 ]\n"
				     "  cmdline: mitigations=off\n");
	_cleanup_str_ struct str text = STR_INIT;

	(void)state;
	assert_int_equal(job->n_params, 2);
	assert_string_equal(job->params[0].name, "tasks");
	assert_int_equal(job->params[0].n_values, 2);
	assert_string_equal(job->params[0].values[1].text, "50%");
	assert_int_equal(job->params[0].values[1].mark.line, 6);
	assert_int_equal(job->params[0].values[1].mark.column, 15);
	assert_string_equal(job->params[1].name, "mode");
	assert_string_equal(job->params[1].values[1].text, "thread");
	assert_int_equal(job->iterations, 7);
	assert_true(job->timeout == 120 && job->theta == 0.01);
	assert_string_equal(job->monitors[0], "vmstat");
	assert_string_equal(job->needs.kconfig[0], "CONFIG_SHMEM=y");
	assert_int_equal(job->needs.cpus, 4);
	assert_int_equal(job->needs.memory, INT64_C(1) << 30);
	job_setup_add(&text, &job->setup);
	assert_string_equal(text.buf,
			    "governor: performance\nturbo: off\nsmt: on\nthp: never\n"
			    "aslr: off\ntaskset: 0-3,8\nsysctl: vm.swappiness=10\n"
			    "sysctl: kernel.sched_schedstats=0\ncmdline: mitigations=off\n");
	job_free(job);
}

static void test_faults(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"iterations: 3\n", "j.yaml:1:1: job \"j\" has no \"suite\": the benchmark: "
				    "will-it-scale, hackbench, pipe-test, ...\n"},
		{"suite: x\niteration: 3\n",
		 "j.yaml:2:1: unknown key \"iteration\" in job \"j\"; did you mean \"iterations\"? "
		 "known keys: summary, suite, parameters, iterations, timeout, monitors, needs, "
		 "setup, theta, min_effect\n"},
		{"suite: x\nsetup: { tasket: \"0\" }\n",
		 "j.yaml:2:10: unknown key \"tasket\" in setup; did you mean \"taskset\"? known keys: "
		 "governor, turbo, cstates, smt, thp, numa_balancing, aslr, taskset, sysctl, cmdline\n"},
		{"suite: x\nsetup: [a]\n",
		 "j.yaml:2:8: setup must be a mapping of keys to values, found a list\n"},
		{"suite: x\nsetup: { taskset: all, turbo: 1, thp: no }\n",
		 "j.yaml:2:19: \"taskset\" in setup: \"all\" is not a list of CPUs like \"0-3,8\"\n"
		 "j.yaml:2:31: \"turbo\" in setup: must be on or off, found the number 1\n"
		 "j.yaml:2:39: \"thp\" in setup: must be a string, found the boolean no: write \"no\" "
		 "in quotes if the word is meant\n"},
		{"suite: x\nsetup: { sysctl: [ ../x=1 ] }\n",
		 "j.yaml:2:20: \"sysctl\" in setup: item 1: \"../x=1\" is not a setting like "
		 "vm.swappiness=10\n"},
		{"suite: x\nneeds: { kconfig: [ SHMEM ] }\n",
		 "j.yaml:2:21: \"kconfig\" in needs: item 1: \"SHMEM\" is not a kernel symbol like "
		 "CONFIG_SHMEM=y\n"},
		{"suite: x\nparameters: [a]\n",
		 "j.yaml:2:13: \"parameters\" must be a mapping from names to values or lists, found a "
		 "list\n"},
		{"suite: x\nparameters: { mode: no, test: [a, {}], ipc: [], groups: }\n",
		 "j.yaml:2:21: parameter \"mode\": must be a string, found the boolean no: write \"no\" "
		 "in quotes if the word is meant\n"
		 "j.yaml:2:35: parameter \"test\": must be a string, found a mapping\n"
		 "j.yaml:2:45: parameter \"ipc\" has 0 values: 1 to 100 are allowed\n"
		 "j.yaml:2:57: parameter \"groups\": must be a string, found nothing\n"},
		{"suite: x\nparameters: { a: 1, a: 2 }\n",
		 "j.yaml:2:21: duplicate key \"a\", first at line 2\n"},
		{"suite: x\niterations: 0\n",
		 "j.yaml:2:13: \"iterations\" in job \"j\": \"0\" is out of "
		 "range: 1 to 1000 is allowed\n"},
		{"suite: [x]\n",
		 "j.yaml:1:8: \"suite\" in job \"j\": must be a string, found a list\n"},
		{"suite:\n\tx\n",
		 "j.yaml:2:1: a tab in the indentation: YAML takes only blanks here\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *text = cases[i].text;
		_cleanup_str_ struct str faults = STR_INIT;
		struct job *job = NULL;
		struct err err = ERR_INIT;

		if (job_parse("j.yaml", text, strlen(text), &job, &faults, &err) == 0)
			fail_msg("case %zu is accepted: %s", i, text);
		assert_null(job);
		assert_int_equal(err.kind, ERR_USER);
		if (!streq(faults.buf, cases[i].expected))
			fail_msg("case %zu:\n%s\ninstead of\n%s", i, faults.buf, cases[i].expected);
	}
}

static void write_file(const char *name, const char *text)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);

	assert_int_equal(fs_write_atomic(path, text, strlen(text), 0644, NULL), 0);
}

static void test_a_folder_of_jobs(void **state)
{
	_cleanup_strv_ char **names = NULL;
	_cleanup_free_ char *path = xasprintf("%s/b.yaml", folder);
	struct err err = ERR_INIT;
	struct job *job = NULL;

	(void)state;
	write_file("b.yaml", "suite: two\n");
	write_file("alpha.yaml", "suite: one\n");
	write_file("alpha-two.yaml", "suite: one\n");
	write_file("README", "");
	write_file("-odd.yaml", "");
	assert_int_equal(job_names(folder, &names, &err), 0);
	assert_int_equal(strv_len(names), 3);
	assert_string_equal(names[0], "alpha");
	assert_string_equal(names[1], "alpha-two");
	assert_string_equal(names[2], "b");
	assert_int_equal(job_find(folder, "alpha", &job, &err), 0);
	assert_string_equal(job->suite, "one");
	job_free(job);
	assert_int_equal(job_find("/nonexistent", path, &job, &err), 0);
	assert_string_equal(job->name, "b");
	job_free(job);
	job = NULL;
	assert_int_equal(job_find(folder, "alpa", &job, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, "no job \"alpa\" in "));
	assert_non_null(strstr(err.msg, "did you mean \"alpha\"?"));
	assert_int_equal(job_find("/nonexistent", "alpha", &job, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_int_equal(job_find(folder, "..", &job, &err), -1);
	assert_null(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_everything),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_a_folder_of_jobs),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
