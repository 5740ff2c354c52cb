#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl is killed at 50 random points of one real job, and asked again each time: it goes on where it was.

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

# until_true SECONDS COMMAND...: waits for the condition.
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || { echo "not within its time: $*" >&2; return 1; }
	done
}

job=(run pwrite2 -q --git "$git" -b main~1 --against main~2 -m icount)

@test "killed 50 times at random points: nothing left, nothing lost, nothing twice" {
	config
	for commit in main~1 main~2; do
		"$lkpctl" -c "$LKP_STATE/lkp.yaml" build $commit -q --git "$git"
	done
	seed=${SEED:-$(date +%s)}
	echo "SEED=$seed repeats the points of time"
	RANDOM=$seed
	killed=0
	while [ $killed -lt 50 ]; do
		"$lkpctl" -c "$LKP_STATE/lkp.yaml" "${job[@]}" > "$LKP_STATE/out" 2>&1 3>&- &
		pid=$!
		# The point of time is the test's input: up to 8 s, the middle of the second boot on most machines.
		timeout "$((RANDOM % 8)).$((RANDOM % 10))$((RANDOM % 10))" tail --pid=$pid -f /dev/null 3>&- || true
		kill -KILL $pid 2>/dev/null && killed=$((killed + 1))
		status=0
		wait $pid || status=$?
		[ $status -eq 137 ] || [ $status -eq 2 ] || { cat "$LKP_STATE/out"; return 1; }
		until_true 10 no_qemu_left
		[ ! -e "$LKP_STATE/lkp.db" ] || [ "$(db 'pragma integrity_check')" = ok ]
		# Once it is done it is done at once: what is left of the 50 would not find it at work.
		[ $status -ne 2 ] || rm -rf "$LKP_STATE/results" "$LKP_STATE/maildir" "$LKP_STATE/journal" "$LKP_STATE/lkp.db"*
	done
	run "$lkpctl" -c "$LKP_STATE/lkp.yaml" "${job[@]}"
	echo "$output"
	[ "$status" -eq 2 ]
	[[ $output == *"regression, confirmed  icount/will-it-scale/pwrite2/thread/100%"* ]]
	[ "$(db "select count(*) from mails")" = 1 ]
	[ "$(find "$LKP_STATE/maildir" -type f | wc -l)" = 1 ]
	"$lkpctl" -c "$LKP_STATE/lkp.yaml" db check
	[ -z "$(find "$LKP_STATE" -name '*.part' -o -name '*.tmp')" ]
	# Every folder is a row, every row a folder, and no boot is half.
	[ "$(db "select folder from boots order by folder")" = "$(find "$LKP_STATE"/results/*/* -maxdepth 0 -type d | sort)" ]
	[ "$(db "select count(*) from boots where status <> 'ok'")" = 0 ]
	[ "$(db "select count(*) from boots b where not exists (select 1 from runs r join samples s on s.run_id = r.id where r.boot_id = b.id)")" = 0 ]
}
