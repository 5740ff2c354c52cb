/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/machine/console_frame.h"

#include <ctype.h>
#include <string.h>

#include "harness/util/mem.h"

/* Where no fault is at home: what reports it, what it came in by, and what everybody calls. A '*'
 * at the end stands for anything. */
static const char *const skipped[] = {
	/* reports */
	"panic*",
	"nmi_panic*",
	"dump_stack*",
	"show_stack*",
	"show_regs*",
	"show_trace*",
	"dump_backtrace*",
	"__warn*",
	"warn_slowpath*",
	"report_bug*",
	"handle_bug*",
	"die*",
	"__die*",
	"oops_*",
	"print_*",
	"__print_*",
	"printk*",
	"_printk*",
	"vprintk*",
	"vpanic*",
	"kasan_*",
	"__kasan_*",
	"__asan_*",
	"check_memory_region*",
	"kmsan_*",
	"__msan_*",
	"kcsan_*",
	"__tsan_*",
	"ubsan_*",
	"__ubsan_*",
	"handle_overflow*",
	"end_report*",
	"check_region_inline*",
	"kfence_*",
	"__might_*",
	"___might_*",
	"lockdep_*",
	"lock_acquire*",
	"lock_release*",
	"__lock_acquire*",
	"__lock_release*",
	"check_noncircular*",
	"check_prev*",
	"validate_chain*",
	"check_deadlock*",
	"mark_lock*",
	"mark_usage*",
	"register_lock_class*",
	"debug_check_*",
	"debug_print_*",
	"debug_object_*",
	"__list_add_valid*",
	"__list_del_entry_valid*",
	"__stack_chk_fail*",
	"bad_page*",
	"check_preemption_disabled*",
	"debug_smp_processor_id*",
	"__this_cpu_preempt_check*",
	"__schedule_bug*",
	"slab_err*",
	"object_err*",
	"out_of_memory*",
	"oom_kill_*",
	"dump_header*",
	"check_panic_on_warn*",
	"fortify_panic*",
	"__fortify_panic*",
	"fortify_*",
	"refcount_warn_saturate*",
	"usercopy_abort*",
	"hex_dump*",
	"rewind_stack*",
	"make_task_dead*",
	"do_exit*",
	"do_group_exit*",
	"__x64_sys_exit*",
	"__do_sys_exit*",
	"__arm64_sys_exit*",
	/* watchdogs and stalls */
	"watchdog*",
	"rcu_dump_*",
	"rcu_sched_clock_irq*",
	"rcu_check_*",
	"rcu_pending*",
	"rcu_stall*",
	"check_cpu_stall*",
	"check_hung_*",
	"hung_task_*",
	"trigger_single_cpu*",
	"trigger_all*",
	"trigger_cpu*",
	"nmi_cpu_backtrace*",
	"nmi_trigger*",
	"nmi_handle*",
	"default_do_nmi*",
	"sched_show_task*",
	"dump_cpu_task*",
	"update_process_times*",
	"tick_*",
	"hrtimer_*",
	"__hrtimer_*",
	"smp_call_function*",
	"csd_lock_wait*",
	"generic_exec_single*",
	"__sysvec_*",
	"sysvec_*",
	"perf_event_overflow*",
	"__perf_event_*",
	"is_softlockup*",
	"local_apic_timer*",
	"lapic_*",
	"arch_timer_*",
	"handle_irq*",
	"generic_handle_*",
	"__handle_irq*",
	"gic_handle_*",
	"sched_tick*",
	"scheduler_tick*",
	/* exceptions and system calls */
	"exc_*",
	"asm_*",
	"do_error_trap*",
	"do_trap*",
	"do_user_addr_fault*",
	"handle_page_fault*",
	"__bad_area*",
	"bad_area*",
	"no_context*",
	"page_fault_oops*",
	"kernelmode_fixup*",
	"do_page_fault*",
	"do_kern_addr_fault*",
	"do_mem_abort*",
	"do_translation_fault*",
	"do_bad_area*",
	"do_sea*",
	"do_debug_exception*",
	"bug_handler*",
	"call_break_hook*",
	"brk_handler*",
	"do_el1_*",
	"el1*",
	"el0*",
	"do_undefinstr*",
	"do_el0_svc*",
	"invoke_syscall*",
	"__invoke_syscall*",
	"error_entry*",
	"entry_*",
	"do_syscall_*",
	"x64_sys_call*",
	"syscall_exit_*",
	"exit_to_user*",
	"irqentry_*",
	"irq_exit*",
	"__irq_exit*",
	"ret_from_*",
	"secondary_startup*",
	"start_secondary*",
	"do_double_fault*",
	"df_debug*",
	"nmi",
	"end_repeat_nmi*",
	"asm_exc*",
	"call_on_irq_stack*",
	"call_on_stack*",
	"do_softirq*",
	"__do_softirq*",
	"handle_softirqs*",
	"__do_fast_syscall*",
	"do_fast_syscall*",
	"do_int80*",
	"ia32_sys_call*",
	/* waiting */
	"schedule*",
	"__schedule*",
	"preempt_schedule*",
	"__cond_resched*",
	"_cond_resched*",
	"io_schedule*",
	"context_switch*",
	"__switch_to*",
	"wait_for_*",
	"__wait_for_*",
	"do_wait_for_*",
	"mutex_lock*",
	"__mutex_lock*",
	"rwsem_*",
	"down_read*",
	"down_write*",
	"__down_*",
	"down_*",
	"_raw_*",
	"__raw_*",
	"do_raw_*",
	"queued_spin_*",
	"native_queued_spin_*",
	"__pv_queued_spin_*",
	"pv_*",
	"kvm_wait*",
	"queued_read_*",
	"queued_write_*",
	"percpu_rwsem_*",
	"__percpu_down_*",
	"default_idle*",
	"native_safe_halt*",
	"arch_cpu_idle*",
	"acpi_idle*",
	"acpi_safe_halt*",
	"cpuidle_*",
	"cpu_idle*",
	"do_idle*",
	"cpu_startup_entry*",
	"mwait_idle*",
	"intel_idle*",
	"bit_wait*",
	"__wait_on_*",
	"out_of_line_wait*",
	/* everybody's helpers */
	"memcpy*",
	"__memcpy*",
	"memset*",
	"__memset*",
	"memmove*",
	"__memmove*",
	"memcmp*",
	"strlen*",
	"strnlen*",
	"strcmp*",
	"strncmp*",
	"strcpy*",
	"strscpy*",
	"sized_strscpy*",
	"__pi_*",
	"copy_user_*",
	"rep_movs*",
	"rep_stos*",
	"clear_page_*",
	"copy_page",
	"copy_page_rep*",
	"_copy_to_*",
	"_copy_from_*",
	"__arch_copy_*",
	"kmalloc*",
	"__kmalloc*",
	"kmem_cache_*",
	"kfree*",
	"__kfree*",
	"refcount_*",
	"arch_local_*",
	"ftrace_*",
	"trace_*",
	"delay_tsc*",
	"__delay*",
	"__const_udelay*",
	"__udelay*",
	"cpu_relax*",
	"kthread",
	"kernel_thread*",
	"krealloc*",
};

