#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl import: samples from elsewhere into a database of one's own.

bats_require_minimum_version 1.5.0

setup() {
	root=$BATS_TEST_DIRNAME/../..
	lkpctl=${LKP_BUILD:-$root/build/plain}/lkpctl
	fixtures=$BATS_TEST_DIRNAME/../fixtures
	dir=$(mktemp -d)
	cd "$dir" || exit 1
	export XDG_CONFIG_HOME=$dir
	unset LKP_CONFIG
	A=aaaa000000000000000000000000000000000000
}

teardown() {
	rm -rf "$dir"
}

# run_of MORE: a file with one run that has these members, too.
run_of() {
	printf '{"format": "lkp-samples/1", "commits": [{"id": "%s"}], "runs": [{"commit": "%s",
		"machine": "m", "case": "c", "boot": "b", %s}]}' $A $A "$1" > f.json
}

refused() { # WORDS...: the import of f.json fails, saying them, and leaves nothing
	run -1 --separate-stderr "$lkpctl" --db x.db import f.json
	[ -z "$output" ]
	for word in "$@"; do
		[[ $stderr == *"$word"* ]] || { echo "$stderr"; return 1; }
	done
	run -0 "$lkpctl" --db x.db export
	[[ $output == *'"runs": []'* ]]
}

@test "the database is made on first use" {
	run -0 --separate-stderr "$lkpctl" --db x.db import "$fixtures/samples-pwrite2.json"
	[ -z "$output" ]
	[[ $stderr == *"2 commits, 10 runs, 10 of them new, with 10 samples"* ]]
	[ -s x.db ]
}

@test "the same file again changes nothing" {
	"$lkpctl" -q --db x.db import "$fixtures/samples-pwrite2.json"
	"$lkpctl" --db x.db export > first.json
	run -0 "$lkpctl" --db x.db import "$fixtures/samples-pwrite2.json"
	[[ $output == *"0 of them new"* ]]
	"$lkpctl" --db x.db export | cmp - first.json
}

@test "--json says what was taken" {
	run -0 --separate-stderr "$lkpctl" --db x.db import --json "$fixtures/samples-pwrite2.json" \
		"$fixtures/samples-tput.json"
	[ "$(jq -c 'map([.commits, .runs, .new_runs, .samples])' <<< "$output")" = "[[2,10,10,10],[2,20,20,20]]" ]
}

@test "faults are refused with their JSON path" {
	run_of '"metrics": {"x": [1, NaN]}'
	refused f.json: '$.runs[0].metrics["x"][1]'
	run_of '"metrics": {"x": [Infinity]}'
	refused '$.runs[0].metrics["x"][0]'
	run_of '"metrics": {"will-it-scale.per_thread_ops": [-1]}'
	refused '$.runs[0].metrics["will-it-scale.per_thread_ops"][0]' "cannot be negative"
	run_of '"metrics": {"perf-stat.some-event": [-1]}'
	refused '$.runs[0].metrics["perf-stat.some-event"][0]'
	run_of '"metrics": {}, "machin": 1'
	refused '$.runs[0]: unknown key "machin"' 'did you mean "machine"'
	run_of '"metrics": {}, "status": "fine"'
	refused '$.runs[0].status' "bench-failed"
	sed "s/\"commit\": \"$A\"/\"commit\": \"${A/aaaa/bbbb}\"/" f.json > g.json && mv g.json f.json
	run_of '"metrics": {}'
	sed -i "s/\"commit\": \"$A\"/\"commit\": \"${A/aaaa/bbbb}\"/" f.json
	refused '$.runs[0].commit' "no commit bbbb"
	run_of '"metrics": {}'
	sed -i 's/"id": "aaaa/"id": "aa/' f.json
	refused '$.commits[0].id' "40 digits"
}

@test "a metric that nobody knows is accepted, and may be negative" {
	run_of '"metrics": {"room.temperature": [-3.5]}'
	run -0 "$lkpctl" --db x.db import f.json
	"$lkpctl" --db x.db export | jq -e '.runs[0].metrics["room.temperature"] == [-3.5]'
}

@test "a different run under the same boot id" {
	run_of '"metrics": {"x": [1]}'
	"$lkpctl" -q --db x.db import f.json
	run_of '"metrics": {"x": [2]}'
	run -1 "$lkpctl" --db x.db import f.json
	[[ $output == *'$.runs[0]: boot "b" has another run of "c"'* ]]
}

@test "a file that is no file, none, or no JSON" {
	run -1 "$lkpctl" --db x.db import missing.json
	[[ $output == *missing.json* ]]
	echo hello > f.json
	run -1 "$lkpctl" --db x.db import f.json
	[[ $output == *"f.json:1:"* ]]
	run -64 "$lkpctl" --db x.db import
}

@test "a database that is none is left alone" {
	echo "not a database, but text that is long enough to be taken for one" > x.db
	run -1 "$lkpctl" --db x.db import "$fixtures/samples-pwrite2.json"
	[[ $output == *"x.db"*"no SQLite database"* ]]
	grep -q "not a database" x.db
}

@test "two imports at once both come through" {
	"$lkpctl" -q --db x.db import "$fixtures/samples-pwrite2.json" &
	one=$!
	"$lkpctl" -q --db x.db import "$fixtures/samples-tput.json" &
	two=$!
	wait $one
	wait $two
	[ "$("$lkpctl" --db x.db export | jq '.runs | length')" = 30 ]
}
