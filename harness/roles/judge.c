/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/roles/judge.h"

#include "harness/judge/compare.h"
#include "harness/kernel/kernel.h"
#include "harness/mail/outbox.h"
#include "harness/roles/build.h"
#include "harness/roles/finding.h"
#include "harness/roles/machine.h"
#include "harness/util/mem.h"
#include "harness/util/progress.h"

/* A side that failed so often in a row is not booted again. */
#define FAILURES_MAX 2

/* Seconds, for the progress line before anything is measured: all the boots, and a build that has a
 * neighbour's objects. */
#define BOOTS_GUESS 220
#define BUILD_GUESS 30

/* Everything judge_role() holds while it works. */
struct judging {
	const struct judge_spec *spec;
	struct commit base, head;
	struct kernel base_kernel, head_kernel;
	struct run_kernel base_run, head_run;
	struct session *session;
	struct effects effects;
};

static void judging_done(struct judging *j)
{
	session_free(j->session);
	effects_done(&j->effects);
	kernel_done(&j->base_kernel);
	kernel_done(&j->head_kernel);
	commit_done(&j->base);
	commit_done(&j->head);
}

static int build_side(struct judging *j, const char *what, const struct commit *commit,
		      struct kernel *kernel, struct run_kernel *run, char failure[600],
		      struct err *err)
{
	const struct judge_spec *s = j->spec;
	progress_expect(s->progress, streq(what, "base") ? BOOTS_GUESS + BUILD_GUESS : BOOTS_GUESS);
	progress_step(s->progress, BUILD_GUESS, "build %s %.12s (%s)", what, commit->id,
		      s->kconfig->name);
	if (build_role(s->db, s->config, s->tree, s->kconfig, s->repo, commit, s->progress, kernel,
		       err) < 0)
		return err_wrap(err, "%s %.12s", what, commit->id);
	if (!kernel->ok)
		snprintf(failure, 600,
			 "%s %.12s does not build: %.400s; the whole log: zstdcat %.100s", what,
			 commit->id,
			 kernel->error ? kernel->error : "no error was found in the log",
			 kernel->log);
	*run = (struct run_kernel){
		.commit = commit,
		.tree = s->tree->name,
		.kconfig = s->kconfig->name,
		.rules = s->kconfig,
		.toolchain = kernel->toolchain,
		.image = kernel->image,
		.image_id = kernel->image_id,
		.vmlinux = kernel->vmlinux,
	};
	return 0;
}

static int compare(struct judging *j, struct report **ret, struct err *err)
{
	const struct judge_spec *s = j->spec;
	const struct compare_spec spec = {
		.base = s->base,
		.head = s->head,
		.filter = {.machine = s->machine->name,
			   .kconfig = s->kconfig->name,
			   .toolbox_id = j->session ? session_toolbox_id(j->session) : NULL},
		.sampling = &s->config->sampling,
		.effects = &j->effects,
	};
	struct report *report = NULL;
	if (compare_commits(s->db, &spec, &report, err) < 0)
		return -1;
	free(report->tree);
	report->tree = xstrdup(s->tree->name);
	free(report->kconfig);
	report->kconfig = xstrdup(s->kconfig->name);
	*ret = report;
	return 0;
}

/* Blocks of the case's KPI; SIZE_MAX when they do not count: only what regressed is confirmed. */
static size_t blocks_of(const struct report *report, const char *test_case, bool confirm)
{
	size_t blocks = confirm ? SIZE_MAX : 0;
	for (size_t r = 0; r < report->n_rows; r++) {
		const struct report_row *row = &report->rows[r];
		if (!row->kpi || !streq(row->test_case, test_case))
			continue;
		if (!confirm)
			blocks = row->blocks;
		else if (streq(row->verdict, "regression"))
			blocks = row->confirm_blocks;
	}
	return blocks;
}

/* Complete blocks that every case of ours has; confirming ones or the others. */
static size_t blocks_present(struct judging *j, bool confirm)
{
	struct err none = ERR_INIT;
	_cleanup_(finding_report_free) struct report *report = NULL;
	size_t least = SIZE_MAX;
	if (compare(j, &report, &none) < 0)
		return 0;
	for (size_t i = 0; i < j->spec->n_cases; i++) {
		size_t blocks = blocks_of(report, j->spec->cases[i].name, confirm);
		least = blocks < least ? blocks : least;
	}
	return least == SIZE_MAX ? 0 : least;
}

static void note_failure(char failure[600], const char *what, const struct commit *commit,
			 const struct session_outcome *o, int times)
{
	snprintf(failure, 600, "%s %.12s: %s in %d boots one after the other: %.400s", what,
		 commit->id, o->what, times, o->detail);
}

/* What `blocks` more of this kind will take, and the confirming ones behind them if it comes to
 * that. */
static double seconds_left(const struct judging *j, bool confirm, size_t blocks)
{
	const struct config_sampling *sampling = &j->spec->config->sampling;
	if (!confirm && sampling->confirm)
		blocks += (size_t)sampling->confirm_blocks;
	return 2 * (double)(blocks * session_boots(j->session)) * session_boot_seconds(j->session);
}