static bool is_skipped(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(skipped); i++) {
		size_t n = strlen(skipped[i]);

		if (skipped[i][n - 1] == '*' ? strncmp(name, skipped[i], n - 1) == 0
					     : strcmp(name, skipped[i]) == 0)
			return true;
	}
	return false;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* "+0x12/0x340" */
static bool is_offset(const char *p)
{
	if (strncmp(p, "+0x", 3) != 0)
		return false;
	p += 3 + strspn(p + 3, "0123456789abcdef");
	return strncmp(p, "/0x", 3) == 0 && isxdigit((unsigned char)p[3]);
}

/* The name of n bytes, less ".isra.0", ".cold", ".part.0", ".constprop.0", ".llvm.123". */
static bool take(const char *name, size_t n, char ret[CONSOLE_FRAME_MAX])
{
	char own[CONSOLE_FRAME_MAX];
	size_t len = 0;

	for (; len < n && len < sizeof(own) - 1 && (len == 0 || name[len] != '.'); len++)
		own[len] = name[len];
	own[len] = '\0';
	if (len == 0 || isdigit((unsigned char)own[0]) || is_skipped(own))
		return false;
	memcpy(ret, own, len + 1);
	return true;
}

/* Behind what introduces a frame in a line. */
static const char *introduced(const char *p)
{
	static const char *const before[] = {"RIP: 0010:", "RIP: ",  "EIP: ",	  "pc : ",
					     "lr : ",	   "epc : ", "PC is at ", "LR is at ",
					     "NIP ",	   "ra : "};

	p += strspn(p, " \t");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		if (strncmp(p, before[i], strlen(before[i])) == 0) {
			p += strlen(before[i]);
			break;
		}
	while (*p == '[' && p[1 + strspn(p + 1, "<>0123456789abcdefx")] == ']') {
		p += strspn(p + 1, "<>0123456789abcdefx") + 2;
		p += strspn(p, " \t");
	}
	return p;
}

enum console_frame console_frame_read(const char *line, char ret[CONSOLE_FRAME_MAX])
{
	const char *p = introduced(line);
	bool doubtful = *p == '?';
	size_t n = 0;

	if (doubtful)
		p += 1 + strspn(p + 1, " ");
	while (in_name(p[n]))
		n++;
	if (n == 0 || !is_offset(p + n))
		return CONSOLE_NO_FRAME;
	if (doubtful || !take(p, n, ret))
		return CONSOLE_FRAME_SKIPPED;
	return CONSOLE_FRAME_OWN;
}

bool console_frame_in_title(const char *title, bool in, char ret[CONSOLE_FRAME_MAX])
{
	const char *p = title, *name;

	while ((p = strstr(p, "+0x")) && !is_offset(p))
		p++;
	if (p) {
		for (name = p; name > title && in_name(name[-1]); name--)
			;
		return take(name, (size_t)(p - name), ret);
	}
	p = in ? strstr(title, " in ") : NULL;
	if (!p)
		return false;
	for (name = p += 4; in_name(*p); p++)
		;
	return take(name, (size_t)(p - name), ret);
}
