#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lkp-agent with a job file, not as PID 1: a real run on this machine.

bats_require_minimum_version 1.5.0

setup() {
	root=$BATS_TEST_DIRNAME/../..
	agent=$root/build/lkp-agent
	[ -x "$agent" ] || skip "no agent is built: run make"
	command -v jq >/dev/null || skip "jq is not installed"
	dir=$(mktemp -d)
	result=$dir/result
	runs='[]'
}

teardown() {
	rm -rf "$dir"
}

# add_run ITERATIONS TIMEOUT MORE ARGV...: MORE is a JSON object that is merged into the run.
add_run() {
	local n=$1 timeout=$2 more=$3
	shift 3
	runs=$(jq -nc --argjson runs "$runs" --argjson n "$n" --argjson t "$timeout" --argjson more "$more" \
		'$runs + [{case: "test/\($runs | length)", argv: $ARGS.positional, iterations: $n,
		  timeout_s: $t} + $more]' --args -- "$@")
}

# run_job [MORE]: MORE is merged into the job.
run_job() {
	jq -n --arg dir "$dir" --argjson runs "$runs" --argjson more "${1:-{\}}" \
		'{format: "lkp-job/1", boot: "boot-1", seed: 42, toolbox: "/nonexistent/lkp",
		  toolbox_id: "0123", result: "\($dir)/result", scratch: $dir, runs: $runs} + $more' \
		>"$dir/job.json"
	run --separate-stderr "$agent" "$dir/job.json"
}

# field FILE FILTER
field() {
	jq -c "$2" "$result/$1"
}

# Does done.json name exactly the files that are there, with their sizes?
result_is_whole() {
	diff <(jq -r '.files | to_entries[] | "\(.key) \(.value)"' "$result/done.json" | sort) \
		<(cd "$result" && find . -type f ! -name done.json -printf '%P %s\n' | sort)
}

@test "iterations run, and everything is in the answer" {
	add_run 3 10 '{}' sh -c 'echo out; echo err >&2'
	add_run 1 10 '{}' pwd
	run_job
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "lkp-agent: start" ]
	[ "${lines[1]}" = "lkp-agent: run 0 test/0" ]
	[ "${lines[2]}" = "lkp-agent: iteration 0 0" ]
	[ "${lines[4]}" = "lkp-agent: iteration 0 2" ]
	[ "${lines[6]}" = "lkp-agent: iteration 1 0" ]
	[ "${lines[7]}" = "lkp-agent: done" ]
	[ "$(cat "$result"/runs/0/2.out)" = out ]
	[ "$(cat "$result"/runs/0/2.err)" = err ]
	[ "$(cat "$result"/runs/1/0.out)" = "$dir" ]
	[ "$(field runs/0/run.json '[.case, .status, .detail, .setup_missing]')" = '["test/0","ok","",[]]' ]
	[ "$(field runs/0/run.json '[.iterations[] | [.exit, .signal, .timeout]]')" = \
		'[[0,null,false],[0,null,false],[0,null,false]]' ]
	[ "$(field runs/0/run.json '.iterations | all(.seconds > 0 and .seconds < 10)')" = true ]
	[ "$(field done.json '[.format, .boot, .status]')" = '["lkp-result/1","boot-1","ok"]' ]
	result_is_whole
}

@test "facts describe this machine" {
	add_run 1 10 '{}' true
	run_job
	[ "$status" -eq 0 ]
	[[ $(field facts.json .uname) == *"$(uname -r)"* ]]
	[ "$(field facts.json .cpus)" = "$(getconf _NPROCESSORS_ONLN)" ]
	[ "$(field facts.json .seed)" = 42 ]
	[ "$(field facts.json .toolbox_id)" = '"0123"' ]
	[ "$(field facts.json '.memory_kb > 1000')" = true ]
	[ "$(field facts.json '[.clocksources, .mitigations] | map(type)')" = '["array","object"]' ]
	[ "$(jq -r .boot_id "$result/facts.json")" = "$(cat /proc/sys/kernel/random/boot_id)" ]
}

