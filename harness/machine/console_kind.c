/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/console_kind.h"

#include <ctype.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_WORDS   ((const char *const[]){NULL})

#define PANIC "Kernel panic - not syncing"

/* What is more special stands first: "BUG: soft lockup" before "BUG: ". A user program's fault
 * reads "general protection fault ip:" and is none of the kernel's. */
const struct console_kind console_kinds[] = {
	{.name = "unexpected-reboot",
	 .words = WORDS("^Linux version "), /* the second one */
	 .status = MACHINE_PANIC,
	 .fatal = true,
	 .rank = 3},
	{.name = "no-init",
	 .words = WORDS(PANIC ": No working init found", PANIC ": No init found",
			PANIC ": Requested init", PANIC ": VFS: Unable to mount root"),
	 .status = MACHINE_NO_INIT,
	 .fatal = true,
	 .rank = 3},
	{.name = "oom",
	 .words = WORDS("!" PANIC ": System is deadlocked on memory", "!" PANIC ": Out of memory",
			"!Out of memory and no killable processes",
			"Out of memory: ", "Memory cgroup out of memory: "),
	 .status = MACHINE_PANIC,
	 .trace_first = true,
	 .explains = true,
	 .rank = 3},
	{.name = "hard-lockup",
	 .words = WORDS("Watchdog detected hard LOCKUP", "Watchdog detected BUG: hard LOCKUP",
			PANIC ": NMI: Not continuing"),
	 .status = MACHINE_HANG,
	 .fatal = true,
	 .remote = true,
	 .rank = 2},
	{.name = "panic", .words = WORDS(PANIC), .status = MACHINE_PANIC, .fatal = true, .rank = 3},
	{.name = "soft-lockup",
	 .words = WORDS("BUG: soft lockup", "BUG: workqueue lockup"),
	 .status = MACHINE_HANG,
	 .fatal = true,
	 .rank = 2},
	{.name = "rcu-stall",
	 .words = WORDS("self-detected stall on CPU", "detected stalls on CPUs/tasks",
			"detected expedited stalls on CPUs/tasks", "detected stalls on tasks:"),
	 .status = MACHINE_HANG,
	 .fatal = true,
	 .remote = true,
	 .rank = 2},
	{.name = "hung-task",
	 .words = WORDS("blocked for more than", "blocked in I/O wait for more than"),
	 .status = MACHINE_HANG,
	 .fatal = true,
	 .rank = 2},
	{.name = "kasan",
	 .words = WORDS("BUG: KASAN: "),
	 .status = MACHINE_OOPS,
	 .fatal = true,
	 .in_title = true,
	 .rank = 5},
	{.name = "kmsan",
	 .words = WORDS("BUG: KMSAN: "),
	 .status = MACHINE_OOPS,
	 .fatal = true,
	 .in_title = true,
	 .rank = 4},
	{.name = "kcsan",
	 .words = WORDS("BUG: KCSAN: "),
	 .status = MACHINE_OOPS,
	 .fatal = true,
	 .in_title = true,
	 .rank = 3},
	{.name = "ubsan",
	 .words = WORDS("UBSAN: "),
	 .status = MACHINE_OOPS,
	 .fatal = true,
	 .rank = 3},
	{.name = "oops",
	 .words = WORDS("BUG: kernel NULL pointer dereference", "BUG: unable to handle",
			"BUG: stack guard page was hit", "BUG: TASK stack guard page was hit",
			"BUG: IRQ stack guard page was hit", "Unable to handle kernel",
			"Oops: ", "general protection fault: ", "general protection fault, ",
			"invalid opcode: ", "divide error: ", "stack segment: ",
			"traps: PANIC: double fault", "PANIC: double fault",
			"Internal error: ", "Insufficient stack space to handle exception!"),
	 .status = MACHINE_OOPS,
	 .fatal = true,
	 .rank = 4},
	{.name = "bug",
	 .words = WORDS("kernel BUG at ", "BUG: ", "list_add corruption", "list_del corruption"),
	 .status = MACHINE_OOPS,
	 .fatal = true,
	 .rank = 4},
	{.name = "warning", .words = WORDS("^WARNING: "), .status = MACHINE_OOPS, .rank = 1},

	/* What no word tells, but the machine's end or its silence. */
	{.name = "early-silence", .words = NO_WORDS, .status = MACHINE_SILENCE, .fatal = true},
	{.name = "silence", .words = NO_WORDS, .status = MACHINE_SILENCE, .fatal = true},
	{.name = "deadline", .words = NO_WORDS, .status = MACHINE_DEADLINE, .fatal = true},
	{.name = "lost-connection",
	 .words = NO_WORDS,
	 .status = MACHINE_INFRA_FAILED,
	 .fatal = true},
	{.name = NULL},
};

