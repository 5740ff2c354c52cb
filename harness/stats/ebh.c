/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/stats/ebh.h"

#include <math.h>

static int check(const double *log_e, size_t m, double q, struct err *err)
{
	if (!(q > 0 && q < 1))
		return err_set(err, ERR_USER, "false discovery rate %g: it must be between 0 and 1",
			       q);
	for (size_t i = 0; i < m; i++)
		if (isnan(log_e[i]) || log_e[i] == INFINITY)
			return err_set(err, ERR_USER, "log e-value %zu of %zu is %g", i + 1, m,
				       log_e[i]);
	return 0;
}

static size_t count_from(const double *log_e, size_t m, double least)
{
	size_t n = 0;

	for (size_t i = 0; i < m; i++)
		n += log_e[i] >= least;
	return n;
}

static double threshold(size_t m, size_t k, double q)
{
	return log((double)m / ((double)k * q));
}

int stats_ebh(const double *log_e, size_t m, double q, bool *ret_selected, size_t *ret_k,
	      struct err *err)
{
	size_t k = m, n = 0;
	double least = INFINITY;

	if (check(log_e, m, q, err))
		return -1;
	/*
	 * Downwards from k = m without sorting: if only n < k values pass k's threshold, then no k'
	 * between n and k can do, since its threshold is higher still.
	 */
	for (; k > 0; k = n) {
		least = threshold(m, k, q);
		n = count_from(log_e, m, least);
		if (n >= k)
			break;
	}
	for (size_t i = 0; i < m; i++)
		ret_selected[i] = log_e[i] >= least;
	if (ret_k)
		*ret_k = k;
	return 0;
}
