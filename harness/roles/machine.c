/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/roles/machine.h"

#include <unistd.h>

#include "db/runs.h"
#include "harness/run/recover.h"
#include "harness/util/log.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/progress.h"

/* Until one was seen, on icount: a boot, and an iteration in it. */
#define BOOT_SECONDS_GUESS	6.0
#define ITERATION_SECONDS_GUESS 0.4
#define INFRA_TRIES		3

/* Cases that share a kernel command line, and so a boot. */
struct group {
	const char *cmdline;
	struct bench_case *cases; /* shallow copies */
	size_t n;
};

struct session {
	struct session_spec spec;
	const struct machine_driver *driver;
	struct toolbox toolbox;
	int lock_fd;
	struct group *groups;
	size_t n_groups;
	double seconds; /* sum over boots */
	size_t boots;
	char **booted; /* their uuids */
};

static void group_cases(struct session *s)
{
	s->groups = xcalloc(s->spec.n_cases + 1, sizeof(*s->groups));
	for (size_t i = 0; i < s->spec.n_cases; i++) {
		const char *cmdline = s->spec.cases[i].job->setup.cmdline;
		size_t g = 0;
		while (g < s->n_groups && !streq(s->groups[g].cmdline, cmdline))
			g++;
		struct group *group = &s->groups[g];
		if (g == s->n_groups) {
			s->n_groups++;
			group->cmdline = cmdline;
			group->cases = xcalloc(s->spec.n_cases, sizeof(*group->cases));
		}
		group->cases[group->n++] = s->spec.cases[i];
	}
}

/* The machine's lock, waited for; then what a killed holder left is put in order. */
static int take_machine(struct session *s, struct err *err)
{
	const struct session_spec *spec = &s->spec;
	struct err busy = ERR_INIT;
	size_t late = 0;

	if (run_lock(spec->config, spec->machine->name, false, &s->lock_fd, &busy) < 0) {
		if (!streq(busy.cause, "locked")) {
			*err = busy;
			return -1;
		}
		progress_say(spec->progress, "waiting: %s", busy.msg);
		if (run_lock(spec->config, spec->machine->name, true, &s->lock_fd, err) < 0)
			return -1;
	}
	if (run_recover(spec->db, spec->config, spec->machine->name, &late, err) < 0)
		return -1;
	if (late)
		progress_say(spec->progress, "%zu boots of a run that was killed were indexed",
			     late);
	return 0;
}

int session_open(const struct session_spec *spec, struct session **ret, struct err *err)
{
	struct session *s = xcalloc(1, sizeof(*s));
	s->spec = *spec;
	s->lock_fd = -1;
	s->driver = machine_driver_find(spec->machine->driver);
	if (!s->driver) {
		err_set(err, ERR_USER, "%s:%d:%d: machine \"%s\": no driver \"%s\"",
			spec->machine->mark.file, spec->machine->mark.line,
			spec->machine->mark.column, spec->machine->name, spec->machine->driver);
		goto fail;
	}
	if (s->driver->check(spec->machine, err) < 0 ||
	    toolbox_make(spec->config->paths.cache, &s->toolbox, err) < 0)
		goto fail;
	if (take_machine(s, err) < 0)
		goto fail;
	group_cases(s);
	*ret = s;
	return 0;
fail:
	session_free(s);
	return -1;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_groups; i++)
		free(s->groups[i].cases);
	free(s->groups);
	toolbox_done(&s->toolbox);
	strv_free(s->booted);
	if (s->lock_fd >= 0)
		close(s->lock_fd);
	free(s);
}

const struct machine_driver *session_driver(const struct session *s)
{
	return s->driver;
}

const char *session_toolbox_id(const struct session *s)
{
	return s->toolbox.id;
}

size_t session_boots(const struct session *s)
{
	return s->n_groups;
}