@test "a benchmark that fails ends its run, and the next one still runs" {
	add_run 5 10 '{}' sh -c 'echo half; echo "no space on the moon" >&2; exit 3'
	add_run 2 10 '{}' sh -c 'kill -SEGV $$'
	add_run 1 10 '{}' /nonexistent/benchmark
	add_run 1 10 '{}' echo well
	run_job
	[ "$status" -eq 0 ]
	[ "$(field runs/0/run.json '[.status, .detail]')" = \
		'["bench-failed","iteration 0: exit status 3: no space on the moon"]' ]
	[ "$(field runs/0/run.json '.iterations | map([.exit, .signal])')" = '[[3,null]]' ]
	[ "$(cat "$result"/runs/0/0.out)" = half ]
	[ "$(field runs/1/run.json '.iterations | map([.exit, .signal])')" = '[[null,11]]' ]
	[ "$(field runs/2/run.json .status)" = '"bench-failed"' ]
	[[ $(field runs/2/run.json .detail) == *"/nonexistent/benchmark"* ]]
	[ "$(field runs/3/run.json .status)" = '"ok"' ]
	result_is_whole
}

@test "a benchmark that hangs is killed with all its children" {
	add_run 3 0.5 '{}' sh -c "trap '' TERM; sleep 1234.5 & echo \$! >$dir/pid; wait; wait"
	run_job
	[ "$status" -eq 0 ]
	[ "$(field runs/0/run.json '[.status, .iterations[0].timeout, (.iterations | length)]')" = \
		'["bench-failed",true,1]' ]
	[ "$(field runs/0/run.json .detail)" = '"iteration 0: not done after 0.5 s"' ]
	[ "$(field runs/0/run.json '.iterations[0].seconds < 10')" = true ]
	[ ! -d "/proc/$(cat "$dir/pid")" ]
}

@test "a flood of output is cut, and said to be" {
	add_run 1 20 '{}' sh -c 'head -c 5000000 /dev/zero; head -c 3000000 /dev/zero >&2'
	run_job
	[ "$status" -eq 0 ]
	[ "$(stat -c %s "$result/runs/0/0.out")" -eq 1048576 ]
	[ "$(stat -c %s "$result/runs/0/0.err")" -eq 1048576 ]
	[[ $(field runs/0/run.json .detail) == *"output cut"* ]]
	result_is_whole
}

@test "perf stat goes around a benchmark" {
	command -v perf >/dev/null || skip "perf is not installed"
	add_run 2 20 '{"monitors": ["perf-stat"]}' sh -c 'exit 0'
	run_job
	[ "$status" -eq 0 ]
	[ "$(field runs/0/run.json .status)" = '"ok"' ]
	[ "$(grep -c counter-value "$result/runs/0/1.perf")" -eq 11 ]
	[ "$(field facts.json .perf_mode)" = '"stat"' ]
	[[ $(field facts.json .perf) == *"perf version"* ]]
	result_is_whole
}

@test "the exit status of a benchmark under perf is its own" {
	command -v perf >/dev/null || skip "perf is not installed"
	add_run 2 20 '{"monitors": ["perf-stat"]}' sh -c 'exit 7'
	run_job
	[ "$(field runs/0/run.json '.iterations | map(.exit)')" = '[7]' ]
}

@test "without perf the run goes on and says so" {
	add_run 1 20 '{"monitors": ["perf-stat"]}' /bin/true
	PATH=/nonexistent run_job_without_path
	[ "$status" -eq 0 ]
	[ "$(field runs/0/run.json '[.status, .setup_missing]')" = '["ok",["perf-stat"]]' ]
	[ "$(field facts.json .perf_mode)" = '"none"' ]
}

run_job_without_path() {
	local path=$PATH
	PATH=/usr/local/bin:/usr/bin:/bin
	run_job '{"toolbox_id": "x"}'
	rm -rf "$result"
	run env PATH="$path" "$agent" "$dir/job.json"
}

