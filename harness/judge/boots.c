/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/judge/boots.h"

#include <math.h>

#include "harness/util/mem.h"

bool sample_deterministic(const struct db_sample *s)
{
	return streq(s->accel, "icount");
}

int boots_make(const struct db_sample *const *samples, size_t n, const struct metric *def,
	       struct boots *ret, struct err *err)
{
	struct boots b = {.samples = samples, .values = xcalloc(n + 1, sizeof(double)), .n = n};

	for (size_t i = 0; i < n; i++) {
		const struct db_sample *s = samples[i];
		enum stats_aggregate kind =
			sample_deterministic(s) ? def->aggregate_det : def->aggregate;
		if (stats_aggregate(kind, s->values, s->n, &b.values[i], err) < 0) {
			boots_done(&b);
			return err_wrap(err, "boot %s", s->boot);
		}
	}
	*ret = b;
	return 0;
}

void boots_done(struct boots *b)
{
	free(b->values);
	*b = (struct boots){.n = 0};
}

static bool all_integers(const struct boots *b)
{
	for (size_t i = 0; i < b->n; i++)
		for (size_t k = 0; k < b->samples[i]->n; k++)
			if (b->samples[i]->values[k] != trunc(b->samples[i]->values[k]))
				return false;
	return true;
}

int boots_side(const struct boots *b, struct report_side *ret, struct err *err)
{
	const double *values = b->n == 1 ? b->samples[0]->values : b->values;
	size_t n = b->n == 1 ? b->samples[0]->n : b->n;
	struct stats_descr descr;

	if (stats_describe(values, n, &descr, err) < 0)
		return -1;
	*ret = (struct report_side){
		.mean = descr.mean,
		.stddev = descr.stddev,
		.n = b->n,
		.integer = all_integers(b),
		.present = true,
	};
	return 0;
}
