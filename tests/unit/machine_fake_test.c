/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "harness/bench/bench.h"
#include "harness/machine/intake.h"
#include "harness/machine/machine.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"

#define JOB                                                                                             \
	"{\"format\": \"lkp-job/1\", \"boot\": \"b1\", \"seed\": 7, \"toolbox_id\": \"t\", \"runs\": [" \
	"{\"case\": \"will-it-scale/pwrite2/thread/2\", \"iterations\": 3, "                            \
	"\"argv\": [\"/lkp/bin/pwrite2_threads\", \"-t\", \"2\"]}, "                                    \
	"{\"case\": \"hackbench/process/pipe/10\", \"iterations\": 2, "                                 \
	"\"argv\": [\"/lkp/bin/hackbench\", \"-P\"]}, "                                                 \
	"{\"case\": \"pipe-test/process\", \"iterations\": 2, "                                         \
	"\"argv\": [\"/lkp/bin/pipe-test\"]}]}"

static char base[] = "/tmp/lkp-fake-XXXXXX";

static int make_base(void **state)
{
	(void)state;
	return mkdtemp(base) ? 0 : -1;
}

static int drop_base(void **state)
{
	(void)state;
	return fs_remove_tree(base, NULL);
}

/* One more boot of the machine named `name`; its folder is the caller's. */
static char *boot_image(const char *name, char **answers, const char *image,
			struct machine_end *end)
{
	static int count;
	char driver[] = "fake";
	char *folder = xasprintf("%s/%s/%d", base, name, count++);
	_cleanup_free_ char *copy = xstrdup(name);
	const struct config_machine machine = {
		.name = copy, .driver = driver, .answers = answers, .cpus = 2, .memory = 1 << 30};
	const struct machine_boot boot = {.machine = &machine,
					  .image = image,
					  .job = JOB,
					  .folder = folder,
					  .boot = "b1",
					  .seed = 7,
					  .deadline_s = 60,
					  .silence_s = 20};
	struct err err = ERR_INIT;

	assert_int_equal(fs_mkdirs(folder, NULL), 0);
	machine_end_done(end);
	if (machine_driver_find("fake")->boot(&boot, end, &err) < 0)
		fail_msg("%s", err.msg);
	return folder;
}

static double metric_of(const char *folder, const char *name, const char *file, const char *metric)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, file);
	_cleanup_str_ struct str text = STR_INIT;
	struct metric_set set = {0};
	struct bench_case c;
	double value = -1;

	assert_int_equal(fs_read(path, 1 << 20, &text, NULL), 0);
	assert_int_equal(bench_case_parse(name, &c, NULL), 0);
	assert_int_equal(c.bench->parse(text.buf, text.len, &c, &set, NULL), 0);
	for (size_t i = 0; i < set.n; i++)
		if (streq(set.values[i].name, metric))
			value = set.values[i].value;
	metric_set_done(&set);
	bench_case_done(&c);
	return value;
}

static double ops(const char *folder)
{
	return metric_of(folder, "will-it-scale/pwrite2/thread/2", "result/runs/0/0.out",
			 "will-it-scale.per_thread_ops");
}

static double seconds(const char *folder)
{
	return metric_of(folder, "hackbench/process/pipe/10", "result/runs/1/1.out",
			 "hackbench.time");
}

static void boots_end_as_the_answers_say_in_turn(void **state)
{
	char *answers[] = {"ok",      "panic",	  "oops",	  "hang",	  "no-init",
			   "silence", "deadline", "bench-failed", "infra-failed", NULL};

	(void)state;
	for (int i = 0; i < 20; i++) {
		_cleanup_(machine_end_done) struct machine_end end = {0};
		_cleanup_free_ char *folder = boot_image("turns", answers, NULL, &end);

		assert_string_equal(machine_status_name(end.status), answers[i % 9]);
		assert_int_equal(*end.detail == '\0', end.status == MACHINE_OK);
	}
}

