/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine `fake`: makes results up, so that all behind a machine can be tested in no time. Its
 * `answers` say how each boot ends, in turn and then from the first again (none: always "ok"); the
 * count of boots is kept in the file .fake-count beside the boot folders.
 *
 *   ok                       a whole result; each benchmark gives its usual number
 *   ok:CASE=NUMBER[;...]     the same, but where the case's or the program's name contains CASE
 *   exit                     a whole result in which the first benchmark ended with exit status 1
 *   half                     the agent says done, but done.json is missing
 *   warning                  the same, and the kernel warned meanwhile
 *   panic oops hang no-init  the console shows such a failure
 *   bench-failed             the agent gives up
 *   silence deadline         at once
 *   infra-failed             QEMU would not start
 *   wait                     until it is cancelled
 *
 * These take no turn but hold for all boots:
 *
 *   image:TEXT[:CASE]=FACTOR  speed of an image whose hash starts with TEXT, or whose path contains
 *                             it: 0.95 is 5 % fewer operations a second, or as much more time
 *   image:TEXT=ANSWER         such an image always ends so ("panic")
 *   noise=SD                  relative, of boots and of iterations; default 0.001
 *
 * The same job, seed and image always give the same numbers. With accel "icount" it says that it is
 * deterministic.
 */
#include <math.h>
#include <unistd.h>

#include "harness/machine/console.h"
#include "harness/machine/console_log.h"
#include "harness/machine/console_report.h"
#include "harness/machine/drivers.h"
#include "harness/machine/fake_result.h"
#include "harness/util/fs.h"
#include "harness/util/hash.h"
#include "harness/util/proc.h"
#include "harness/util/units.h"

#define NOISE 0.001

static const struct answer {
	const char *word;
	const char *console;
	enum machine_status forced; /* MACHINE_OK: what the console says */
	const char *detail;	    /* of one that no console tells */
	bool result, exit_1, half, wait;
} answers[] = {
	{.word = "ok", .console = "lkp-agent: start\nlkp-agent: done\n", .result = true},
	{.word = "exit",
	 .console = "lkp-agent: start\nlkp-agent: done\n",
	 .result = true,
	 .exit_1 = true},
	{.word = "half",
	 .console = "lkp-agent: start\nlkp-agent: done\n",
	 .result = true,
	 .half = true},
	{.word = "panic",
	 .console = "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b\n"},
	{.word = "oops",
	 .console = "lkp-agent: start\nBUG: kernel NULL pointer dereference, address: 0\n"
		    "RIP: 0010:made_up_write+0x12/0x34\n"},
	{.word = "warning",
	 .console = "lkp-agent: start\n"
		    "WARNING: CPU: 0 PID: 7 at mm/toy.c:1 made_up_write+0x1/0x34\n"
		    "lkp-agent: done\n",
	 .result = true},
	{.word = "hang",
	 .console = "lkp-agent: start\nwatchdog: BUG: soft lockup - CPU#0 stuck for 22s!\n"},
	{.word = "no-init", .console = "Kernel panic - not syncing: No working init found.\n"},
	{.word = "bench-failed", .console = "lkp-agent: start\nlkp-agent: fail made up\n"},
	{.word = "silence", .console = "", .forced = MACHINE_SILENCE},
	{.word = "deadline", .console = "lkp-agent: start\n", .forced = MACHINE_DEADLINE},
	{.word = "infra-failed",
	 .console = "",
	 .forced = MACHINE_INFRA_FAILED,
	 .detail = "the made-up QEMU did not start"},
	{.word = "wait",
	 .console = "lkp-agent: start\n",
	 .forced = MACHINE_CANCELLED,
	 .detail = "cancelled",
	 .wait = true},
};

static bool takes_turn(const char *text)
{
	return !str_starts(text, "image:") && !str_starts(text, "noise=");
}

/* The row of "word" or "word:more"; NULL: none. */
static const struct answer *find_answer(const char *text)
{
	size_t n = strcspn(text, ":");

	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		if (strlen(answers[i].word) == n && strncmp(answers[i].word, text, n) == 0)
			return &answers[i];
	return NULL;
}

/* The number behind the last '='. */
static bool number_of(const char *text, double *ret)
{
	const char *equals = strrchr(text, '=');

	return equals && units_parse_double(equals + 1, ret, NULL) == 0;
}

