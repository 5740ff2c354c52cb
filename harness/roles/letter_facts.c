/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/roles/letter_facts.h"

#include <fcntl.h>
#include <unistd.h>

#include "db/facts.h"
#include "harness/kernel/facts.h"
#include "harness/kernel/zst.h"
#include "harness/machine/machine.h"
#include "harness/mail/outbox.h"
#include "harness/roles/letter_lab.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

#define RANGE_MAX  100
#define PATHS_MAX  1000
#define CONFIG_CAP (4 << 20)

static void copy_range(struct letter *l, const struct commit *commits, size_t n)
{
	l->range = xcalloc(n + 1, sizeof(*l->range));
	for (size_t i = 0; i < n; i++) {
		struct report_commit *to = &l->range[i];
		snprintf(to->id, sizeof(to->id), "%s", commits[i].id);
		to->subject = xstrdup(commits[i].subject);
		to->author_name = xstrdup(commits[i].author_name);
		to->author_email = xstrdup(commits[i].author_email);
		to->date = commits[i].date;
	}
	l->n_range = n;
}

static int add_range(const struct finding_spec *spec, struct letter *l, struct err *err)
{
	struct commit *commits = NULL;
	size_t n = 0;
	if (repo_range(spec->judge->repo, spec->base->id, spec->head->id, false, RANGE_MAX,
		       &commits, &n, &l->range_more, err) < 0)
		return -1;
	copy_range(l, commits, n);
	for (size_t i = 0; i < n; i++)
		commit_done(&commits[i]);
	free(commits);
	return 0;
}

/* The folder that all changed paths share ("mm"); the tree's name when there is none. */
static int add_subsystem(const struct finding_spec *spec, struct letter *l, struct err *err)
{
	_cleanup_strv_ char **paths = NULL;
	if (repo_changed_paths(spec->judge->repo, spec->base->id, spec->head->id, PATHS_MAX, &paths,
			       err) < 0)
		return -1;
	size_t common = paths && paths[0] ? strcspn(paths[0], "/") : 0;
	if (paths && paths[0] && !paths[0][common])
		common = 0; /* a file in the root */
	for (size_t i = 1; common && paths[i]; i++)
		if (strncmp(paths[i], paths[0], common + 1) != 0)
			common = 0;
	_cleanup_str_ struct str safe = STR_INIT;
	if (common)
		str_add_safe(&safe, paths[0], common);
	l->subsystem = common ? str_detach(&safe) : xstrdup(spec->judge->tree->name);
	return 0;
}

static void add_cases(const struct judge_spec *judge, const struct report_row *row,
		      struct letter *l)
{
	l->cases = xcalloc(judge->n_cases + 1, sizeof(*l->cases));
	for (size_t i = 0; i < judge->n_cases; i++) {
		const struct bench_case *c = &judge->cases[i];
		l->cases[l->n_cases++] = (struct letter_case){
			.name = xstrdup(c->name),
			.describe = c->bench->describe(c),
			.source = xstrdup(c->bench->source),
		};
		if (!streq(c->name, row->test_case))
			continue;
		_cleanup_str_ struct str text = STR_INIT;
		struct err gone = ERR_INIT;
		l->pinned = c->job->setup.taskset != NULL;
		for (size_t k = 0; c->job->monitors && c->job->monitors[k]; k++)
			l->perf |= streq(c->job->monitors[k], "perf-stat");
		if (fs_read(c->job->file, 1 << 20, &text, &gone) == 0)
			l->job_text = str_detach(&text);
	}
	if (!l->job_text)
		l->job_text = xstrdup("");
}

static char *text_fact(const json_t *facts, const char *key)
{
	const json_t *value = json_object_get(facts, key);
	_cleanup_str_ struct str s = STR_INIT;
	size_t i;
	json_t *item;
	if (json_is_string(value))
		return xstrdup(json_string_value(value));
	json_array_foreach(value, i, item) str_addf(
		&s, "%s%s", i ? " " : "", json_string_value(item) ? json_string_value(item) : "");
	return str_detach(&s);
}

/* Appends the names of the vulnerabilities whose text starts with `state`. */
static void add_named(struct str *s, const json_t *all, const char *state)
{
	const char *name;
	json_t *value;
	size_t n = 0;
	json_object_foreach(json_object_get(all, "mitigations"), name, value)
	{
		const char *text = json_string_value(value);
		if (text && str_starts(text, state))
			str_addf(s, "%s%s", n++ ? ", " : "", name);
	}
	if (!n)
		str_add(s, "none");
}

