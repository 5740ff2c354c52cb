#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The main job on the real driver: builds of a real tree, boots in QEMU. The first run builds for minutes.

load common

setup_file() {
	lab_tree
}

setup() {
	new_state
}

teardown() {
	rm -rf "$LKP_STATE"
}

run_lkp() {
	run "$lkpctl" -c "$LKP_STATE/lkp.yaml" "$@"
	echo "status $status: $output"
}

@test "a commit is built, booted and measured, and is not built again" {
	config
	run_lkp run pwrite2 pipe-test -q --git "$git" -b upstream -m icount
	[ "$status" -eq 0 ]
	[[ $output == *will-it-scale.per_thread_ops* ]]
	[[ $output == *pipe-test.usecs_per_op* ]]
	[ "$(db "select count(*) from boots where status = 'ok' and accel = 'icount' and clocksource <> ''")" = 1 ]
	folder=$(db "select folder from boots")
	[ -s "$folder/console.log" ]
	[ -s "$folder/result/config.gz" ]
	jq -e '.format == "lkp-boot/1" and .seed > 0 and (.argv | index("-icount"))' "$folder/boot.json"
	jq -e '.clocksources | length > 0' "$folder/result/facts.json"
	[ -z "$(find "$folder" -not -type f -not -type d)" ]

	run_lkp --json build upstream --git "$git"
	[ "$status" -eq 0 ]
	[ "$(echo "$output" | sed '/^status/d' | jq .cached)" = true ] || [[ $output == *'"cached": true'* ]]
	no_qemu_left
}

@test "a slow commit is a confirmed regression with one mail, and asking again measures nothing" {
	config
	run_lkp run pwrite2 pipe-test -q --git "$git" -b main~1 --against main~2 -m icount
	[ "$status" -eq 2 ]
	[[ $output == *"regression, confirmed  icount/will-it-scale/pwrite2/thread/100%"* ]]
	[[ $output == *"clean                  icount/pipe-test/process"* ]]
	boots=$(db "select count(*) from boots")
	[ "$boots" = 20 ]
	[ "$(find "$LKP_STATE/maildir/new" -type f | wc -l)" = 1 ]
	mail=$(find "$LKP_STATE/maildir/new" -type f)
	grep -q '^To: Sam Slow' "$mail"
	grep -q '^Subject: \[mm\] [0-9a-f]\{12\}: -' "$mail"
	grep -q 'instructions per operation' "$mail"

	run_lkp run pwrite2 pipe-test -q --git "$git" -b main~1 --against main~2 -m icount
	[ "$status" -eq 2 ]
	[ "$(db "select count(*) from boots")" = 20 ]
	[ "$(db "select count(*) from mails")" = 1 ]
	[ "$(find "$LKP_STATE/maildir" -type f | wc -l)" = 1 ]
}

@test "a documentation-only commit is clean by construction: the same image, no boot" {
	config
	run_lkp run pwrite2 -q --git "$git" -b main~4 --against upstream -m icount
	[ "$status" -eq 0 ]
	[[ $output == *"boot the same image"* ]]
	[ "$(db "select count(*) from boots")" = 0 ]
}

@test "a tree, a commit, a kconfig or a machine that does not exist is named" {
	config
	run_lkp run pwrite2 -b main -t dmeo
	[ "$status" -eq 1 ]
	[[ $output == *dmeo*demo* ]]
	run_lkp run pwrite2 --git /nonexistent/linux -b main
	[ "$status" -eq 1 ]
	[[ $output == */nonexistent/linux* ]]
	run_lkp run pwrite2 --git "$git" -b no-such-branch
	[ "$status" -eq 1 ]
	[[ $output == *no-such-branch* ]]
	run_lkp run pwrite2 --git "$git" -b main -k icuont
	[ "$status" -eq 1 ]
	[[ $output == *icuont*icount* ]]
	run_lkp run pwrite2 --git "$git" -b main -m nhm4
	[ "$status" -eq 1 ]
	[[ $output == *nhm4* ]]
}

