/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/evalue.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "harness/stats/descr.h"

static bool is_positive(double x)
{
	return isfinite(x) && x > 0;
}

int stats_noise_check(struct stats_noise noise, struct err *err)
{
	if (noise.d0 < 0 || (noise.d0 > 0 && !(isfinite(noise.s0) && noise.s0 >= 0)))
		return err_set(
			err, ERR_USER,
			"A/A noise s0 = %g with d0 = %d: both must be finite and not negative",
			noise.s0, noise.d0);
	return 0;
}

static int check_scales(double theta, double least, struct err *err)
{
	if (!is_positive(theta) || !is_positive(least))
		return err_set(
			err, ERR_USER,
			"effect that matters %g, floor of the noise %g: both must be positive",
			theta, least);
	return 0;
}

int stats_seq_init(const double *d, size_t n, struct stats_noise noise, double theta,
		   double s_floor, struct stats_seq *ret, struct err *err)
{
	double d0 = noise.d0 < STATS_D0_MAX ? noise.d0 : STATS_D0_MAX;
	double s0 = noise.d0 > 0 ? fmax(noise.s0, s_floor) : s_floor;
	double dbar, own, nu, s = 0;

	if (stats_noise_check(noise, err) || check_scales(theta, s_floor, err) ||
	    stats_mean(d, n, &dbar, err) || stats_stddev(d, n, &own, err))
		return -1;
	nu = d0 + (double)(n - 1);
	if (nu > 0) /* hypot: the squares may overflow where s does not */
		s = hypot(sqrt(d0 / nu) * s0, sqrt((double)(n - 1) / nu) * own);
	*ret = (struct stats_seq){
		.n = n,
		.dbar = dbar,
		.s = fmin(fmax(s, s_floor), DBL_MAX),
		.nu = nu,
		.g = d0 > 0 ? fmin(theta / s0 * (theta / s0), 1e300) : STATS_FREE_G,
	};
	return 0;
}

/* ln(1 + x^2) without overflow. */
static double log1p_square(double x)
{
	return fabs(x) < 1e100 ? log1p(x * x) : 2 * log(fabs(x));
}

static double log1p_ng(const struct stats_seq *seq)
{
	return log1p((double)seq->n * seq->g);
}

double stats_seq_log_e(const struct stats_seq *seq, double D)
{
	double lg = log1p_ng(seq), u, gain;

	if (seq->nu <= 0)
		return 0;
	u = sqrt((double)seq->n / seq->nu) * ((seq->dbar - D) / seq->s); /* t / sqrt(nu) */
	gain = isfinite(u) ? log1p_square(u) - log1p_square(u * exp(-lg / 2)) : lg;
	return (seq->nu + 1) / 2 * gain - lg / 2;
}

double stats_e_value(double log_e)
{
	return fmin(exp(log_e), DBL_MAX);
}

double stats_seq_log_k(const struct stats_seq *seq, double alpha)
{
	if (!(alpha > 0 && alpha < 1))
		return INFINITY;
	return 2 / (seq->nu + 1) * (log1p_ng(seq) / 2 - log(alpha));
}

double stats_seq_t_star(const struct stats_seq *seq, double alpha)
{
	double lk = stats_seq_log_k(seq, alpha), lg = log1p_ng(seq);

	if (lk >= lg)
		return INFINITY;
	return sqrt(seq->nu * expm1(lk) / -expm1(lk - lg));
}

double stats_seq_half_width(const struct stats_seq *seq, double alpha)
{
	return stats_seq_t_star(seq, alpha) * (seq->s / sqrt((double)seq->n));
}
