#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The programs of benchmarks/: what they print, how they fail, what they leave behind.

bats_require_minimum_version 1.5.0

CASES="getppid1 pwrite1 pwrite2 context_switch1"

setup() {
	root=$BATS_TEST_DIRNAME/../..
	bench=${LKP_BUILD:-$root/build/plain}/bench
	[ -d "$bench" ] || bench=$root/build/bench
	[ -d "$bench" ] || skip "no benchmarks are built: run make"
	dir=$(mktemp -d)
}

teardown() {
	rm -rf "$dir"
}

# The programs of all cases.
wis() {
	for c in $CASES; do
		echo "${c}_processes" "${c}_threads"
	done
}

# matches LINE REGEX
matches() {
	[[ $1 =~ ^$2$ ]] || { echo "'$1' is not like '$2'"; return 1; }
}

# within SECONDS COMMAND...: until the command succeeds; fails when the time is over.
within() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
	done
}

# How many processes run the program at this path?
count_running() {
	local exe n=0
	for exe in /proc/[0-9]*/exe; do
		[ ! "$exe" -ef "$1" ] || n=$((n + 1))
	done
	echo $n
}

nobody_runs() {
	[ "$(count_running "$1")" -eq 0 ]
}

processes_of() {
	[ "$(count_running "$1")" -ge "$2" ]
}

# own_copy NAME: a copy that no other test runs, so that its processes can be told apart.
own_copy() {
	cp "$bench/$1" "$dir/$1"
	echo "$dir/$1"
}

lines_in() {
	[ "$(wc -l < "$1")" -ge "$2" ]
}