@test "a config symbol that cannot be had is named with its fragment and line" {
	printf 'CONFIG_NO_SUCH_THING=y\n' > "$LKP_STATE/bad.config"
	config -e "s#fragments: \[ \(.*icount.config\) \]#fragments: [ \1, $LKP_STATE/bad.config ]#"
	run_lkp build upstream -q --git "$git"
	[ "$status" -eq 1 ]
	[[ $output == *"bad.config:1"*CONFIG_NO_SUCH_THING* ]]
}

@test "a commit that does not compile: the first error with its place, kept as build-failed" {
	config
	run_lkp run pwrite2 -q --git "$git" -b broken -m icount
	[ "$status" -eq 1 ]
	[[ $output == *"does not build"*"mm/shmem.c:"*error* ]]
	[ "$(db "select status from kernels")" = build-failed ]
	[ "$(db "select count(*) from boots")" = 0 ]
}

@test "a kernel that panics before init ends as panic, well before the deadline" {
	config
	run_lkp run pwrite2 -q --git "$git" -b panics -m icount
	[ "$status" -eq 1 ]
	[[ $output == *"panic: "*"planted: no way to user space"* ]]
	[ "$(db "select status from boots where seconds < 60")" = panic ]
	no_qemu_left
}

@test "a kernel that hangs without a word ends as silence" {
	config -e 's/silence_timeout: 60s/silence_timeout: 8s/'
	run_lkp run pwrite2 -q --git "$git" -b hangs -m icount
	[ "$status" -eq 1 ]
	[[ $output == *"silence: "* ]]
	[ "$(db "select status from boots where seconds between 8 and 60")" = silence ]
	no_qemu_left
}

@test "a boot that has not reached the agent by its deadline ends as deadline" {
	config -e 's/boot_timeout: 120s/boot_timeout: 1s/'
	run_lkp run pwrite2 -q --git "$git" -b upstream -m icount
	[ "$status" -eq 1 ]
	# A kernel that said nothing yet either is an early silence.
	[[ $(db "select status || ' ' || kind from boots") == "deadline deadline" || $(db "select kind from boots") == early-silence ]]
	[ "$(db "select seconds < 20 from boots")" = 1 ]
	no_qemu_left
}

@test "a benchmark that exits 1 is bench-failed; the other case of the boot keeps its samples" {
	config
	run_lkp run pwrite2 pipe-test -q --git "$git" -b nopipe -m icount
	[ "$status" -eq 1 ]
	[[ $output == *"failed on a healthy kernel:"* ]]
	[ "$(db "select r.status from runs r join cases c on c.id = r.case_id where c.name = 'pipe-test/process'")" = bench-failed ]
	[ "$(db "select r.status from runs r join cases c on c.id = r.case_id where c.name like 'will-it-scale/%'")" = ok ]
	[ "$(db "select count(*) from runs r join samples s on s.run_id = r.id join cases c on c.id = r.case_id where c.name = 'pipe-test/process'")" = 0 ]
}

@test "Ctrl-C in the middle: nothing is left running, nothing half is kept, and it goes on afterwards" {
	config
	"$lkpctl" -c "$LKP_STATE/lkp.yaml" build upstream -q --git "$git"
	setsid "$lkpctl" -c "$LKP_STATE/lkp.yaml" run pwrite2 --git "$git" -b upstream -m icount --boots 50 \
		> "$LKP_STATE/out" 2>&1 3>&- &
	pid=$!
	# The second boot is under way once the first is in the database.
	deadline=$((SECONDS + 120))
	until [ "$(db 'select count(*) from boots' 2>/dev/null || echo 0)" -ge 1 ] &&
		[ -n "$(qemus)" ]; do
		[ $SECONDS -lt $deadline ]
	done
	kill -INT $pid
	status=0
	wait $pid || status=$?
	cat "$LKP_STATE/out"
	[ "$status" -eq 75 ]
	no_qemu_left
	[ -z "$(find "$LKP_STATE/results" -name '.*.part')" ]
	before=$(db 'select count(*) from boots')
	[ "$before" -ge 1 ]
	run_lkp run pwrite2 -q --git "$git" -b upstream -m icount
	[ "$status" -eq 0 ]
	[ "$(db 'select count(*) from boots')" = $((before + 1)) ]
}
