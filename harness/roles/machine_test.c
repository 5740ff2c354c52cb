/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/roles/machine_test.h"

#include "harness/machine/intake.h"
#include "harness/machine/toolbox.h"
#include "harness/run/boot.h"
#include "harness/run/order.h"
#include "harness/util/fs.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"
#include "harness/util/time.h"

#define BOOT	  "machine-test"
#define JOB_S	  60.0
#define FACTS_CAP (1 << 20)

struct trial {
	const struct config_machine *machine;
	const struct machine_driver *driver;
	const char *image, *folder;
	const struct toolbox *toolbox;
	struct machine_test *test;
};

static struct machine_test_stage *stage(struct machine_test *t, const char *name, double seconds)
{
	struct machine_test_stage *s = &t->stages[t->n++];

	*s = (struct machine_test_stage){.name = name, .seconds = seconds > 0 ? seconds : 0};
	return s;
}

static void say(struct machine_test_stage *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void say(struct machine_test_stage *s, const char *fmt, ...)
{
	_cleanup_str_ struct str text = STR_INIT, safe = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	str_add_safe(&safe, text.buf, text.len);
	snprintf(s->what, sizeof(s->what), "%s", safe.buf);
}

void machine_test_done(struct machine_test *t)
{
	json_decref(t->facts);
	t->facts = NULL;
}

/* ---- the boot ---------------------------------------------------------------------------------
 */

static int write_job(const struct trial *x, struct str *ret, struct err *err)
{
	const struct run_boot boot = {
		.machine = x->machine,
		.driver = x->driver,
		.toolbox = x->toolbox->folder,
		.toolbox_id = x->toolbox->id,
		.seed = 1,
	};

	return order_write(&boot, BOOT, x->folder, ret, err);
}

static void note_boot(struct trial *x, const struct machine_end *end)
{
	struct machine_test *t = x->test;

	t->status = end->status;
	snprintf(t->detail, sizeof(t->detail), "%s", end->detail);
	snprintf(t->accel, sizeof(t->accel), "%s", end->accel);
	snprintf(t->accel_reason, sizeof(t->accel_reason), "%s", end->accel_reason);
	snprintf(t->version, sizeof(t->version), "%s", end->version);
	/* A machine that makes things up takes no time. */
	if (end->init_seconds <= 0 && end->status != MACHINE_OK) {
		say(stage(t, "boot", end->seconds), "the agent never spoke");
		return;
	}
	say(stage(t, "boot", end->init_seconds), "%s",
	    x->driver->boots ? "from power-on to the agent's first word"
			     : "no boot: the agent started");
	if (end->done_seconds <= 0 && end->status != MACHINE_OK) {
		say(stage(t, "agent", end->seconds - end->init_seconds), "never done");
		return;
	}
	say(stage(t, "agent", end->done_seconds - end->init_seconds), "%s",
	    end->status == MACHINE_OK ? "facts collected and the result copied out" : "failed");
	say(stage(t, "end", end->seconds - end->done_seconds), "until the machine was off");
}

static void read_facts(struct trial *x, const char *taken)
{
	_cleanup_free_ char *path = xasprintf("%s/facts.json", taken);
	struct machine_test *t = x->test;
	json_t *up;

	if (json_load_path(path, FACTS_CAP, &t->facts, NULL) < 0)
		return;
	up = json_object_get(t->facts, "init_uptime");
	for (size_t i = 0; json_is_number(up) && i < t->n; i++)
		if (streq(t->stages[i].name, "boot"))
			say(&t->stages[i],
			    "from power-on to the agent's first word; by the kernel's clock %.2f s",
			    json_number_value(up));
}

static int take(struct trial *x, const struct machine_end *end, struct err *err)
{
	_cleanup_free_ char *from = xasprintf("%s/%s", x->folder, end->result);
	_cleanup_free_ char *taken = xasprintf("%s/taken", x->folder);
	struct machine_test *t = x->test;
	double start = time_monotonic();
	struct machine_test_stage *s;
	struct err bad = ERR_INIT;
	int status;

	if (fs_mkdirs(taken, err) < 0)
		return -1;
	status = intake_result(from, taken, BOOT, &bad);
	s = stage(t, "result", time_monotonic() - start);
	if (status < 0 && bad.kind == ERR_INFRA) {
		*err = bad;
		return -1;
	}
	if (status < 0) {
		t->status = MACHINE_BENCH_FAILED;
		snprintf(t->detail, sizeof(t->detail), "%.399s", bad.msg);
		return 0;
	}
	say(s, "whole, taken over");
	read_facts(x, taken);
	return 0;
}

static int boot(struct trial *x, struct err *err)
{
	_cleanup_(machine_end_done) struct machine_end end = {0};
	_cleanup_str_ struct str job = STR_INIT;

	if (write_job(x, &job, err) < 0)
		return -1;
	const struct machine_boot what = {
		.machine = x->machine,
		.image = x->image,
		.toolbox = x->toolbox->folder,
		.job = job.buf,
		.folder = x->folder,
		.boot = BOOT,
		.seed = 1,
		.deadline_s = x->machine->boot_timeout + JOB_S,
		.silence_s = x->machine->silence_timeout,
	};
	if (x->driver->boot(&what, &end, err) < 0)
		return -1;
	if (end.status == MACHINE_CANCELLED)
		return proc_check_cancel(err) < 0 ? -1 : err_set(err, ERR_INFRA, "cancelled");
	note_boot(x, &end);
	return end.status == MACHINE_OK ? take(x, &end, err) : 0;
}

/* ---- before -----------------------------------------------------------------------------------
 */

static int check(struct trial *x, struct err *err)
{
	double start = time_monotonic();
	int status = x->driver->check(x->machine, err);
	struct machine_test_stage *s = stage(x->test, "driver", time_monotonic() - start);
	const char *accel = x->driver->accel(x->machine);

	if (status == 0)
		say(s, "%s%s%s", x->driver->name, *accel ? ", accelerator " : "", accel);
	return status;
}

static int make_toolbox(struct trial *x, const struct config *config, struct toolbox *ret,
			struct err *err)
{
	double start = time_monotonic();
	int status = toolbox_make(config->paths.cache, ret, err);
	struct machine_test_stage *s = stage(x->test, "toolbox", time_monotonic() - start);

	if (status == 0)
		say(s, "%.12s", ret->id);
	return status;
}

/* The folder's name ends as that of a boot under way: should we be killed, the next to take the
 * machine removes it. */
static int boot_in_folder(struct trial *x, const struct config *config, struct err *err)
{
	_cleanup_free_ char *folder =
		xasprintf("%s/results/%s/." BOOT ".part", config->paths.state, x->machine->name);
	int status;

	if (fs_mkdirs(folder, err) < 0)
		return -1;
	x->folder = folder;
	status = boot(x, err);
	x->folder = NULL;
	return fs_remove_tree(folder, status < 0 ? NULL : err) < 0 ? -1 : status;
}

int machine_test(const struct config *config, const struct config_machine *machine,
		 const char *image, struct machine_test *ret, struct err *err)
{
	struct trial x = {
		.machine = machine,
		.driver = machine_driver_find(machine->driver),
		.image = image,
		.test = ret,
	};
	_cleanup_(toolbox_done) struct toolbox toolbox = {.folder = NULL};
	_cleanup_close_ int lock = -1;

	*ret = (struct machine_test){.n = 0};
	if (!x.driver)
		return err_set(err, ERR_USER, "machine \"%s\": no driver \"%s\"", machine->name,
			       machine->driver);
	if (check(&x, err) < 0 || make_toolbox(&x, config, &toolbox, err) < 0)
		return -1;
	x.toolbox = &toolbox;
	if (run_lock(config, machine->name, false, &lock, err) < 0)
		return -1;
	return boot_in_folder(&x, config, err);
}
