/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/roles/letter_lab.h"

#include <inttypes.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define FILE_CAP (1u << 20)

/* "    key: "value"": a YAML string in double quotes, of which what is printed safely needs two
 * escapes. */
static void add_text(struct str *s, const char *key, const char *value)
{
	_cleanup_str_ struct str safe = STR_INIT;
	if (!value || !*value)
		return;
	str_add_safe(&safe, value, strlen(value));
	str_addf(s, "    %s: \"", key);
	for (const char *p = safe.buf; *p; p++)
		str_addf(s, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
	str_add(s, "\"\n");
}

static void add_int(struct str *s, const char *key, int64_t value)
{
	str_addf(s, "    %s: %" PRId64 "\n", key, value);
}

static void add_machine(struct str *s, const struct config_machine *m)
{
	str_addf(s, "machines:\n  %s:\n", m->name);
	add_text(s, "driver", m->driver);
	add_text(s, "class", m->class);
	add_text(s, "accel", m->accel);
	add_text(s, "cpu_model", m->cpu_model);
	add_text(s, "cmdline", m->cmdline);
	add_int(s, "cpus", m->cpus);
	/* Keys at their default are left out: an older checkout need not know them. */
	if (m->sockets > 1)
		add_int(s, "sockets", m->sockets);
	if (m->threads > 1)
		add_int(s, "threads", m->threads);
	add_int(s, "memory", m->memory);
	str_addf(s, "    boot_timeout: %gs\n    silence_timeout: %gs\n", m->boot_timeout,
		 m->silence_timeout);
}

static void add_sampling(struct str *s, const struct config_sampling *p)
{
	str_addf(s,
		 "sampling:\n  blocks: %" PRId64 "\n  confirm_blocks: %" PRId64
		 "\n  theta: %.15g%%\n  theta_deterministic: %.15g%%\n  min_effect: %.15g%%\n"
		 "  alpha: %.15g\n  clean_alpha: %.15g\n",
		 p->blocks, p->confirm_blocks, 100 * p->theta, 100 * p->theta_deterministic,
		 100 * p->min_effect, p->alpha, p->clean_alpha);
}

static bool is_file(const char *base)
{
	return strchr(base, '/') != NULL;
}

static void add_kconfig(struct str *s, const struct config_kconfig *k)
{
	str_addf(s, "kconfigs:\n  %s:\n", k->name);
	add_text(s, "base", is_file(k->base) ? "./base.config" : k->base);
	str_add(s, "    fragments: [ fragments.config ]\n");
	add_text(s, "arch", k->arch);
	add_text(s, "image", k->image);
}

int letter_lab(const struct judge_spec *judge, struct letter *letter, struct err *err)
{
	const struct config_kconfig *k = judge->kconfig;
	_cleanup_str_ struct str lab = STR_INIT, fragments = STR_INIT, base = STR_INIT;
	str_addf(
		&lab,
		"trees:\n  %s:\n    url: \"$KERNEL_GIT\"\n    upstream: %s\n    branches: [ \"*\" ]\n",
		judge->tree->name, judge->base);
	if (!judge->tree->sandbox)
		str_add(&lab, "    sandbox: off\n");
	add_kconfig(&lab, k);
	add_machine(&lab, judge->machine);
	add_sampling(&lab, &judge->config->sampling);
	str_add(&lab, "paths:\n  jobs: .\n");
	for (size_t i = 0; k->fragments && k->fragments[i]; i++)
		if (fs_read(k->fragments[i], FILE_CAP, &fragments, err) < 0)
			return -1;
	if (is_file(k->base) && fs_read(k->base, FILE_CAP, &base, err) < 0)
		return -1;
	letter->lab_text = str_detach(&lab);
	letter->fragments_text = str_detach(&fragments);
	letter->base_text = str_detach(&base);
	return 0;
}