static char *mitigations(const json_t *facts)
{
	_cleanup_str_ struct str s = STR_INIT;
	str_add(&s, "on: ");
	add_named(&s, facts, "Mitigation");
	str_add(&s, "; vulnerable without: ");
	add_named(&s, facts, "Vulnerable");
	return str_detach(&s);
}

/* "QEMU 7.2.22" of what the program says at length. */
static char *emulator(const json_t *boot)
{
	static const char prefix[] = "QEMU emulator version ";
	_cleanup_free_ char *text = text_fact(boot, "emulator");
	if (!str_starts(text, prefix))
		return xstrdup(text);
	const char *version = text + strlen(prefix);
	return xasprintf("QEMU %.*s", (int)strcspn(version, " "), version);
}

static int load(const char *folder, const char *file, json_t **ret, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, file);
	return json_load_path(path, 1 << 20, ret, err);
}

static int add_boot(const struct finding_spec *spec, struct letter *l, struct err *err)
{
	_cleanup_free_ char *folder = NULL;
	_cleanup_json_ json_t *boot = NULL, *facts = NULL;
	const struct judge_spec *judge = spec->judge;
	if (db_boot_folder(judge->db, spec->head->id, judge->machine->name, judge->kconfig->name,
			   &folder, err) < 0)
		return -1;
	l->driver = xstrdup(judge->machine->driver);
	l->machine_class = xstrdup(judge->machine->class);
	if (!*folder)
		return 0; /* all samples were imported */
	if (load(folder, "boot.json", &boot, err) < 0 ||
	    load(folder, "result/facts.json", &facts, err) < 0)
		return -1;
	l->accel = text_fact(boot, "accel");
	l->accel_reason = text_fact(boot, "accel_reason");
	l->emulator = emulator(boot);
	l->cpu_model = text_fact(facts, "cpu_model");
	l->clocksource = text_fact(facts, "clocksource");
	l->clocksources = text_fact(facts, "clocksources");
	l->boot_cmdline = text_fact(facts, "cmdline");
	l->toolbox_id = text_fact(boot, "toolbox_id");
	l->toolchain = text_fact(boot, "toolchain");
	l->mitigations = mitigations(facts);
	l->perf = streq(json_string_value(json_object_get(facts, "perf_mode")), "stat") && l->perf;
	return 0;
}

static int add_config(const struct kernel *kernel, struct letter *l, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT, facts = STR_INIT;
	if (zst_read(kernel->config, CONFIG_CAP, &text, err) < 0)
		return -1;
	kernel_config_facts(text.buf, text.len, &facts);
	l->config_facts = str_detach(&facts);
	return fs_read(kernel->config, CONFIG_CAP, &l->config_zst, err);
}

static void add_rule(const struct finding_spec *spec, const struct report_row *row,
		     struct letter *l)
{
	const struct config_sampling *sampling = &spec->judge->config->sampling;
	l->theta_pct = row->theta_pct;
	l->alpha = sampling->alpha;
	for (size_t i = 0; i < spec->report->n_rows; i++)
		l->m_kpis += spec->report->rows[i].kpi;
}

int letter_facts(const struct finding_spec *spec, const struct report_row *row,
		 struct letter *letter, struct err *err)
{
	const struct judge_spec *judge = spec->judge;
	const struct machine_driver *driver = machine_driver_find(judge->machine->driver);
	letter->row = row;
	letter->message_id = outbox_message_id(&judge->config->mail, spec->report, row);
	letter->tree_url = xstrdup(repo_path(judge->repo));
	letter->from = xstrdup(judge->config->mail.from);
	letter->version = LKP_VERSION;
	letter->cpus = machine_cpus(judge->machine);
	letter->deterministic = driver && driver->deterministic(judge->machine);
	letter->image_base = xstrdup(spec->base_kernel->image_id);
	letter->image_head = xstrdup(spec->head_kernel->image_id);
	add_rule(spec, row, letter);
	add_cases(judge, row, letter);
	if (letter_lab(judge, letter, err) < 0 || add_range(spec, letter, err) < 0 ||
	    add_subsystem(spec, letter, err) < 0 || add_boot(spec, letter, err) < 0 ||
	    add_config(spec->head_kernel, letter, err) < 0)
		return err_wrap(err, "cannot collect the report's facts");
	return 0;
}
