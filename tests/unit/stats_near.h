/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of harness/stats: comparing doubles by relative error. */
#ifndef LKP_TEST_STATS_NEAR_H
#define LKP_TEST_STATS_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define assert_near(got, want, relative) near_check(got, want, relative, #got, __FILE__, __LINE__)

static inline void near_check(double got, double want, double relative, const char *what,
			      const char *file, int line)
{
	if (got == want || fabs(got - want) <= relative * fabs(want))
		return;
	print_error("%s is %.17g, not %.17g (relative error %.3g)\n", what, got, want,
		    fabs(got - want) / fabs(want));
	_fail(file, line);
}

#endif