@test "what cannot be set up is named, and the run goes on" {
	add_run 1 10 '{"setup": {"sysctl": {"kernel.no_such_knob": "1"}, "cstates": "C99", "taskset": "4095"}}' true
	run_job
	[ "$status" -eq 0 ]
	[ "$(field runs/0/run.json '[.status, .setup_missing]')" = \
		'["ok",["sysctl.kernel.no_such_knob","cstates","taskset"]]' ]
}

@test "taskset binds the benchmark and no other" {
	add_run 1 10 '{"setup": {"taskset": "0"}}' grep Cpus_allowed_list /proc/self/status
	add_run 1 10 '{}' grep Cpus_allowed_list /proc/self/status
	run_job
	[ "$(field runs/0/run.json .setup_missing)" = '[]' ] || skip "CPU 0 is not ours"
	[ "$(cut -f 2 "$result/runs/0/0.out")" = 0 ]
	diff "$result/runs/1/0.out" <(grep Cpus_allowed_list /proc/self/status)
}

@test "a sysctl is set for the run and put back" {
	knob=/proc/sys/kernel/printk_ratelimit
	[ -w $knob ] || skip "needs root"
	old=$(cat $knob)
	new=$((old + 1))
	add_run 1 10 "{\"setup\": {\"sysctl\": {\"kernel.printk_ratelimit\": \"$new\"}}}" cat $knob
	run_job
	[ "$(field runs/0/run.json .setup_missing)" = '[]' ] || skip "cannot write $knob"
	[ "$(cat "$result/runs/0/0.out")" = $new ]
	[ "$(cat $knob)" = "$old" ]
}

@test "a wrong job is refused before anything runs" {
	add_run 1 10 '{}' touch "$dir/ran"
	for more in '{"format": "lkp-job/2"}' '{"boots": 3}' '{"result": "relative"}' '{"runs": [{}]}' \
		'{"copy_out": "nfs:x"}' '{"seed": "x"}'; do
		run_job "$more"
		[ "$status" -eq 1 ]
		[[ ${lines[1]} == "lkp-agent: fail $dir/job.json: "* ]]
		[ ! -e "$result/done.json" ]
	done
	add_run 1 10 '{"setup": {"governer": "performance"}}' true
	run_job
	[ "$status" -eq 1 ]
	[[ $output == *'unknown key "governer"; did you mean "governor"?'* ]]
	[ ! -e "$result/done.json" ]
	run "$agent" "$dir/none.json"
	[ "$status" -eq 1 ]
	run "$agent"
	[ "$status" -eq 64 ]
}

@test "an answer that is being written has no done.json" {
	mkdir -p "$result"
	echo '{"format": "lkp-result/1", "boot": "old", "status": "ok", "files": {}}' >"$result/done.json"
	add_run 1 10 '{}' sh -c "ls $result"
	run_job
	[ "$status" -eq 0 ]
	[[ $(cat "$result/runs/0/0.out") != *done.json* ]]
	[ "$(field done.json .boot)" = '"boot-1"' ]
}

@test "SIGTERM ends the run, leaves nothing running and no whole answer" {
	add_run 1 100 '{}' sh -c "echo \$\$ >$dir/pid; sleep 1000"
	run_job '{"runs": []}'
	rm -rf "$result"
	jq --argjson runs "$runs" '.runs = $runs' "$dir/job.json" >"$dir/job2.json"
	"$agent" "$dir/job2.json" >"$dir/said" &
	pid=$!
	for _ in $(seq 100); do
		[ -s "$dir/pid" ] && break
		sleep 0.1
	done
	kill -TERM $pid
	if wait $pid; then false; fi
	[ ! -d "/proc/$(cat "$dir/pid")" ]
	[ ! -e "$result/done.json" ]
	grep -q '^lkp-agent: fail ' "$dir/said"
}
