/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/judge_report.h"

static void toolboxes_are_not_mixed(void **state)
{
	(void)state;
	put_blocks((struct how){.toolbox = "old"}, 5, -50, 0.1);
	put_blocks((struct how){.toolbox = "new", .block = 5}, 5, 0, 0.1);
	put(BASE, (struct how){.toolbox = "newest"}, 1);
	struct report *r = compare();
	assert_int_equal(r->rows[0].base.n, 5);
	assert_string_equal(r->rows[0].verdict, "clean");
	report_free(r);
}

static void accelerators_are_not_mixed(void **state)
{
	(void)state;
	put_blocks((struct how){.accel = "kvm"}, 5, -50, 0.1);
	put_blocks((struct how){.accel = "icount", .block = 5}, 5, 0, 0.1);
	struct report *r = compare();
	assert_int_equal(r->rows[0].base.n, 5);
	report_free(r);
}

static void kconfigs_are_not_mixed(void **state)
{
	(void)state;
	put_blocks((struct how){.kconfig = "a"}, 5, -50, 0.1);
	put_blocks((struct how){.kconfig = "b", .block = 5}, 5, 0, 0.1);
	refused("\"a\", \"b\"");
	struct report *r = compare_with(&(const struct compare_spec){.filter = {.kconfig = "b"}});
	assert_string_equal(r->kconfig, "b");
	assert_int_equal(r->rows[0].base.n, 5);
	report_free(r);
}

static void noise_boots_are_left_out(void **state)
{
	(void)state;
	put_blocks((struct how){.block = 0}, 5, 0, 0.1);
	put_blocks((struct how){.purpose = "noise", .block = 10}, 5, -50, 0.1);
	struct report *r = compare();
	assert_int_equal(r->rows[0].head.n, 5);
	report_free(r);
}

static void nothing_in_common(void **state)
{
	(void)state;
	put(BASE, (struct how){.name = "only/base"}, 1);
	put(HEAD, (struct how){.name = "only/head"}, 1);
	refused("base aaaa00000000 has: m/only/base");
	refused("head bbbb00000000 has: m/only/head");
}

static void nothing_at_all(void **state)
{
	(void)state;
	refused("has: nothing");
}

static void failures(void **state)
{
	(void)state;
	put_blocks((struct how){.block = 0}, 5, 0, 0.1);
	put_boot(HEAD, &(const struct how){.status = "infra-failed"});
	put(HEAD, (struct how){.run_status = "bench-failed"}, 1);
	put_boot(BASE, &(const struct how){.status = "panic"});
	struct report *r = compare();
	assert_int_equal(r->n_failures, 2);
	assert_string_equal(r->failures[0].what, "boot panic");
	assert_int_equal(r->failures[0].base_failed, 1);
	assert_int_equal(r->failures[0].base_runs, 6);
	assert_int_equal(r->failures[0].head_failed, 0);
	assert_int_equal(r->failures[0].head_runs, 6); /* the lab's failure is none */
	assert_string_equal(r->failures[1].what, WIS " bench-failed");
	assert_int_equal(r->failures[1].head_failed, 1);
	assert_int_equal(r->failures[1].head_runs, 6);
	assert_string_equal(r->verdict, "clean");
	report_free(r);
}

static void a_head_that_never_boots(void **state)
{
	(void)state;
	for (int i = 1; i <= 2; i++) {
		put(BASE, (struct how){.block = i}, 1000);
		put_boot(HEAD, &(const struct how){.status = "panic"});
	}
	struct report *r = compare();
	assert_int_equal(r->n_rows, 0);
	assert_int_equal(r->n_failures, 1);
	assert_int_equal(r->failures[0].head_failed, 2);
	assert_int_equal(r->failures[0].base_runs, 2);
	assert_string_equal(r->verdict, "regression"); /* 0:2 against 2:2 gives 1404 */
	report_free(r);
}

static void one_failure_is_not_evidence(void **state)
{
	(void)state;
	put(BASE, (struct how){.block = 1}, 1000);
	put_boot(HEAD, &(const struct how){.status = "panic"});
	struct report *r = compare();
	assert_string_equal(r->verdict, "inconclusive");
	report_free(r);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(toolboxes_are_not_mixed),
		T(accelerators_are_not_mixed),
		T(kconfigs_are_not_mixed),
		T(noise_boots_are_left_out),
		T(nothing_in_common),
		T(nothing_at_all),
		T(failures),
		T(a_head_that_never_boots),
		T(one_failure_is_not_evidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
