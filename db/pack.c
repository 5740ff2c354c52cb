/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/pack.h"

#include <endian.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/util/mem.h"

#define CODING_DOUBLES	0
#define CODING_INTEGERS 1
#define EXACT_MAX	9007199254740992.0 /* 2^53: integers up to here are doubles */

static const double scales[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};

/* Whether x is a whole number of 1/scale that division gives back to the bit. */
static bool scaled(double x, double scale, int64_t *ret)
{
	double y = nearbyint(x * scale);

	if (!(fabs(y) < EXACT_MAX) || y / scale != x)
		return false;
	*ret = (int64_t)y;
	return true;
}

static void add_varint(struct str *s, uint64_t u)
{
	for (; u >= 0x80; u >>= 7)
		str_addc(s, (char)(u | 0x80));
	str_addc(s, (char)u);
}

static bool add_integers(struct str *s, const double *values, size_t n, size_t k)
{
	int64_t before = 0, now;

	str_addc(s, (char)(CODING_INTEGERS + k));
	for (size_t i = 0; i < n; i++) {
		if (!scaled(values[i], scales[k], &now))
			return false;
		int64_t delta = now - before;
		add_varint(s, ((uint64_t)delta << 1) ^ (uint64_t)(delta >> 63));
		before = now;
	}
	return true;
}

static void add_doubles(struct str *s, const double *values, size_t n)
{
	str_addc(s, CODING_DOUBLES);
	for (size_t i = 0; i < n; i++) {
		double value = values[i] + 0.0; /* -0 becomes 0 */
		uint64_t bits;
		memcpy(&bits, &value, sizeof(bits));
		bits = htole64(bits);
		str_addn(s, &bits, sizeof(bits));
	}
}

void pack_values(struct str *ret, const double *values, size_t n)
{
	size_t start = ret->len;

	/* The first scale that fits is the shortest: a larger one only adds digits. */
	for (size_t k = 0; k < ARRAY_SIZE(scales); k++) {
		bool fits = add_integers(ret, values, n, k);
		if (fits && ret->len - start <= 1 + n * sizeof(double))
			return;
		str_cut(ret, start);
		if (fits)
			break;
	}
	add_doubles(ret, values, n);
}

static int damaged(struct err *err)
{
	return err_set(err, ERR_USER, "a blob of samples is damaged; run \"lkpctl db check\"");
}

static int read_doubles(const unsigned char *p, size_t size, size_t n, double *ret, struct err *err)
{
	if (size / sizeof(double) != n || size % sizeof(double))
		return damaged(err);
	for (size_t i = 0; i < n; i++) {
		uint64_t bits;
		memcpy(&bits, p + i * sizeof(bits), sizeof(bits));
		bits = le64toh(bits);
		memcpy(&ret[i], &bits, sizeof(bits));
		if (!isfinite(ret[i]))
			return damaged(err);
	}
	return 0;
}

static bool read_varint(const unsigned char **p, const unsigned char *end, uint64_t *ret)
{
	uint64_t u = 0;

	for (int shift = 0; *p < end && shift < 64; shift += 7) {
		unsigned char c = *(*p)++;
		u |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80)) {
			*ret = u;
			return true;
		}
	}
	return false;
}

int pack_read(const void *data, size_t size, size_t n, double *ret, struct err *err)
{
	const unsigned char *p = data, *end = p + size;
	uint64_t value = 0, u;

	if (size == 0 || *p >= CODING_INTEGERS + ARRAY_SIZE(scales))
		return damaged(err);
	if (*p == CODING_DOUBLES)
		return read_doubles(p + 1, size - 1, n, ret, err);
	double scale = scales[*p++ - CODING_INTEGERS];
	for (size_t i = 0; i < n; i++) {
		if (!read_varint(&p, end, &u))
			return damaged(err);
		value += (u >> 1) ^ -(u & 1);
		ret[i] = (double)(int64_t)value / scale;
	}
	return p == end ? 0 : damaged(err);
}
