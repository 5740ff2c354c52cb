/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/units.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>

#include "harness/util/mem.h"

/* Text that was refused, cut and safe to show. */
static void quote(struct str *s, const char *text)
{
	size_t n = strnlen(text, 41);

	str_addc(s, '"');
	str_add_safe(s, text, n > 40 ? 37 : n);
	str_add(s, n > 40 ? "...\"" : "\"");
}

static int refuse(const char *text, const char *wanted, struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT;

	quote(&shown, text);
	return err_set(err, ERR_USER, "%s is not %s", shown.buf, wanted);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits(const char *text)
{
	size_t n = 0;

	while (is_digit(text[n]))
		n++;
	return n;
}

int units_parse_int(const char *text, int64_t min, int64_t max, int64_t *ret, struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT;
	const char *p = text + (text[0] == '-');
	bool overflow = false;
	int64_t value = 0;

	if (!*p || p[digits(p)])
		return refuse(text, "a whole number", err);
	/* Counted downwards, because the most negative number has no positive twin. */
	for (; *p; p++)
		overflow |= __builtin_mul_overflow(value, 10, &value) ||
			    __builtin_sub_overflow(value, *p - '0', &value);
	if (text[0] != '-')
		overflow |= __builtin_sub_overflow(0, value, &value);
	if (!overflow && value >= min && value <= max) {
		*ret = value;
		return 0;
	}
	quote(&shown, text);
	return err_set(err, ERR_USER, "%s is out of range: %" PRId64 " to %" PRId64 " is allowed",
		       shown.buf, min, max);
}

/* Length of the decimal number text starts with; 0: none. No hex, no inf, no nan, no blanks. */
static size_t number_length(const char *text)
{
	const char *p = text, *e;
	size_t whole, fraction = 0;

	p += *p == '-' || *p == '+';
	whole = digits(p);
	p += whole;
	if (*p == '.') {
		fraction = digits(p + 1);
		p += 1 + fraction;
	}
	if (!whole && !fraction)
		return 0;
	if (*p != 'e' && *p != 'E')
		return (size_t)(p - text);
	e = p + 1;
	e += *e == '-' || *e == '+';
	if (digits(e))
		p = e + digits(e);
	return (size_t)(p - text);
}

static locale_t c_locale(void)
{
	static locale_t c;

	if (!c)
		c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c)
		abort();
	return c;
}

/* Parses the number at the start of text; what follows it goes to *ret_rest. */
static int leading_number(const char *text, const char *wanted, double *ret, const char **ret_rest,
			  struct err *err)
{
	size_t n = number_length(text);
	_cleanup_free_ char *copy = xstrndup(text, n);
	double value;

	if (!n)
		return refuse(text, wanted, err);
	value = strtod_l(copy, NULL, c_locale());
	if (!isfinite(value))
		return refuse(text, "a number that fits: it is too large", err);
	*ret = value;
	*ret_rest = text + n;
	return 0;
}

int units_parse_double(const char *text, double *ret, struct err *err)
{
	static const char wanted[] = "a number";
	const char *rest;
	double value;

	if (leading_number(text, wanted, &value, &rest, err) < 0)
		return -1;
	if (*rest)
		return refuse(text, wanted, err);
	*ret = value;
	return 0;
}

/* One blank may stand between a number and its unit. */
static const char *unit_of(const char *rest)
{
	return rest[0] == ' ' && rest[1] ? rest + 1 : rest;
}

int units_parse_duration(const char *text, double *ret, struct err *err)
{
	static const char wanted[] = "a duration like 90, 90s, 200ms, 15min, 2h or 3d";
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{"", 1}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400},
	};
	const char *rest;
	double value;

	if (leading_number(text, wanted, &value, &rest, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!streq(unit_of(rest), units[i].name) || signbit(value) ||
		    !isfinite(value * units[i].seconds))
			continue;
		*ret = value * units[i].seconds;
		return 0;
	}
	return refuse(text, wanted, err);
}

int units_parse_size(const char *text, uint64_t *ret, struct err *err)
{
	static const char wanted[] = "a size like 100, 64K, 512M, 4G or 1T";
	static const char letters[] = "KMGT";
	size_t n = digits(text);
	const char *unit = unit_of(text + n), *letter = NULL;
	uint64_t value = 0, factor = 1;
	bool overflow = false;

	if (*unit)
		letter = strchr(letters, *unit);
	if (!n || (*unit && (!letter || unit[1])))
		return refuse(text, wanted, err);
	if (letter)
		factor = UINT64_C(1) << 10 * (letter - letters + 1);
	for (size_t i = 0; i < n; i++)
		overflow |= __builtin_mul_overflow(value, 10, &value) ||
			    __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value);
	if (overflow || __builtin_mul_overflow(value, factor, &value))
		return refuse(text, "a size that fits: it is too large", err);
	*ret = value;
	return 0;
}

int units_parse_ratio(const char *text, double *ret, struct err *err)
{
	static const char wanted[] = "a ratio like 2%, 0.5 % or 0.02";
	const char *rest;
	double value;

	if (leading_number(text, wanted, &value, &rest, err) < 0)
		return -1;
	if (*rest && !streq(unit_of(rest), "%"))
		return refuse(text, wanted, err);
	*ret = *rest ? value / 100 : value;
	return 0;
}

void units_add_size(struct str *s, uint64_t bytes)
{
	static const char *const names[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	uint64_t unit = 1, tenths, whole;
	size_t i = 0;

	/* From 999.5 kB on it would round to 1000 kB, so it is 1.0 MB. */
	while (i + 1 < ARRAY_SIZE(names) && bytes >= (i ? unit * 999 + unit / 2 : 1000)) {
		unit *= 1000;
		i++;
	}
	tenths = bytes / unit * 10 + (bytes % unit * 10 + unit / 2) / unit;
	whole = bytes / unit + (bytes % unit + unit / 2) / unit;
	if (i && tenths < 100)
		str_addf(s, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10, names[i]);
	else
		str_addf(s, "%" PRIu64 " %s", whole, names[i]);
}

void units_add_setting(struct str *s, uint64_t bytes)
{
	static const char names[] = "\0KMGT";
	size_t i = 0;

	while (bytes && bytes % 1024 == 0 && i + 2 < sizeof(names)) {
		bytes /= 1024;
		i++;
	}
	str_addf(s, "%" PRIu64, bytes);
	if (i)
		str_addc(s, names[i]);
}

void units_add_count(struct str *s, int64_t n)
{
	uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n, group = 1;

	if (n < 0)
		str_addc(s, '-');
	while (rest / group >= 1000)
		group *= 1000;
	str_addf(s, "%" PRIu64, rest / group);
	while (group > 1) {
		rest %= group;
		group /= 1000;
		str_addf(s, " %03" PRIu64, rest / group);
	}
}