/* The answer of "image:TEXT=ANSWER"; NULL: it is no such text. */
static const char *fate_of(const char *text)
{
	const char *equals = str_starts(text, "image:") ? strrchr(text, '=') : NULL;

	return equals && find_answer(equals + 1) ? equals + 1 : NULL;
}

static bool valid(const char *text)
{
	double x;

	if (fate_of(text))
		return true;
	if (takes_turn(text))
		return find_answer(text) && (!strchr(text, ':') || number_of(text, &x));
	return number_of(text, &x) && x >= 0 && (x > 0 || str_starts(text, "noise="));
}

static int fake_check(const struct config_machine *m, struct err *err)
{
	for (char **a = m->answers; a && *a; a++)
		if (!valid(*a))
			return err_set(err, ERR_USER,
				       "machine %s: \"%s\" is no answer of the driver fake; see "
				       "harness/machine/fake.c",
				       m->name, *a);
	return 0;
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

struct numbers {
	const struct machine_boot *boot;
	const char *turn; /* this boot's answer */
	char image[HASH_HEX_LEN + 1];
	double noise;
};

/* A standard normal number out of the text, by Box and Muller's method. */
static double normal_of(const char *text)
{
	char hex[HASH_HEX_LEN + 1];
	unsigned long long a, b;

	hash_bytes(text, strlen(text), hex);
	b = strtoull(hex + 48, NULL, 16) >> 11;
	hex[16] = '\0';
	a = strtoull(hex, NULL, 16) >> 11;
	return sqrt(-2 * log(((double)a + 1) / 9007199254740993.0)) *
	       cos(2 * M_PI * (double)b / 9007199254740992.0);
}

static double noise_of(const struct numbers *n, const char *name, int64_t k)
{
	_cleanup_free_ char *boot =
		xasprintf("%llu %s %s", (unsigned long long)n->boot->seed, n->image, name);
	_cleanup_free_ char *iteration = xasprintf("%s %lld", boot, (long long)k);

	return 1 + n->noise * (normal_of(boot) + normal_of(iteration) / 2);
}

static bool is_image(const struct numbers *n, const char *text)
{
	return str_starts(n->image, text) || (n->boot->image && strstr(n->boot->image, text));
}

/* "image:TEXT[:CASE]=FACTOR" */
static double factor_of(const struct numbers *n, const char *text, const char *name)
{
	_cleanup_free_ char *copy = xstrdup(text + strlen("image:"));
	char *what, *equals = strrchr(copy, '=');
	double factor = 1;

	number_of(text, &factor);
	*equals = '\0';
	what = strchr(copy, ':');
	if (what)
		*what++ = '\0';
	if (what && !strstr(name, what))
		return 1;
	return is_image(n, copy) ? factor : 1;
}

/* The number of "CASE=NUMBER;..." for this run, else `normal`. */
static double chosen(const char *turn, const char *program, const char *name, double normal)
{
	const char *colon = strchr(turn, ':');
	_cleanup_free_ char *copy = xstrdup(colon ? colon + 1 : "");
	char *rest = copy, *pair;
	double x;

	while ((pair = strsep(&rest, ";"))) {
		if (!number_of(pair, &x))
			continue;
		*strrchr(pair, '=') = '\0';
		if (strstr(name, pair) || strstr(program, pair))
			return x;
	}
	return normal;
}

static double value_of(const char *program, const char *name, int64_t k, double normal,
		       bool higher_is_better, void *arg)
{
	const struct numbers *n = arg;
	double speed = 1, x = chosen(n->turn, program, name ? name : "", normal);

	for (char **a = n->boot->machine->answers; a && *a; a++)
		if (str_starts(*a, "image:") && !fate_of(*a))
			speed *= factor_of(n, *a, name ? name : "");
	return (higher_is_better ? x * speed : x / speed) * noise_of(n, name ? name : "", k);
}

/* ---- turns ------------------------------------------------------------------------------------
 */

/* Counts this boot; *ret is how many there were before. */
static int count_boot(const char *folder, uint64_t *ret, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/../.fake-count", folder);
	_cleanup_close_ int fd = -1;
	char text[24] = "";
	ssize_t n;

	if (fs_lock(path, true, &fd, err) < 0)
		return -1;
	n = pread(fd, text, sizeof(text) - 1, 0);
	*ret = n > 0 ? strtoull(text, NULL, 10) : 0;
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)*ret + 1);
	if (pwrite(fd, text, strlen(text), 0) < 0)
		return err_errno(err, "cannot write %s", path);
	return 0;
}

