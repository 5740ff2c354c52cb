#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The fault matrix: kernels that go wrong under load, a lab that goes wrong, and a harness that is killed. Each
# ends as a result of its own kind, in time, and leaves nothing behind.

load common

setup_file() {
	lab_tree
}

setup() {
	new_state
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
}

teardown() {
	rm -rf "$LKP_STATE"
}

# What a boot could leave outside its state: temporary files, and cgroups, which have the maker's pid in their names.
traces() {
	local group pid
	find "$TMPDIR" -mindepth 1
	find /sys/fs/cgroup -type d -name 'lkp-*-*' 2>/dev/null | while read -r group; do
		pid=${group##*/lkp-}
		[ -d "/proc/${pid%%-*}" ] || echo "$group"
	done
}

nothing_left() {
	no_qemu_left
	! grep "$LKP_STATE" /proc/self/mounts
	[ -z "$(traces)" ] || { traces; return 1; }
	[ -z "$(find "$LKP_STATE" -mindepth 1 -name '*.part' -o -name '*.tmp' -o -name 'lkp-*')" ]
}

# fault NAME: one boot of the kernel that knows the planted faults.
fault() {
	config -e "s/^    cmdline: \"\"/    cmdline: \"fault=$1\"/;s/silence_timeout: 60s/silence_timeout: 15s/"
	run "$lkpctl" -c "$LKP_STATE/lkp.yaml" run pwrite2 -q --git "$git" -b faults -m icount
	echo "status $status: $output"
}

# ended STATUS KIND: how the only boot ended.
ended() {
	[ "$(db "select status || ' ' || kind from boots")" = "$1 $2" ] || { db "select status, kind, detail from boots"; return 1; }
	[ "$(db "select count(*) from samples")" = 0 ]
	nothing_left
}

@test "panic before user space" {
	fault panic-early
	[ "$status" -eq 1 ]
	ended panic panic
}

@test "restart before user space, as in a reboot loop: seen at the first" {
	fault restart-early
	[ "$status" -eq 1 ]
	ended no-init no-init
}

@test "oops under load: named by the first function of ours" {
	fault oops
	[ "$status" -eq 1 ]
	ended oops oops
	[ "$(db "select frame from boot_findings where fatal")" = planted_oops ]
	[[ $output == *planted_oops* ]]
	grep -q 'Call Trace' "$(db 'select folder from boots')/report.txt"
}

@test "panic under load" {
	fault panic
	[ "$status" -eq 1 ]
	ended panic panic
}

@test "restart under load" {
	fault restart
	[ "$status" -eq 1 ]
	ended panic unexpected-reboot
}

@test "interrupts off for ever: silence, within the time that is set" {
	fault irqs-off
	[ "$status" -eq 1 ]
	ended silence silence
	[ "$(db "select seconds between 15 and 40 from boots")" = 1 ]
}

@test "out of memory" {
	fault oom
	[ "$status" -eq 1 ]
	[[ $(db "select kind from boots") == oom ]]
	nothing_left
}

@test "a benchmark that stops without a word, and one that cannot be killed: its own time limit ends it" {
	for name in stopped stuck; do
		rm -rf "$LKP_STATE/lkp.db"* "$LKP_STATE/results" "$LKP_STATE/journal"
		fault $name
		[ "$status" -eq 1 ]
		[ "$(db "select r.status from runs r")" = bench-failed ]
		[[ $(db "select r.detail from runs r") == *"not done after"* ]]
		[ "$(db "select count(*) from samples")" = 0 ]
		nothing_left
	done
}

@test "a warning is recorded and the samples count; unless the kconfig calls warnings fatal" {
	fault warning
	[ "$status" -eq 0 ]
	[ "$(db "select status from boots")" = ok ]
	[ "$(db "select kind || ' ' || frame || ' ' || fatal from boot_findings")" = "warning planted_fault 0" ]
	[ "$(db "select count(*) > 0 from samples")" = 1 ]

	rm -rf "$LKP_STATE/lkp.db"* "$LKP_STATE/results" "$LKP_STATE/journal"
	config -e "s/^    cmdline: \"\"/    cmdline: \"fault=warning\"/;s/^    base: allnoconfig.*/&\n    fatal_warnings: true/"
	run "$lkpctl" -c "$LKP_STATE/lkp.yaml" run pwrite2 -q --git "$git" -b faults -m icount
	echo "$output"
	[ "$status" -eq 1 ]
	[ "$(db "select kind from boots")" = warning ]
	nothing_left
}

@test "QEMU killed: our lab's fault, tried again, and no word about the commit" {
	config
	"$lkpctl" -c "$LKP_STATE/lkp.yaml" build upstream -q --git "$git"
	"$lkpctl" -c "$LKP_STATE/lkp.yaml" run pwrite2 -q --git "$git" -b upstream -m icount > "$LKP_STATE/out" 2>&1 3>&- &
	pid=$!
	deadline=$((SECONDS + 60))
	until found=$(pgrep -f "^qemu-system-x86_64.*$LKP_STATE|^qemu-system" -d ' ') && [ -n "$(qemus)" ]; do
		[ $SECONDS -lt $deadline ]
	done
	# shellcheck disable=SC2086 # several numbers
	for p in $(qemus); do
		p=${p#/proc/}
		p=${p%/cwd}
		[ "$(cat "/proc/$p/comm" 2>/dev/null)" != qemu-system-x86 ] || kill -KILL "$p"
	done
	status=0
	wait $pid || status=$?
	cat "$LKP_STATE/out"
	[ "$status" -eq 0 ]
	[ "$(db "select group_concat(status, ' ') from (select status from boots order by id)")" = "infra-failed ok" ]
	grep -q 'signal 9' "$LKP_STATE/out"
	nothing_left
}

@test "the result disk is full: our lab's fault, with its place and the remedy" {
	[ "$(id -u)" = 0 ] || skip "only root may mount the small disk"
	config -e "s/silence_timeout: 60s/silence_timeout: 15s/"
	"$lkpctl" -c "$LKP_STATE/lkp.yaml" build upstream -q --git "$git"
	cp "$LKP_STATE/lkp.yaml" "$BATS_TEST_TMPDIR/lkp.yaml"
	for room in 100 1000 100000; do
		run unshare -m sh -c 'mount -t tmpfs -o size=$5k none "$1" && cp "$2/lkp.yaml" "$1" &&
			status=0 && { "$3" -c "$1/lkp.yaml" run pwrite2 -q --git "$4" -b upstream -m icount || status=$?; }
			find "$1" -name "*.part" -printf "REMAINS %p\n"; exit $status' _ "$LKP_STATE" "$BATS_TEST_TMPDIR" "$lkpctl" "$git" $room
		echo "room $room: $output"
		[ "$status" -eq 75 ]
		[[ $output == *"$LKP_STATE"* ]]
		[[ $output == *[Nn]"o space left"* || $output == *"is full"* ]]
		[[ $output != *REMAINS* ]]
	done
	nothing_left
}
