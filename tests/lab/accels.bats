#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# QEMU's accelerators: what each boots, whom QEMU runs as, and how a kernel without a voice ends.

load common

setup_file() {
	lab_tree
}

setup() {
	new_state
}

teardown() {
	[ -z "$lkp_pid" ] || kill "$lkp_pid" 2>/dev/null || true
	rm -rf "$LKP_STATE"
}

run_lkp() {
	run "$lkpctl" -c "$LKP_STATE/lkp.yaml" "$@"
	echo "status $status: $output"
}

# edit SED...: the machine tcg of lkp.yaml, edited.
edit() {
	config -e "/^  tcg:/,/^  here:/{$1}"
}

# QEMU itself below our state; setpriv becomes it.
qemu_pid() {
	local cwd pid
	for cwd in $(qemus); do
		pid=${cwd#/proc/}
		pid=${pid%/cwd}
		[[ $(readlink "/proc/$pid/exe") == */qemu-system-* ]] && echo "$pid" && return 0
	done
	return 1
}

@test "tcg: both CPUs work, QEMU has no rights, and what was booted is stored" {
	config
	"$lkpctl" -c "$LKP_STATE/lkp.yaml" build upstream -q -k acpi --git "$git"
	"$lkpctl" -c "$LKP_STATE/lkp.yaml" run pwrite2 pipe-test -q --iterations 1 --git "$git" -b upstream \
		-k acpi -m tcg > "$LKP_STATE/out" 2>&1 3>&- &
	lkp_pid=$!
	deadline=$((SECONDS + 60))
	# It locks itself in before the guest starts.
	until pid=$(qemu_pid) && grep -q '^Seccomp:.*2$' "/proc/$pid/status"; do
		[ $SECONDS -lt $deadline ]
	done
	cat "/proc/$pid/status" > "$LKP_STATE/status"
	cat "$LKP_STATE/status"
	grep -q '^NoNewPrivs:.*1$' "$LKP_STATE/status"
	for set in Prm Eff Inh Amb; do
		grep -Eq "^Cap$set:[[:space:]]+0+$" "$LKP_STATE/status"
	done
	if [ "$(id -u)" = 0 ]; then
		grep -Eq '^Uid:([[:space:]]+65534){4}$' "$LKP_STATE/status"
		grep -Eq '^Gid:([[:space:]]+65534){4}$' "$LKP_STATE/status"
		grep -Eq '^Groups:[[:space:]]*$' "$LKP_STATE/status"
		grep -Eq '^CapBnd:[[:space:]]+0+$' "$LKP_STATE/status"
	fi
	status=0
	wait $lkp_pid || status=$?
	lkp_pid=
	cat "$LKP_STATE/out"
	[ "$status" -eq 0 ]
	grep -q will-it-scale.per_thread_ops "$LKP_STATE/out"
	grep -q pipe-test.usecs_per_op "$LKP_STATE/out"
	grep -q perf-stat.task-clock "$LKP_STATE/out"
	[ "$(db "select count(*) from boots where status = 'ok' and accel = 'tcg'")" = 1 ]
	folder=$(db "select folder from boots")
	jq -e '.cpus == 2 and .clocksource == "tsc" and (.clocksources | index("hpet") and index("acpi_pm"))' \
		"$folder/result/facts.json"
	jq -e '.accel == "tcg" and has("accel_reason") == false' "$folder/boot.json"
	no_qemu_left
}

@test "icount: one CPU that counts instructions, the accelerator is stored" {
	config
	run_lkp run pipe-test -q --iterations 1 --git "$git" -b upstream -m icount
	[ "$status" -eq 0 ]
	folder=$(db "select folder from boots where status = 'ok' and accel = 'icount'")
	jq -e '.cpus == 1 and .init_uptime > 0 and .ready_uptime >= .init_uptime' "$folder/result/facts.json"
}

@test "auto without KVM: said once, and stored why" {
	edit 's/accel: tcg/accel: auto/'
	accel=$("$lkpctl" -c "$LKP_STATE/lkp.yaml" --json machines 2>/dev/null | jq -r '.[] | select(.machine == "tcg").accel')
	[ "$accel" = tcg ] || skip "this host has KVM"
	run_lkp run pipe-test -q --iterations 1 --git "$git" -b upstream -k acpi -m tcg
	[ "$status" -eq 0 ]
	[ "$(grep -c 'KVM is not usable' <<< "$output")" = 1 ]
	jq -e '.accel == "tcg" and (.accel_reason | contains("no KVM"))' "$(db "select folder from boots")/boot.json"
}

@test "kvm on a host without: refused with the remedy, nothing is booted" {
	edit 's/accel: tcg/accel: kvm/'
	state=$("$lkpctl" -c "$LKP_STATE/lkp.yaml" --json machines 2>/dev/null | jq -r '.[] | select(.machine == "tcg").state')
	[ "$state" = unusable ] || skip "this host has KVM"
	run_lkp run pipe-test -q --git "$git" -b upstream -k acpi -m tcg
	[ "$status" -eq 1 ]
	[[ $output == *"accel kvm cannot be had here: "*/dev/kvm*"use accel: tcg or icount"* ]]
	[ "$(db "select count(*) from boots")" = 0 ]
}

@test "a panic that never reaches the console is known as one" {
	edit 's#cpus: 2#cpus: 2\n    cmdline: "loglevel=0 rdinit=/none init=/none"#'
	run_lkp run pipe-test -q --git "$git" -b upstream -k acpi -m tcg
	[ "$status" -eq 1 ]
	[[ $output == *"panic: "*"could not say why"* ]]
	[ "$(db "select status from boots where seconds < 60")" = panic ]
	! grep -q 'Kernel panic' "$(db "select folder from boots")/console.log"
	no_qemu_left
}

@test "a kernel that hangs with interrupts off is ended by the watchdog, and shows where it hung" {
	edit 's#cpus: 2#cpus: 1\n    cmdline: "fault=irqs-off"#'
	sed 's/^timeout: .*/timeout: 5s/' "$root/jobs/pwrite2.yaml" > "$LKP_STATE/hang.yaml"
	run_lkp run "$LKP_STATE/hang.yaml" -q --git "$git" -b faults -k acpi -m tcg
	[ "$status" -eq 1 ]
	[[ $output == *planted_irqs_off*"interrupts off"* ]]
	[ "$(db "select status from boots where seconds < 60")" = hang ]
	grep -q planted_irqs_off "$(db "select folder from boots")/console.log"
	no_qemu_left
}