@test "will-it-scale: fixed work prints one sample and exact figures" {
	for p in $(wis); do
		run -0 "$bench/$p" -w 1000 -t 3 -d "$dir"
		[ ${#lines[@]} -eq 7 ]
		matches "${lines[0]}" 'testcase:.+'
		[ "${lines[1]}" = warmup ]
		[ "${lines[2]}" = measurement ]
		matches "${lines[3]}" 'min:([0-9]+) max:([0-9]+) total:([0-9]+)'
		[ "${BASH_REMATCH[1]}" -le "${BASH_REMATCH[2]}" ]
		[ "${lines[4]}" = "average:${BASH_REMATCH[3]}" ]
		average=${BASH_REMATCH[3]}
		matches "${lines[5]}" 'elapsed_ns:([0-9]+) iterations:3000'
		[ "${lines[6]}" = "tasks:3 mode:${p##*_}" ]
		rate=$((3000 * 1000000000 / BASH_REMATCH[1]))
		[ $((average - rate)) -le 1 ]
		[ $((rate - average)) -le 1 ]
		[ -z "$(ls -A "$dir")" ]
	done
}

@test "will-it-scale: fixed work of one iteration, without a warm-up" {
	run -0 "$bench/getppid1_processes" -w 1
	matches "${lines[5]}" 'elapsed_ns:[0-9]+ iterations:1'
	run -0 "$bench/getppid1_threads" -w 7 -t 5 -n
	matches "${lines[5]}" 'elapsed_ns:[0-9]+ iterations:35'
}

@test "will-it-scale: context_switch1 counts by 2, so an odd number is rounded up" {
	run -0 "$bench/context_switch1_processes" -w 101
	matches "${lines[5]}" 'elapsed_ns:[0-9]+ iterations:102'
}

@test "will-it-scale: more tasks than CPUs, bound to SMT threads" {
	run -0 "$bench/pwrite2_processes" -m -w 100 -t 40 -d "$dir"
	matches "${lines[5]}" 'elapsed_ns:[0-9]+ iterations:4000'
}

@test "will-it-scale: timed mode samples every second" {
	"$bench/pwrite1_processes" -s 1 -t 2 -d "$dir" > "$dir/out.p" 2>&1 &
	processes=$!
	"$bench/pwrite2_threads" -s 2 -d "$dir" > "$dir/out.t" 2>&1 &
	threads=$!
	wait $processes
	wait $threads
	[ "$(grep -n measurement "$dir/out.p")" = 9:measurement ]
	[ "$(wc -l < "$dir/out.p")" -eq 12 ]
	[ "$(wc -l < "$dir/out.t")" -eq 13 ]
	[ "$(grep -cE '^min:[0-9]+ max:[0-9]+ total:[0-9]+$' "$dir/out.t")" -eq 8 ]
	last=$(sed -n 10p "$dir/out.p")
	matches "$last" 'min:([0-9]+) max:([0-9]+) total:([0-9]+)'
	[ "${BASH_REMATCH[1]}" -gt 0 ]
	[ "$(sed -n 11p "$dir/out.p")" = "average:${BASH_REMATCH[3]}" ]
	[ "$(tail -n 1 "$dir/out.p")" = "tasks:2 mode:processes" ]
	rm "$dir/out.p" "$dir/out.t"
	[ -z "$(ls -A "$dir")" ]
}

@test "will-it-scale: SIGTERM leaves no task, no partner and no file" {
	for name in pwrite2_processes context_switch1_processes pwrite2_threads; do
		p=$(own_copy $name)
		mkdir "$dir/files"
		"$p" -s 0 -t 3 -d "$dir/files" > "$dir/out" 3>&- &
		pid=$!
		within 20 lines_in "$dir/out" 3
		kill -TERM $pid
		status=0
		wait $pid || status=$?
		[ $status -eq 143 ]
		nobody_runs "$p"
		rmdir "$dir/files"
	done
}

@test "will-it-scale: tasks and partners die when the driver is killed" {
	p=$(own_copy context_switch1_processes)
	"$p" -s 0 -t 2 > "$dir/out" 3>&- &
	pid=$!
	within 20 lines_in "$dir/out" 3
	kill -KILL $pid
	wait $pid || true
	within 20 nobody_runs "$p"
}

@test "will-it-scale: the run fails when a task is killed" {
	p=$(own_copy getppid1_processes)
	"$p" -s 0 -t 2 > "$dir/out" 2> "$dir/err" 3>&- &
	pid=$!
	within 20 lines_in "$dir/out" 3
	kill -KILL "$(pgrep -P $pid | head -n 1)"
	status=0
	wait $pid || status=$?
	[ $status -eq 1 ]
	matches "$(cat "$dir/err")" 'getppid1: a task ended too early: pid [0-9]+ was killed by signal 9'
	nobody_runs "$p"
}

@test "will-it-scale: the run fails when a partner is killed" {
	p=$(own_copy context_switch1_processes)
	"$p" -s 0 > "$dir/out" 2> "$dir/err" 3>&- &
	pid=$!
	within 20 lines_in "$dir/out" 3
	kill -KILL "$(pgrep -P "$(pgrep -P $pid)")"
	status=0
	wait $pid || status=$?
	[ $status -eq 1 ]
	[ "$(cat "$dir/err")" = "context_switch1: a partner of a task: died" ]
	nobody_runs "$p"
}

@test "will-it-scale: a failing system call names case, call and reason once" {
	for p in pwrite1_processes pwrite1_threads pwrite2_processes pwrite2_threads; do
		run -1 "$bench/$p" -w 10 -t 3 -d "$dir/absent"
		[ "$output" = "${p%_*}: temporary file (-d names its folder): No such file or directory" ]
	done
	for p in pwrite1_processes pwrite1_threads; do
		run -1 bash -c 'ulimit -f 0; trap "" XFSZ; exec "$@"' - "$bench/$p" -w 10 -t 3 -d "$dir"
		[ "${lines[-1]}" = "pwrite1: pwrite: File too large" ]
		[ -z "$(ls -A "$dir")" ]
	done
	run -1 bash -c 'ulimit -f 1; trap "" XFSZ; exec "$@"' - "$bench/pwrite1_threads" -w 10 -d "$dir"
	[ "${lines[-1]}" = "pwrite1: pwrite: came back short" ]
	run -1 bash -c '"$@" > /dev/full' - "$bench/pwrite2_processes" -w 10 -d "$dir"
	[ "$output" = "pwrite2_processes: stdout: No space left on device" ]
	[ -z "$(ls -A "$dir")" ]
}

@test "will-it-scale: bad options exit 64, -h exits 0" {
	for args in "-t 0" "-t x" "-t 2049" "-s -1" "-w 0" "-w 5 -s 5" "-m -n" "-w 1e6" "-x" "extra" "-t"; do
		run -64 --separate-stderr "$bench/getppid1_threads" $args
		[ -z "$output" ]
		[[ $stderr == *"usage: "* ]]
	done
	run -0 --separate-stderr "$bench/getppid1_threads" -h
	[[ $output == "usage: "* ]]
	[ -z "$stderr" ]
}

@test "hackbench: prints what rt-tests' hackbench prints, and nanoseconds" {
	for mode in process threaded; do
		for kind in "" -p --inet; do
			flag=-P
			[ $mode = process ] || flag=--threads
			run -0 "$bench/hackbench" $flag $kind -g 2 -f 3 -l 4 -s 5
			[ ${#lines[@]} -eq 4 ]
			[ "${lines[0]}" = "Running in $mode mode with 2 groups using 6 file descriptors each (== 12 tasks)" ]
			[ "${lines[1]}" = "Each sender will pass 4 messages of 5 bytes" ]
			matches "${lines[2]}" 'Time: ([0-9]+)\.([0-9]{3})'
			ms=$((10#${BASH_REMATCH[1]}${BASH_REMATCH[2]}))
			matches "${lines[3]}" 'elapsed_ns:([0-9]+)'
			[ $ms -eq $((BASH_REMATCH[1] / 1000000)) ]
		done
	done
}

@test "hackbench: agrees with rt-tests' hackbench" {
	[ -x /usr/bin/hackbench ] || skip "rt-tests is not installed"
	for args in "" "-p -T -l 10" "--pipe --threads --loops 3 --groups 2 --fds 4 --datasize 2000" "-i -g 1" "-T -P -g 1"; do
		run -0 /usr/bin/hackbench $args
		theirs=("${lines[@]}")
		run -0 "$bench/hackbench" $args
		[ "${lines[0]}" = "${theirs[0]}" ]
		[ "${lines[1]}" = "${theirs[1]}" ]
		matches "${lines[2]}" 'Time: [0-9]+\.[0-9]{3}'
	done
}

@test "hackbench: bad options exit 64, -h exits 0" {
	for args in "-g 0" "--loops=x" "-s 0" "-f -3" "-x" "extra" "-g 100000000 -f 100"; do
		run -64 --separate-stderr "$bench/hackbench" $args
		[ -z "$output" ]
		[[ $stderr == *"usage: hackbench"* ]]
	done
	run -0 --separate-stderr "$bench/hackbench" --help
	[[ $output == "usage: hackbench"* ]]
	[ -z "$stderr" ]
}

@test "hackbench: SIGTERM leaves no worker" {
	p=$(own_copy hackbench)
	"$p" -g 2 -l 100000000 > "$dir/out" 3>&- &
	pid=$!
	within 20 processes_of "$p" 81
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ $status -eq 143 ]
	nobody_runs "$p"
}

@test "hackbench: fails and leaves no worker when one is killed" {
	p=$(own_copy hackbench)
	"$p" -g 1 -l 100000000 > "$dir/out" 2> "$dir/err" 3>&- &
	pid=$!
	within 20 processes_of "$p" 41
	kill -KILL "$(pgrep -P $pid | tail -n 1)"
	status=0
	wait $pid || status=$?
	[ $status -eq 1 ]
	grep -q 'hackbench: a worker failed' "$dir/err"
	nobody_runs "$p"
}

@test "hackbench: leaves no worker when one cannot be created" {
	p=$(own_copy hackbench)
	run -1 bash -c 'ulimit -n 20; exec "$@"' - "$p" -f 30
	[ "${lines[-1]}" = "hackbench: creating a channel: Too many open files" ]
	nobody_runs "$p"
	[ "$(id -u)" -eq 0 ] || skip "limiting another user's processes needs root"
	chmod 755 "$dir"
	run -1 setpriv --reuid=65533 --regid=65533 --clear-groups prlimit --nproc=30 "$p" -g 2
	[ "${lines[-1]}" = "hackbench: creating a worker: Resource temporarily unavailable" ]
	nobody_runs "$p"
}

@test "hackbench: a full disk is noticed before any worker exists, also by threads" {
	for mode in -P -T; do
		run -1 bash -c '"$@" > /dev/full' - "$bench/hackbench" $mode -g 1 -l 100000000
		[ "$output" = "hackbench: stdout: No space left on device" ]
	done
}

@test "hackbench: messages larger than a thread's stack" {
	run -0 "$bench/hackbench" -T -g 1 -f 2 -l 3 -s 1000000
	run -0 "$bench/hackbench" -p -g 1 -f 2 -l 3 -s 1000001
}

@test "pipe-test: prints loops, time per operation and nanoseconds" {
	for args in "-n 2000" "2000" "-T -n 2000" "-c 0 2000" "-T -c 0 2000"; do
		run -0 "$bench/pipe-test" $args
		[ ${#lines[@]} -eq 3 ]
		matches "${lines[0]}" '2000 loops in [0-9]+\.[0-9]{6} s'
		matches "${lines[1]}" '[0-9]+\.[0-9]{6} usecs/op'
		matches "${lines[2]}" 'elapsed_ns:[1-9][0-9]*'
	done
}

@test "pipe-test: failures exit 1, bad options 64, -h 0" {
	run -1 "$bench/pipe-test" -c 1023 10
	[ "$output" = "pipe-test: binding to the CPU of -c: Invalid argument" ]
	for args in "-n 0" "-n" "x" "-c -1" "1 2" "-x"; do
		run -64 --separate-stderr "$bench/pipe-test" $args
		[ -z "$output" ]
		[[ $stderr == *"usage: pipe-test"* ]]
	done
	run -0 --separate-stderr "$bench/pipe-test" -h
	[[ $output == "usage: pipe-test"* ]]
}

@test "pipe-test: neither process outlives the other" {
	p=$(own_copy pipe-test)
	"$p" -n 1000000000 > "$dir/out" 3>&- &
	pid=$!
	within 20 processes_of "$p" 2
	kill -TERM $pid
	wait $pid || true
	within 20 nobody_runs "$p"
	"$p" -n 1000000000 > "$dir/out" 2> "$dir/err" 3>&- &
	pid=$!
	within 20 processes_of "$p" 2
	kill -KILL "$(pgrep -P $pid)"
	status=0
	wait $pid || status=$?
	[ $status -eq 1 ]
	grep -q '^pipe-test: ' "$dir/err"
	nobody_runs "$p"
}

# fidelity ROWS COUNTED [TIMED]: the table that tools/bench-fidelity makes of samples, less its head.
fidelity() {
	printf '%s\n' "$1" > "$dir/picked"
	printf '%s\n' "$2" > "$dir/icount"
	printf '%s\n' "${3:-}" > "$dir/host"
	awk -f "$root/tools/bench-fidelity.awk" "$dir/picked" "$dir/icount" "$dir/host" | tail -n +3
}

# pairs ROW OURS...: samples in which the original's are 100.
pairs() {
	local row=$1 i=0 x
	shift
	for x in "$@"; do
		i=$((i + 1))
		printf '%s\n' "$row|$i|ours|$x" "$row|$i|original|100"
	done
}

@test "bench-fidelity: medians of pairs, the interval by order statistics, a verdict" {
	run -0 fidelity 'a|p|both|all|1|x|y|' "$(pairs a 101 99 90 120 100 98 102 103 97)"
	[ "$output" = '| a | `x` | `y` | 1.000 [0.970, 1.030] | - | - | within 2 % |' ]
	run -0 fidelity 'a|p|both|all|1|x|y|' "$(pairs a 103 104)"
	[ "$output" = '| a | `x` | `y` | 1.035 | - | - | not explained |' ]
	run -0 fidelity 'a|p|both|all|1|x|y|' "$(pairs a 150 160 170 70 80 150)"
	[ "$output" = '| a | `x` | `y` | 1.500 [0.700, 1.700] | - | - | its interval holds 1 |' ]
	run -0 fidelity 'a|p|both|all|1|x|y|because' "$(pairs a 97)"
	[ "$output" = '| a | `x` | `y` | 0.970 | - | - | because |' ]
	run -0 fidelity 'a|p|both|all|1|x|y|' ""
	[ "$output" = '| a | `x` | `y` | - | - | - | not measured |' ]
}

@test "bench-fidelity: time decides only what is not counted, and not by a wide interval" {
	run -0 fidelity 'a|p|host|all|1|x|y|' "" "$(pairs a 150 160 170 70 80 150)"
	[ "$output" = '| a | `x` | `y` | - | - | 1.500 [0.700, 1.700] | time alone cannot tell it from 1 |' ]
	run -0 fidelity 'a|p|host|all|1|x|y|' "" "$(pairs a 150 160 170 140 180 150)"
	[ "$output" = '| a | `x` | `y` | - | - | 1.550 [1.400, 1.800] | not explained |' ]
	run -0 fidelity 'a|p|both|all|1|x|y|' "$(pairs a 101)" "$(pairs a 150 160 170 140 180 150)"
	[ "$output" = '| a | `x` | `y` | 1.010 | - | 1.550 [1.400, 1.800] | within 2 % |' ]
}

@test "bench-fidelity: a pair without one of its samples does not count, a per-loop row subtracts" {
	run -0 fidelity "$(printf '%s\n' 'a|p|both|all|1|x|y|' 'b|p|both|all|1|x|y|' 'c|less|both|||a|b|')" \
		"$(printf '%s\n' 'a|1|ours|30' 'a|1|original|50' 'a|2|ours|7' 'b|1|ours|10' 'b|1|original|30')"
	[ "${lines[0]}" = '| a | `x` | `y` | 0.600 | - | - | not explained |' ]
	[ "${lines[1]}" = '| b | `x` | `y` | 0.333 | - | - | not explained |' ]
	[ "${lines[2]}" = '| c | a, less: b | the same | 1.000 | - | - | within 2 % |' ]
}