/* Runs blocks until every case has `wanted`. *failure is set when a side keeps failing. */
static int run_blocks(struct judging *j, const char *purpose, size_t wanted, char failure[600],
		      struct err *err)
{
	bool confirm = streq(purpose, "confirm");
	size_t have = blocks_present(j, confirm);
	int base_failed = 0, head_failed = 0;
	for (size_t i = have; i < wanted; i++) {
		struct session_outcome base, head;
		progress_expect(j->spec->progress, seconds_left(j, confirm, wanted - i));
		_cleanup_free_ char *what = xasprintf(
			"%s block %zu of %zu", confirm ? "confirming" : "judging", i + 1, wanted);
		if (session_block(j->session, &j->base_run, &j->head_run, purpose, what, &base,
				  &head, err) < 0)
			return -1;
		base_failed = base.status == MACHINE_OK ? 0 : base_failed + 1;
		head_failed = head.status == MACHINE_OK ? 0 : head_failed + 1;
		if (base_failed == FAILURES_MAX)
			note_failure(failure, "base", &j->base, &base, base_failed);
		if (head_failed == FAILURES_MAX)
			note_failure(failure, "head", &j->head, &head, head_failed);
		if (*failure)
			return 0;
	}
	return 0;
}

static int open_session(struct judging *j, struct err *err)
{
	const struct judge_spec *s = j->spec;
	const struct session_spec spec = {
		.config = s->config,
		.db = s->db,
		.machine = s->machine,
		.cases = s->cases,
		.n_cases = s->n_cases,
		.iterations = s->iterations,
		.progress = s->progress,
	};
	if (session_open(&spec, &j->session, err) < 0)
		return -1;
	if (!session_driver(j->session)->boots)
		return err_set(
			err, ERR_USER,
			"machine \"%s\" (driver %s) boots no kernels, so it cannot compare commits: "
			"choose another with -m",
			s->machine->name, s->machine->driver);
	return 0;
}

static bool regressed(const struct report *r)
{
	for (size_t i = 0; i < r->n_rows; i++)
		if (r->rows[i].kpi && streq(r->rows[i].verdict, "regression"))
			return true;
	return false;
}

static int measure(struct judging *j, struct judge_outcome *out, struct err *err)
{
	const struct judge_spec *s = j->spec;
	const struct config_sampling *sampling = &s->config->sampling;
	size_t blocks = (size_t)(s->blocks ? s->blocks : sampling->blocks);
	if (open_session(j, err) < 0 || run_blocks(j, "judge", blocks, out->failure, err) < 0)
		return -1;
	if (*out->failure)
		return 0;
	if (compare(j, &out->report, err) < 0)
		return -1;
	if (!regressed(out->report) || !sampling->confirm)
		return 0;
	if (run_blocks(j, "confirm", (size_t)sampling->confirm_blocks, out->failure, err) < 0)
		return -1;
	report_free(out->report);
	out->report = NULL;
	return compare(j, &out->report, err);
}

static int file(struct judging *j, struct judge_outcome *out, struct err *err)
{
	const struct finding_spec spec = {
		.judge = j->spec,
		.report = out->report,
		.base = &j->base,
		.head = &j->head,
		.base_kernel = &j->base_kernel,
		.head_kernel = &j->head_kernel,
	};
	return finding_file(&spec, &out->report_id, out->mail, sizeof(out->mail), err);
}

static int judge(struct judging *j, struct judge_outcome *out, struct err *err)
{
	const struct judge_spec *s = j->spec;
	if (repo_commit(s->repo, s->base, &j->base, err) < 0 ||
	    repo_commit(s->repo, s->head, &j->head, err) < 0)
		return -1;
	if (build_side(j, "base", &j->base, &j->base_kernel, &j->base_run, out->failure, err) < 0)
		return -1;
	if (!*out->failure &&
	    build_side(j, "head", &j->head, &j->head_kernel, &j->head_run, out->failure, err) < 0)
		return -1;
	if (*out->failure)
		return 0;
	if (build_needs(&j->head_kernel, s->cases, s->n_cases, err) < 0 ||
	    build_fits(&j->head_kernel, s->machine, err) < 0)
		return -1;
	if (streq(j->base_kernel.image_id, j->head_kernel.image_id)) {
		out->report = finding_equal(&j->base, &j->head, s->tree->name, s->kconfig->name);
		return 0;
	}
	if (measure(j, out, err) < 0)
		return -1;
	return out->report && !*out->failure ? file(j, out, err) : 0;
}

int judge_role(const struct judge_spec *spec, struct judge_outcome *ret, struct err *err)
{
	struct judging j = {.spec = spec};
	struct judge_outcome out = {.report = NULL};
	effects_add(&j.effects, spec->cases, spec->n_cases);
	int status = judge(&j, &out, err);
	judging_done(&j);
	if (status < 0) {
		report_free(out.report);
		return -1;
	}
	*ret = out;
	return 0;
}
