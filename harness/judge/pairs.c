/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/judge/pairs.h"

#include "harness/stats/verdict.h"
#include "harness/util/mem.h"

struct entry {
	int64_t block;
	double value;
};

static int by_block(const void *a, const void *b)
{
	int64_t x = ((const struct entry *)a)->block, y = ((const struct entry *)b)->block;

	return (x > y) - (x < y);
}

/* The boots with a block of its own on this side, by number. */
static struct entry *collect(const struct boots *b, bool confirm, size_t *ret_n)
{
	struct entry *v = xcalloc(b->n + 1, sizeof(*v));
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < b->n; i++)
		if (b->samples[i]->block > 0 && streq(b->samples[i]->purpose, "confirm") == confirm)
			v[n++] = (struct entry){b->samples[i]->block, b->values[i]};
	qsort(v, n, sizeof(*v), by_block);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].block == v[i].block;)
			end++;
		/* Two boots under one number: it cannot be told which belongs to the block. */
		if (end == i + 1)
			v[kept++] = v[i];
	}
	*ret_n = kept;
	return v;
}

int pairs_make(const struct boots *base, const struct boots *head, const struct metric *def,
	       bool confirm, struct pairs *ret, struct err *err)
{
	size_t n_base, n_head, k = 0;
	_cleanup_free_ struct entry *b = collect(base, confirm, &n_base);
	_cleanup_free_ struct entry *h = collect(head, confirm, &n_head);
	struct pairs p = {.d = xcalloc(n_base + 1, sizeof(double))};

	for (size_t i = 0; i < n_base; i++) {
		while (k < n_head && h[k].block < b[i].block)
			k++;
		if (k == n_head || h[k].block != b[i].block)
			continue;
		if (def->ratio && (b[i].value <= 0 || h[k].value <= 0)) {
			p.unfit++;
			continue;
		}
		if (stats_block_d(b[i].value, h[k].value, def->direction != METRIC_LOWER,
				  def->ratio, &p.d[p.n], err) < 0) {
			pairs_done(&p);
			return err_wrap(err, "block %lld", (long long)b[i].block);
		}
		p.n++;
	}
	*ret = p;
	return 0;
}

void pairs_done(struct pairs *p)
{
	free(p->d);
	*p = (struct pairs){.n = 0};
}
