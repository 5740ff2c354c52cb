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

/* A file as a here-document. Its end is a word that the text does not have: what comes behind an
 * early end would be run as commands. */
static void add_file(struct str *s, const char *name, const char *text)
{
	_cleanup_str_ struct str end = STR_INIT;
	size_t n = strlen(text);
	str_add(&end, "END_OF_FILE");
	while (strstr(text, end.buf))
		str_addc(&end, '_');
	str_addf(s, "cat > \"$lab/%s\" <<'%s'\n%s", name, end.buf, text);
	str_addf(s, "%s%s\n", n && text[n - 1] != '\n' ? "\n" : "", end.buf);
}

static const char commands[] =
	": \"${KERNEL_GIT:?the kernel tree that has both commits}\"\n"
	"[ ! -d \"$KERNEL_GIT\" ] || KERNEL_GIT=$(cd \"$KERNEL_GIT\" && pwd)\n"
	"cd \"${LKPD:-.}\"\n"
	"[ -f tools/deps ] || { echo \"LKPD must name a checkout of lkpd\" >&2; exit 1; }\n"
	"[ -n \"${LKP_STATE:-}\" ] || { LKP_STATE=$(mktemp -d); chmod 755 \"$LKP_STATE\"; }\n"
	"export LKP_STATE KERNEL_GIT\n"
	"tools/deps install\n"
	"make -s all\n"
	"status=0\n"
	"build/lkpctl -c \"$lab/lkp.yaml\" run \"$lab/job.yaml\" -k \"$kconfig\" -m \"$machine\" "
	"-b \"$head\" --against \"$base\" || status=$?\n"
	"echo \"Everything measured lies below $LKP_STATE.\"\n"
	"exit $status\n";

int letter_reproduce(const struct letter *l, struct str *ret, struct err *err)
{
	(void)err;
	str_add(ret, embed_reports_reproduce_sh_tmpl);
	add_assignment(ret, "base", l->report->base.id);
	add_assignment(ret, "head", l->report->head.id);
	add_assignment(ret, "kconfig", l->report->kconfig);
	add_assignment(ret, "machine", l->row->machine);
	str_add(ret, "lab=$(mktemp -d)\n"
		     "trap 'rm -r \"$lab\"' EXIT\n"
		     "chmod 755 \"$lab\"\n");
	add_file(ret, "job.yaml", l->job_text ? l->job_text : "");
	add_file(ret, "lkp.yaml", l->lab_text ? l->lab_text : "");
	add_file(ret, "fragments.config", l->fragments_text ? l->fragments_text : "");
	if (l->base_text && *l->base_text)
		add_file(ret, "base.config", l->base_text);
	str_add(ret, commands);
	return 0;
}
