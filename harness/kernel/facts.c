/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/facts.h"

#include <string.h>

#include "harness/util/mem.h"

/* Options that set how the kernel behaves under a benchmark; shown when they are set. */
static const char *const plain[] = {
	"HZ",
	"PREEMPT_NONE",
	"PREEMPT_VOLUNTARY",
	"PREEMPT",
	"PREEMPT_RT",
	"NO_HZ_IDLE",
	"NO_HZ_FULL",
	"SMP",
	"NUMA",
	"TRANSPARENT_HUGEPAGE",
	"PAGE_TABLE_ISOLATION",
	"RETPOLINE",
	"STACKPROTECTOR",
};

/* Options that slow every path they touch. */
static const char *const debug[] = {
	"LOCKDEP",
	"PROVE_LOCKING",
	"LOCK_STAT",
	"DEBUG_SPINLOCK",
	"DEBUG_MUTEXES",
	"DEBUG_ATOMIC_SLEEP",
	"DEBUG_PREEMPT",
	"DEBUG_LIST",
	"DEBUG_VM",
	"DEBUG_PAGEALLOC",
	"SLUB_DEBUG_ON",
	"KASAN",
	"KCSAN",
	"KMSAN",
	"UBSAN",
	"KCOV",
	"DEBUG_KMEMLEAK",
	"DEBUG_OBJECTS",
	"PAGE_POISONING",
	"FUNCTION_TRACER",
	"FAULT_INJECTION",
	"PROVE_RCU",
	"DEBUG_RT_MUTEXES",
	"SCHED_DEBUG",
	"SCHEDSTATS",
};

/* The value of CONFIG_name, cut to 40 bytes; false when it is not set. */
static bool value_of(const char *config, size_t n, const char *name, struct str *ret)
{
	_cleanup_free_ char *key = xasprintf("CONFIG_%s=", name);
	size_t len = strlen(key);
	for (const char *line = config, *end = config + n; line < end;) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		stop = stop ? stop : end;
		if ((size_t)(stop - line) > len && !memcmp(line, key, len)) {
			size_t value = (size_t)(stop - line) - len;
			str_add_safe(ret, line + len, value < 40 ? value : 40);
			return true;
		}
		line = stop + 1;
	}
	return false;
}

static size_t add_set(const char *config, size_t n, const char *const *names, size_t n_names,
		      struct str *ret)
{
	size_t set = 0;
	for (size_t i = 0; i < n_names; i++) {
		_cleanup_str_ struct str value = STR_INIT;
		if (!value_of(config, n, names[i], &value))
			continue;
		str_addf(ret, "%s%s=%s", ret->len ? ", " : "", names[i], value.buf);
		set++;
	}
	return set;
}

void kernel_config_facts(const char *config, size_t n, struct str *ret)
{
	add_set(config, n, plain, ARRAY_SIZE(plain), ret);
	if (add_set(config, n, debug, ARRAY_SIZE(debug), ret) == 0)
		str_addf(ret, "%sno debug options", ret->len ? ", " : "");
}
