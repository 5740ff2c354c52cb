/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/judge/effects.h"

#include "harness/util/mem.h"
#include "harness/util/str.h"

void effects_add(struct effects *e, const struct bench_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct job *job = cases[i].job;

		if (job->theta <= 0 && job->min_effect <= 0)
			continue;
		mem_grow(&e->v, &e->cap, e->n + 1, sizeof(*e->v));
		e->v[e->n++] = (struct effect){
			.test_case = xstrdup(cases[i].name),
			.theta = job->theta,
			.min_effect = job->min_effect,
		};
	}
}

void effects_done(struct effects *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->v[i].test_case);
	free(e->v);
	*e = (struct effects){.n = 0};
}

const struct effect *effects_find(const struct effects *e, const char *test_case)
{
	static const struct effect none = {.test_case = NULL};

	for (size_t i = 0; e && i < e->n; i++)
		if (streq(e->v[i].test_case, test_case))
			return &e->v[i];
	return &none;
}
