/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/report.h"

#include "harness/util/mem.h"
#include "reports/renderers.h"

const struct reporter *const reporters[] = {
	&reporter_lkp,
	&reporter_json,
	NULL,
};

const struct reporter *reporter_find(const char *name)
{
	for (size_t i = 0; reporters[i]; i++)
		if (streq(reporters[i]->name, name))
			return reporters[i];
	return NULL;
}

static void commit_free(struct report_commit *c)
{
	free(c->subject);
	free(c->author_name);
	free(c->author_email);
}

void report_free(struct report *r)
{
	if (!r)
		return;
	commit_free(&r->base);
	commit_free(&r->head);
	free(r->tree);
	free(r->branch);
	free(r->kconfig);
	for (size_t i = 0; i < r->n_rows; i++) {
		free(r->rows[i].machine);
		free(r->rows[i].test_case);
		free(r->rows[i].metric);
		free(r->rows[i].reason);
	}
	free(r->rows);
	for (size_t i = 0; i < r->n_failures; i++) {
		free(r->failures[i].machine);
		free(r->failures[i].what);
	}
	free(r->failures);
	free(r);
}
