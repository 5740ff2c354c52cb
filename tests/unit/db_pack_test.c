/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "db/pack.h"
#include "harness/util/mem.h"

#define MAX 8

static void gives_back(void **state)
{
	static const struct {
		double values[MAX];
		size_t n, size; /* of the blob; 0: any */
		int coding;	/* its first byte */
	} cases[] = {
		{{0}, 1, 2, 1},
		{{772459}, 1, 4, 1},
		{{772459, 772460, 772458}, 3, 6, 1},
		{{-1, 1, -64, 64}, 4, 0, 1},
		{{9007199254740991.0, -9007199254740991.0}, 2, 0, 1},
		{{9007199254740992.0}, 1, 9, 0},
		{{12.5, 12.25}, 2, 0, 3},
		{{0.1, 0.2, 0.3}, 3, 4, 2},
		{{0.30000000000000004}, 1, 9, 0},
		{{1.234567}, 1, 0, 7},
		{{1.2345678}, 1, 9, 0},
		{{1.5, 1e300, 0}, 3, 25, 0},
		{{1e300, 1e-300, -1e300}, 3, 25, 0},
		{{5e-324}, 1, 9, 0},
		{{1, 0.1}, 2, 0, 2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_str_ struct str blob = STR_INIT;
		struct err err = ERR_INIT;
		double back[MAX];
		pack_values(&blob, cases[i].values, cases[i].n);
		assert_int_equal(blob.buf[0], cases[i].coding);
		if (cases[i].size)
			assert_int_equal(blob.len, cases[i].size);
		assert_int_equal(pack_read(blob.buf, blob.len, cases[i].n, back, &err), 0);
		assert_memory_equal(back, cases[i].values, cases[i].n * sizeof(double));
	}
}

static void no_negative_zero(void **state)
{
	static const double values[] = {-0.0, 1e300};

	(void)state;
	for (size_t n = 1; n <= 2; n++) {
		_cleanup_str_ struct str blob = STR_INIT;
		struct err err = ERR_INIT;
		double back[2];
		pack_values(&blob, values, n);
		assert_int_equal(pack_read(blob.buf, blob.len, n, back, &err), 0);
		assert_false(signbit(back[0]));
	}
}

static void appends(void **state)
{
	_cleanup_str_ struct str blob = STR_INIT;
	const double value = 0.1 + 0.2;

	(void)state;
	str_add(&blob, "before");
	pack_values(&blob, &value, 1);
	assert_int_equal(blob.len, 6 + 9);
	assert_memory_equal(blob.buf, "before", 6);
}

static void damaged(void **state)
{
	static const struct {
		const char *bytes;
		size_t size, n;
	} cases[] = {
		{"", 0, 1},
		{"\x08\x00", 2, 1}, /* no such coding */
		{"\xff", 1, 1},
		{"\x01", 1, 1},		/* too few */
		{"\x01\x80", 2, 1},	/* cut in a number */
		{"\x01\x02\x02", 3, 1}, /* too many */
		{"\x00\x00\x00\x00\x00\x00\x00\x00", 8, 1},
		{"\x00\x00\x00\x00\x00\x00\x00\xf0\x7f", 9, 1},		     /* Inf */
		{"\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12, 1}, /* over 64 bits */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = ERR_INIT;
		double back[MAX];
		assert_int_equal(pack_read(cases[i].bytes, cases[i].size, cases[i].n, back, &err),
				 -1);
		assert_int_equal(err.kind, ERR_USER);
	}
}

static void any_bytes_are_safe(void **state)
{
	unsigned long seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		unsigned char bytes[16];
		struct err err = ERR_INIT;
		double back[MAX];
		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * 6364136223846793005UL + 1442695040888963407UL;
			bytes[i] = (unsigned char)(seed >> 56);
		}
		bytes[0] %= 9;
		if (pack_read(bytes, 1 + seed % 15, 1 + seed % MAX, back, &err) == 0)
			assert_true(isfinite(back[0]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_back),
		cmocka_unit_test(no_negative_zero),
		cmocka_unit_test(appends),
		cmocka_unit_test(damaged),
		cmocka_unit_test(any_bytes_are_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