double session_boot_seconds(const struct session *s)
{
	double iterations = 0;
	if (s->boots)
		return s->seconds / (double)s->boots;
	for (size_t i = 0; i < s->spec.n_cases; i++)
		iterations += (double)(s->spec.iterations ? s->spec.iterations
							  : s->spec.cases[i].job->iterations);
	return BOOT_SECONDS_GUESS +
	       ITERATION_SECONDS_GUESS * iterations / (double)(s->n_groups ? s->n_groups : 1);
}

char *const *session_booted(const struct session *s)
{
	return s->booted;
}

/* One boot, tried again when our lab failed. */
static int boot_once(struct session *s, const struct run_boot *b, const char *what,
		     struct run_ended *ret, struct err *err)
{
	for (int try = 1;; try++) {
		progress_step(b->progress, session_boot_seconds(s), "%s", what);
		int status = run_boot(s->spec.db, b, ret, err);
		bool infra =
			status < 0 ? err->kind == ERR_INFRA : ret->status == MACHINE_INFRA_FAILED;
		if (status == 0) {
			s->seconds += ret->seconds;
			s->boots++;
			strv_add(&s->booted, ret->boot);
		}
		/* Another try does not find more room. */
		if (!infra || (status < 0 && streq(err->cause, "disk-full")) ||
		    try == INFRA_TRIES || proc_cancelled())
			return status;
		log_warn("machine=%s try=%d: %s", s->spec.machine->name, try,
			 status < 0 ? err->msg : ret->detail);
	}
}

static int boot_groups(struct session *s, const struct run_kernel *kernel, const char *purpose,
		       int64_t block, uint64_t seed, const char *what, struct session_outcome *ret,
		       struct err *err)
{
	struct session_outcome outcome = {.status = MACHINE_OK};
	for (size_t i = 0; i < s->n_groups; i++) {
		const struct run_boot b = {
			.config = s->spec.config,
			.machine = s->spec.machine,
			.driver = s->driver,
			.toolbox = s->toolbox.folder,
			.toolbox_id = s->toolbox.id,
			.kernel = kernel,
			.cases = s->groups[i].cases,
			.n_cases = s->groups[i].n,
			.cmdline = s->groups[i].cmdline,
			.iterations = s->spec.iterations,
			.block = block,
			.purpose = purpose,
			.seed = seed,
			.progress = s->spec.progress,
		};
		struct run_ended ended;
		if (boot_once(s, &b, what, &ended, err) < 0)
			return -1;
		outcome.failed_runs += ended.failed;
		if (ended.status != MACHINE_OK) {
			outcome.status = ended.status;
			snprintf(outcome.what, sizeof(outcome.what), "%s", ended.what);
			snprintf(outcome.detail, sizeof(outcome.detail), "%s", ended.detail);
		}
	}
	*ret = outcome;
	return 0;
}

int session_boot(struct session *s, const struct run_kernel *kernel, const char *purpose,
		 const char *what, struct session_outcome *ret, struct err *err)
{
	if (proc_check_cancel(err) < 0)
		return -1;
	return boot_groups(s, kernel, purpose, 0, run_seed(), what, ret, err);
}

int session_block(struct session *s, const struct run_kernel *base, const struct run_kernel *head,
		  const char *purpose, const char *what, struct session_outcome *ret_base,
		  struct session_outcome *ret_head, struct err *err)
{
	struct session_outcome outcome[2];
	const struct run_kernel *kernel[2] = {base, head};
	static const char *const side[2] = {"base", "head"};
	uint64_t seed = run_seed();
	int first = (int)(run_seed() & 1); /* which of the two boots first */
	int64_t block;

	if (db_block_next(s->spec.db, s->spec.machine->name, &block, err) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		int k = i ^ first;
		_cleanup_free_ char *text =
			xasprintf("%s: %s %.12s", what, side[k], kernel[k]->commit->id);
		if (proc_check_cancel(err) < 0 ||
		    boot_groups(s, kernel[k], purpose, block, seed, text, &outcome[k], err) < 0)
			return -1;
	}
	*ret_base = outcome[0];
	*ret_head = outcome[1];
	return 0;
}
