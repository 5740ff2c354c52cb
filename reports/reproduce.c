/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/letter.h"

#include "harness/util/mem.h"
#include "reports/reproduce.sh.tmpl.h"

/* name='value', quoted for sh; a line end in a value cannot occur in what is passed here, but a
 * quote can. */
static void add_assignment(struct str *s, const char *name, const char *value)
{
	str_addf(s, "%s='", name);
	for (const char *p = value ? value : ""; *p; p++) {
		if (*p == '\'')
			str_add(s, "'\\''");
		else if (*p != '\n' && *p != '\r')
			str_addc(s, *p);
	}
	str_add(s, "'\n");
}

int letter_reproduce(const struct letter *l, struct str *ret, struct err *err)
{
	(void)err;
	str_add(ret, embed_reports_reproduce_sh_tmpl);
	add_assignment(ret, "base", l->report->base.id);
	add_assignment(ret, "head", l->report->head.id);
	add_assignment(ret, "kconfig", l->report->kconfig);
	add_assignment(ret, "machine", l->row->machine);
	str_add(ret, "job=$(mktemp -d)/job.yaml\n"
		     "trap 'rm -r \"${job%/*}\"' EXIT\n"
		     "cat > \"$job\" <<'END_OF_JOB'\n");
	/* A line that ends the here-document early would be run as commands. */
	for (const char *p = l->job_text ? l->job_text : ""; *p;) {
		size_t n = strcspn(p, "\n");
		if (!(n >= 10 && !strncmp(p, "END_OF_JOB", 10)))
			str_addf(ret, "%.*s\n", (int)n, p);
		p += n + (p[n] != '\0');
	}
	str_add(ret,
		"END_OF_JOB\n"
		"cd \"${LKPD:-.}\"\n"
		"[ -f tools/deps ] || { echo \"LKPD must name a checkout of lkpd\" >&2; exit 1; }\n"
		": \"${KERNEL_GIT:?the kernel tree that has both commits}\"\n"
		"tools/deps install\n"
		"make -s all\n"
		"status=0\n"
		"build/lkpctl run \"$job\" --git \"$KERNEL_GIT\" -k \"$kconfig\" "
		"-m \"$machine\" -b \"$head\" --against \"$base\" || status=$?\n"
		"exit $status\n");
	return 0;
}