/* Lines with such words that report no fault of the kernel's. */
static const char *const harmless[] = {
	"BUG: MAX_LOCKDEP_", /* lockdep's tables are full */
	"BUG: MAX_LOCK_DEPTH",
	"BUG: MAX_STACK_TRACE_ENTRIES",
	"Internal error: cannot open",
};

static const char *const echoes[] = {
	"panic_on_warn set",
	"Fatal exception",
	"softlockup: hung tasks",
	"hung_task: blocked tasks",
	"RCU Stall",
	"Hard LOCKUP",
	"UBSAN: panic_on_warn",
	"Oops: Fatal exception",
};

const struct console_kind *console_kind_find(const char *name)
{
	for (const struct console_kind *k = console_kinds; k->name; k++)
		if (streq(k->name, name))
			return k;
	return NULL;
}

bool console_is_echo(const char *text)
{
	if (!strstr(text, PANIC ": "))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(echoes); i++)
		if (strstr(text, echoes[i]))
			return true;
	return false;
}

/* ---- the search --------------------------------------------------------------------------------
 * Words by a hash of their first four bytes: most positions of a text hit an empty slot.
 */

#define SLOT_BITS 10
#define WORDS_MAX 96
#define STRONG	  14 /* bytes: no other word ends in so long a one */

struct word {
	const struct console_kind *kind;
	const char *text;
	size_t len;
	bool at_start, fatal;
	unsigned char next; /* of the same slot, from 1; 0: none */
};

static struct {
	unsigned char slots[1 << SLOT_BITS];
	struct word words[WORDS_MAX + 1]; /* from 1, in the order of the table */
	size_t n;
} index_of;

static unsigned int slot_of(const char *four)
{
	unsigned int x;

	memcpy(&x, four, sizeof(x));
	return (x * 2654435761u) >> (32 - SLOT_BITS);
}

static void add_word(const struct console_kind *kind, const char *text)
{
	struct word w = {.kind = kind, .fatal = kind->fatal};

	for (; *text == '^' || *text == '!'; text++)
		if (*text == '^')
			w.at_start = true;
		else
			w.fatal = true;
	w.text = text;
	w.len = strlen(text);
	if (index_of.n == WORDS_MAX || w.len < 4 || w.len >= CONSOLE_WORD_MAX)
		abort();
	w.next = index_of.slots[slot_of(text)];
	index_of.words[++index_of.n] = w;
	index_of.slots[slot_of(text)] = (unsigned char)index_of.n;
}

static void make_index(void)
{
	for (const struct console_kind *k = console_kinds; k->name; k++)
		for (const char *const *w = k->words; *w; w++)
			add_word(k, *w);
}

struct search {
	const char *text;
	size_t n, from;
	bool cut;
};

static bool fits(const struct search *s, const struct word *w, size_t at)
{
	char before = at ? s->text[at - 1] : '\0';

	if (at + w->len > s->n || at + w->len <= s->from ||
	    memcmp(s->text + at, w->text, w->len) != 0)
		return false;
	if (at == 0)
		return !s->cut;
	return !w->at_start &&
	       (w->len >= STRONG || (!isalpha((unsigned char)before) && before != '_'));
}

static bool is_harmless(const char *at, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(harmless); i++)
		if (strlen(harmless[i]) <= n && memcmp(at, harmless[i], strlen(harmless[i])) == 0)
			return true;
	return false;
}

bool console_match(const char *text, size_t n, size_t from, bool cut, struct console_match *ret)
{
	const struct search s = {text, n, from, cut};
	size_t best = 0, best_at = 0;

	if (!index_of.n)
		make_index();
	for (size_t at = 0; at + 4 <= n; at++)
		for (size_t i = index_of.slots[slot_of(text + at)]; i; i = index_of.words[i].next)
			if ((!best || i < best) && fits(&s, &index_of.words[i], at) &&
			    !is_harmless(text + at, n - at)) {
				best = i;
				best_at = at;
			}
	if (!best)
		return false;
	*ret = (struct console_match){
		.kind = index_of.words[best].kind,
		.word = index_of.words[best].text,
		.at = text + best_at,
		.fatal = index_of.words[best].fatal,
	};
	return true;
}
