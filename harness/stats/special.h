/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Special functions of statistics. Pure functions on doubles.
 *
 * Relative error: below 1e-10 for shape parameters from 1/2 and degrees of freedom from 1 up to
 * 1e4, and below 1e-7 up to 1e6, the most that is taken. Arguments outside the stated ranges, NaN
 * among them, are refused with kind USER.
 */
#ifndef LKP_STATS_SPECIAL_H
#define LKP_STATS_SPECIAL_H

#include "harness/util/err.h"

/* ln Gamma(x) for x > 0, from libm's lgamma_r (no global sign). NaN for other x. */
double stats_lgamma(double x);

/* ln B(a, b) = ln Gamma(a) + ln Gamma(b) - ln Gamma(a + b), for a, b > 0. NaN for others. */
double stats_lbeta(double a, double b);

/*
 * The regularised incomplete beta function I_x(a, b), 0 < a, b <= 1e6, 0 <= x <= 1.
 * Continued fraction 8.17.22 of the NIST Digital Library of Mathematical Functions, with the
 * symmetry 8.17.4 where it converges slowly; evaluated by the modified Lentz method (Thompson and
 * Barnett, J. Comput. Phys. 64, 1986).
 */
int stats_ibeta(double a, double b, double x, double *ret, struct err *err);

/*
 * P(|T| >= |t|) for Student's t with nu degrees of freedom (not only whole ones), 0 < nu <= 1e6:
 * I_x(nu/2, 1/2) at x = nu / (nu + t^2) (DLMF 8.17.6 and Abramowitz and Stegun 26.7.1).
 * Below 1e-300 it may be 0.
 */
int stats_t_p(double t, double nu, double *ret, struct err *err);

/* The t > 0 with P(|T| >= t) = p, for 1e-200 <= p < 1 and 1 <= nu <= 1e6: the inverse. */
int stats_t_quantile(double p, double nu, double *ret, struct err *err);

/* z with Phi(z) = p, for 1e-300 <= p < 1: Newton's method on libm's erf and erfc. */
int stats_normal_quantile(double p, double *ret, struct err *err);

#endif
