/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict's error rates and power on Gaussian noise with a fixed seed: each comparison is
 * looked at after every block until it is decided, as the judge does.
 */
#include "harness/stats/verdict.h"

#include "tests/unit/stats_near.h"

#define BOOT_SD	 0.01
#define BLOCK_SD (BOOT_SD * M_SQRT2)

static const struct stats_rule rule = STATS_RULE_INIT;
static const struct stats_noise right = {BLOCK_SD, 20};
static const struct stats_noise none = {0, 0};

/* xorshift64* */
static double uniform(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return ((double)((*seed * UINT64_C(2685821657736338717)) >> 11) + 0.5) / 0x1p53;
}

/* Box and Muller. */
static double gauss(uint64_t *seed)
{
	double r = sqrt(-2 * log(uniform(seed)));

	return r * cos(2 * M_PI * uniform(seed));
}

struct tally {
	int verdicts[STATS_INCONCLUSIVE + 1];
	int covered; /* the printed interval held the truth when it stopped */
	double blocks;
};

static struct tally simulate(int trials, double effect, struct stats_noise noise)
{
	struct tally tally = {0};
	uint64_t seed = 20140701;

	for (int i = 0; i < trials; i++) {
		double d[30];
		struct stats_result r = {.decided = false};
		size_t n = 0;

		while (!r.decided) {
			d[n++] = effect + BLOCK_SD * gauss(&seed);
			assert_int_equal(stats_verdict(d, n, noise, &rule, &r, NULL), 0);
		}
		tally.verdicts[r.verdict]++;
		tally.covered += r.lo <= effect && effect <= r.hi;
		tally.blocks += (double)n / trials;
	}
	return tally;
}

/* 0.1 % of 20000 is 20; a sum of both kinds is bounded by it. */
static void false_verdicts(void **state)
{
	const struct stats_noise noises[] = {right, none};

	(void)state;
	for (size_t i = 0; i < COUNT(noises); i++) {
		struct tally t = simulate(20000, 0, noises[i]);

		print_message("unchanged, d0 = %d: %d regressions, %d improvements, %d clean, "
			      "%.2f blocks, covered %d\n",
			      noises[i].d0, t.verdicts[STATS_REGRESSION],
			      t.verdicts[STATS_IMPROVEMENT], t.verdicts[STATS_CLEAN], t.blocks,
			      t.covered);
		assert_true(t.verdicts[STATS_REGRESSION] + t.verdicts[STATS_IMPROVEMENT] <= 20);
		assert_true(t.covered >= 19000);
	}
}

static void unchanged_is_soon_clean(void **state)
{
	struct tally t = simulate(5000, 0, right);

	(void)state;
	assert_true(t.blocks <= 8);
	assert_true(t.verdicts[STATS_CLEAN] >= 4950);
}

static void power(void **state)
{
	struct tally small = simulate(4000, 0.02, right), large = simulate(4000, 0.05, right);

	(void)state;
	print_message("2 %%: %d of 4000 in %.2f blocks; 5 %%: %d in %.2f\n",
		      small.verdicts[STATS_REGRESSION], small.blocks,
		      large.verdicts[STATS_REGRESSION], large.blocks);
	assert_true(small.verdicts[STATS_REGRESSION] >= 3920);
	assert_true(small.blocks <= 13);
	assert_true(large.verdicts[STATS_REGRESSION] >= 3996);
	assert_true(large.blocks <= 4);
}

static void improvement_is_not_clean(void **state)
{
	struct tally t = simulate(4000, -0.02, right);

	(void)state;
	print_message("-2 %%: %d of 4000 clean\n", t.verdicts[STATS_CLEAN]);
	assert_true(t.verdicts[STATS_CLEAN] <= 200);
	assert_int_equal(t.verdicts[STATS_REGRESSION], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(false_verdicts),
		cmocka_unit_test(unchanged_is_soon_clean),
		cmocka_unit_test(power),
		cmocka_unit_test(improvement_is_not_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
