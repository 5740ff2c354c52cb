# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl jobs list, show, expand: with and without a configuration.

bats_require_minimum_version 1.5.0

setup() {
	dir=$(mktemp -d)
	mkdir "$dir/jobs"
	export LKP_STATE=$dir/state LKP_CACHE=$dir/cache HOME=$dir
	unset LKP_CONFIG XDG_CONFIG_HOME
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	LKP_BUILD=$(cd "${LKP_BUILD:-$root/build/plain}" && pwd)
	cd "$dir" || return 1
}

teardown() {
	rm -rf "$dir"
}

lkpctl() {
	"$LKP_BUILD/lkpctl" "$@"
}

@test "list: a row for each job, sorted" {
	cp "$root"/jobs/hackbench*.yaml "$root"/jobs/pwrite2.yaml jobs/
	run --separate-stderr lkpctl jobs list
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 4 ]
	[[ "${lines[0]}" =~ ^JOB\ +SUITE\ +CASES\ +SUMMARY$ ]]
	[[ "${lines[1]}" =~ ^hackbench\ +hackbench\ +1\ +a\ group ]]
	[[ "${lines[2]}" =~ ^hackbench-matrix\ +hackbench\ +4\  ]]
	[[ "${lines[3]}" =~ ^pwrite2\ +will-it-scale\ +1\  ]]
	run --separate-stderr lkpctl jobs list --json
	[ "$(jq -c '[.[] | [.job, .cases]]' <<<"$output")" = '[["hackbench",1],["hackbench-matrix",4],["pwrite2",1]]' ]
}

@test "list: a broken job is named and does not hide the others" {
	cp "$root"/jobs/pwrite2.yaml jobs/
	echo 'suite: [x]' >jobs/bad.yaml
	run --separate-stderr lkpctl jobs list
	[ "$status" -eq 1 ]
	[[ "$output" == *"pwrite2"* ]]
	[[ "$stderr" == *'jobs/bad.yaml:1:8: "suite" in job "bad": must be a string, found a list'* ]]
}

@test "expand: lists become their product, one case a line" {
	run --separate-stderr lkpctl jobs expand "$root/jobs/will-it-scale.yaml"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 24 ]
	[ "${lines[0]}" = "will-it-scale/pwrite1/process/1" ]
	[ "$(sort -u <<<"$output" | wc -l)" -eq 24 ]
	grep -qx "will-it-scale/pwrite2/thread/50%" <<<"$output"
}

@test "expand --json: case, suite, parameters" {
	run --separate-stderr lkpctl jobs expand "$root/jobs/pwrite2.yaml" --json
	[ "$status" -eq 0 ]
	[ "$(jq -c '.[] | keys' <<<"$output")" = '["case","parameters","suite"]' ]
	[ "$(jq -r '.[0].case' <<<"$output")" = "will-it-scale/pwrite2/thread/100%" ]
	[ "$(jq -c '.[0].parameters' <<<"$output")" = '{"test":"pwrite2","mode":"thread","tasks":"100%"}' ]
}

@test "expand: anchors and merge keys" {
	run --separate-stderr lkpctl jobs expand "$root/jobs/hackbench-matrix.yaml"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 4 ]
	grep -q socket <<<"$output"
}

@test "show: what the job does, its source, setup and key metric" {
	run --separate-stderr lkpctl jobs show "$root/jobs/pipe-test-pinned.yaml"
	[ "$status" -eq 0 ]
	[[ "$output" == *"benchmarks/pipe-test/"* ]]
	[[ "$output" == *"pipe-test.usecs_per_op"* ]]
	[[ "$output" == *"taskset: 0"* ]]
	[[ "$output" =~ pinned\ +0 ]]
	run --separate-stderr lkpctl jobs show "$root/jobs/pipe-test.yaml" --json
	[ "$(jq -r '.kpi + " " + .setup' <<<"$output")" = "pipe-test.usecs_per_op " ]
}

@test "a name comes from the configuration's folder of jobs" {
	mkdir elsewhere
	printf 'paths: { jobs: elsewhere }\n' >lkp.yaml
	printf 'suite: pipe-test\n' >elsewhere/mine.yaml
	run --separate-stderr lkpctl jobs expand mine
	[ "$status" -eq 0 ]
	[ "$output" = "$(lkpctl jobs expand elsewhere/mine.yaml)" ]
}

@test "wrong names: exit status, message, nearest" {
	cp "$root"/jobs/pwrite2.yaml jobs/
	run lkpctl jobs show pwrte2
	[ "$status" -eq 1 ]
	[[ "$output" == *'no job "pwrte2" in jobs; did you mean "pwrite2"?'* ]]
	run lkpctl jobs expand
	[ "$status" -eq 64 ]
	run lkpctl jobs explode
	[ "$status" -eq 64 ]
	[[ "$output" == *"usage: lkpctl jobs"* ]]
}

@test "a parameter that the suite does not have is an error with its place" {
	printf 'suite: pipe-test\nparameters:\n  lops: 5\n' >jobs/x.yaml
	run lkpctl jobs expand x
	[ "$status" -eq 1 ]
	[[ "$output" == *'jobs/x.yaml:3:3: '*'did you mean "loops"?'* ]]
}