static void a_good_answer_is_taken_and_read_by_the_parsers(void **state)
{
	char *answers[] = {"noise=0", "ok:pwrite2=5000;hackbench=2.5", NULL};
	_cleanup_(machine_end_done) struct machine_end end = {0};
	_cleanup_free_ char *folder = boot_image("good", answers, NULL, &end);
	_cleanup_free_ char *from = xasprintf("%s/%s", folder, end.result);
	_cleanup_free_ char *to = xasprintf("%s/to", folder);

	(void)state;
	assert_int_equal(mkdir(to, 0755), 0);
	assert_int_equal(intake_result(from, to, "b1", NULL), 0);
	assert_float_equal(ops(folder), 2500, 1e-9);
	assert_float_equal(seconds(folder), 2.5, 1e-9);
	assert_float_equal(metric_of(folder, "pipe-test/process", "result/runs/2/0.out",
				     "pipe-test.usecs_per_op"),
			   5, 1e-6);
}

static void half_an_answer_is_not_taken(void **state)
{
	char *answers[] = {"half", NULL};
	_cleanup_(machine_end_done) struct machine_end end = {0};
	_cleanup_free_ char *folder = boot_image("half", answers, NULL, &end);
	_cleanup_free_ char *from = xasprintf("%s/%s", folder, end.result);

	(void)state;
	assert_int_equal(end.status, MACHINE_OK);
	assert_int_equal(intake_result(from, folder, "b1", NULL), -1);
}

static void a_failed_benchmark_has_no_number(void **state)
{
	char *answers[] = {"exit", NULL};
	_cleanup_(machine_end_done) struct machine_end end = {0};
	_cleanup_free_ char *folder = boot_image("exit", answers, NULL, &end);
	_cleanup_free_ char *run = xasprintf("%s/result/runs/0/run.json", folder);
	_cleanup_json_ json_t *json = NULL;

	(void)state;
	assert_int_equal(end.status, MACHINE_OK);
	assert_int_equal(json_load_path(run, 1 << 20, &json, NULL), 0);
	assert_string_equal(json_string_value(json_object_get(json, "status")), "bench-failed");
	assert_int_equal(json_array_size(json_object_get(json, "iterations")), 1);
}

/* An image is slower in one case only, and the same boot gives the same numbers. */
static void images_differ_as_planted(void **state)
{
	char *answers[] = {"noise=0", "image:head:pwrite2=0.9", NULL};
	char *noisy[] = {"ok", NULL};
	_cleanup_free_ char *head = xasprintf("%s/head", base), *other = xasprintf("%s/x", base);
	_cleanup_free_ char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL;
	_cleanup_(machine_end_done) struct machine_end end = {0};

	(void)state;
	assert_int_equal(fs_write_atomic(head, "H", 1, 0644, NULL), 0);
	assert_int_equal(fs_write_atomic(other, "O", 1, 0644, NULL), 0);
	a = boot_image("images", answers, other, &end);
	b = boot_image("images", answers, head, &end);
	assert_float_equal(ops(b) / ops(a), 0.9, 1e-6);
	assert_float_equal(seconds(b), seconds(a), 1e-9);
	c = boot_image("noisy", noisy, other, &end);
	d = boot_image("noisy", noisy, other, &end);
	e = boot_image("noisy", noisy, head, &end);
	assert_float_equal(ops(c), ops(d), 1e-9);
	assert_true(ops(c) != ops(e));
	assert_float_equal(ops(c) / ops(a), 1, 0.01);
}

static void a_wrong_answer_is_refused(void **state)
{
	static char *const wrong[] = {"okay",	"image:x",  "image:x=0",  "image:x=-1",
				      "noise=", "noise=-1", "ok:pwrite2", "ok:pwrite2=fast"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		char name[] = "m", driver[] = "fake";
		char *answers[] = {wrong[i], NULL};
		const struct config_machine machine = {
			.name = name, .driver = driver, .answers = answers};
		struct err err = ERR_INIT;

		assert_int_equal(machine_driver_find("fake")->check(&machine, &err), -1);
		assert_int_equal(err.kind, ERR_USER);
		assert_non_null(strstr(err.msg, wrong[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boots_end_as_the_answers_say_in_turn),
		cmocka_unit_test(a_good_answer_is_taken_and_read_by_the_parsers),
		cmocka_unit_test(half_an_answer_is_not_taken),
		cmocka_unit_test(a_failed_benchmark_has_no_number),
		cmocka_unit_test(images_differ_as_planted),
		cmocka_unit_test(a_wrong_answer_is_refused),
	};

	return cmocka_run_group_tests(tests, make_base, drop_base);
}