/* "image:TEXT=ANSWER" for this image; NULL: there is none. */
static const char *fate_of_image(const struct numbers *n)
{
	for (char **a = n->boot->machine->answers; a && *a; a++) {
		const char *fate = fate_of(*a);
		_cleanup_free_ char *text =
			fate ? xstrndup(*a + strlen("image:"), strcspn(*a + strlen("image:"), "="))
			     : NULL;

		if (fate && is_image(n, text))
			return fate;
	}
	return NULL;
}

static const char *turn_of(char *const *texts, uint64_t count)
{
	uint64_t n = 0;

	for (char *const *t = texts; t && *t; t++)
		n += takes_turn(*t);
	count = n ? count % n : 0;
	for (char *const *t = texts; t && *t; t++)
		if (takes_turn(*t) && count-- == 0)
			return *t;
	return "ok";
}

/* ---- the driver -------------------------------------------------------------------------------
 */

/* The text goes through the same reader as a real console's. */
static int write_console(const struct machine_boot *boot, const struct answer *answer,
			 struct machine_end *end, struct err *err)
{
	const struct console_limits limits = {.deadline = boot->deadline_s,
					      .silence = boot->silence_s};
	struct console_log log;
	struct console console;

	if (console_log_open(&log, boot->folder, err) < 0)
		return -1;
	console_log_add(&log, answer->console, strlen(answer->console));
	console_init(&console, &limits, 0);
	console_rules(&console, boot);
	console_feed(&console, answer->console, strlen(answer->console), 0.5);
	if (!answer->detail)
		console.forced = answer->forced;
	console_end(&console, end);
	if (answer->detail)
		console_overrule(end, answer->forced, machine_status_name(answer->forced),
				 answer->detail);
	if (console_log_close(&log, err) < 0)
		return -1;
	return console_report(boot->folder, end, err);
}

static int wait_for_cancel(struct machine_end *end, struct err *err)
{
	const char *const argv[] = {"sleep", "infinity", NULL};
	const struct proc_spec spec = {.argv = argv};
	struct proc_result result;

	if (proc_run(&spec, &result, err) < 0)
		return -1;
	end->seconds = result.seconds;
	return 0;
}

static const char *fake_accel(const struct config_machine *m)
{
	return m->accel && streq(m->accel, "icount") ? "icount" : "";
}

static int fake_boot(const struct machine_boot *boot, struct machine_end *ret, struct err *err)
{
	_cleanup_free_ char *to = xasprintf("%s/result", boot->folder);
	struct numbers numbers = {.boot = boot, .noise = NOISE};
	struct machine_end end = {.result = "result", .seconds = 1};
	struct fake_answer fake = {.value = value_of, .arg = &numbers};
	const struct answer *answer;
	uint64_t count;

	if (fake_check(boot->machine, err) < 0 || count_boot(boot->folder, &count, err) < 0)
		return -1;
	snprintf(end.accel, sizeof(end.accel), "%s", fake_accel(boot->machine));
	numbers.turn = turn_of(boot->machine->answers, count);
	for (char **a = boot->machine->answers; a && *a; a++)
		if (str_starts(*a, "noise="))
			number_of(*a, &numbers.noise);
	if (boot->image && hash_file(boot->image, numbers.image, err) < 0)
		return -1;
	if (fate_of_image(&numbers))
		numbers.turn = fate_of_image(&numbers);
	answer = find_answer(numbers.turn);
	fake.exit_1 = answer->exit_1;
	fake.half = answer->half;
	if (write_console(boot, answer, &end, err) < 0 ||
	    (answer->wait && wait_for_cancel(&end, err) < 0) ||
	    (answer->result && fake_result_write(to, boot, &fake, err) < 0)) {
		machine_end_done(&end);
		return -1;
	}
	*ret = end;
	return 0;
}

static bool fake_deterministic(const struct config_machine *m)
{
	return *fake_accel(m);
}

const struct machine_driver machine_fake = {
	.name = "fake",
	.summary = "makes results up, to test what is behind a machine",
	.boots = true,
	.check = fake_check,
	.accel = fake_accel,
	.deterministic = fake_deterministic,
	.boot = fake_boot,
};
