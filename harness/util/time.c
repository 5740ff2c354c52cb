/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/time.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

int64_t time_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec;
}

double time_monotonic(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* False for a time whose year does not fit in four digits: it is shown as the plain number. */
static bool broken_down(int64_t utc, struct tm *tm)
{
	const int64_t year_0 = -62167219200, year_10000 = 253402300800;
	time_t t = (time_t)utc;

	return utc >= year_0 && utc < year_10000 && gmtime_r(&t, tm);
}

void time_add_utc(struct str *s, int64_t utc)
{
	struct tm tm;

	if (!broken_down(utc, &tm)) {
		str_addf(s, "@%" PRId64, utc);
		return;
	}
	str_addf(s, "%04d-%02d-%02d %02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
		 tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void time_add_rfc5322(struct str *s, int64_t utc)
{
	static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	struct tm tm;

	/* A header needs some date: what cannot be written becomes the epoch. */
	if (!broken_down(utc, &tm))
		broken_down(0, &tm);
	str_addf(s, "%s, %02d %s %04d %02d:%02d:%02d +0000", days[tm.tm_wday], tm.tm_mday,
		 months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Whole numbers only: "%.1f" would follow the locale. */
static void add_positive(struct str *s, double seconds)
{
	int64_t ms = llround(seconds * 1e3), tenths = llround(seconds * 10), n = llround(seconds);

	if (ms < 1000)
		str_addf(s, "%" PRId64 " ms", ms);
	else if (tenths < 600)
		str_addf(s, "%" PRId64 ".%" PRId64 " s", tenths / 10, tenths % 10);
	else if (n < 3600)
		str_addf(s, "%" PRId64 " min %02" PRId64 " s", n / 60, n % 60);
	else if (n < 86400)
		str_addf(s, "%" PRId64 " h %02" PRId64 " min", n / 3600, n % 3600 / 60);
	else
		str_addf(s, "%" PRId64 " d %" PRId64 " h", n / 86400, n % 86400 / 3600);
}

void time_add_duration(struct str *s, double seconds)
{
	if (!isfinite(seconds) || fabs(seconds) > 1e14) {
		str_add(s, "unknown");
		return;
	}
	if (seconds <= -0.0005)
		str_addc(s, '-');
	add_positive(s, fabs(seconds));
}
