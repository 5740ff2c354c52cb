#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl export: what comes out can be imported elsewhere and compares the same.

bats_require_minimum_version 1.5.0

setup() {
	root=$BATS_TEST_DIRNAME/../..
	lkpctl=${LKP_BUILD:-$root/build/plain}/lkpctl
	fixtures=$BATS_TEST_DIRNAME/../fixtures
	dir=$(mktemp -d)
	cd "$dir" || exit 1
	export XDG_CONFIG_HOME=$dir
	unset LKP_CONFIG
	"$lkpctl" -q --db x.db import "$fixtures/samples-pwrite2.json" "$fixtures/samples-tput.json"
}

teardown() {
	rm -rf "$dir"
}

@test "an import of an export compares equal" {
	"$lkpctl" --db x.db export > all.json
	"$lkpctl" -q --db y.db import all.json
	"$lkpctl" --db y.db export | cmp - all.json
	run -2 "$lkpctl" --db x.db compare --json f4f5df6f142f d5a085970b0b
	first=$output
	run -2 "$lkpctl" --db y.db compare --json f4f5df6f142f d5a085970b0b
	[ "$output" = "$first" ]
}

@test "no value is lost on the way" {
	want=$(jq -c '[.runs[] | [.commit, .boot, .block, .metrics]] | sort' "$fixtures/samples-pwrite2.json")
	have=$("$lkpctl" --db x.db export --case 'will-it-scale/*' |
		jq -c '[.runs[] | [.commit, .boot, .block, .metrics]] | sort')
	[ "$want" = "$have" ]
}

@test "commits and filters" {
	[ "$("$lkpctl" --db x.db export f4f5 | jq -c '[(.commits | length), (.runs | length)]')" = "[1,5]" ]
	[ "$("$lkpctl" --db x.db export f4f5 1111 | jq -c '[(.commits | length), (.runs | length)]')" = "[2,15]" ]
	[ "$("$lkpctl" --db x.db export --machine 48way | jq '.runs | length')" = 20 ]
	[ "$("$lkpctl" --db x.db export --case '*/1' | jq '.runs | length')" = 2 ]
	[ "$("$lkpctl" --db x.db export --metric 'no*' | jq '[.runs[].metrics | length] | add')" = 0 ]
}

@test "an unknown commit or format" {
	run -1 "$lkpctl" --db x.db export beef
	[[ $output == *beef* ]]
	run -1 "$lkpctl" --db x.db export --format xml
	[[ $output == *samples* ]]
}

@test "a full disk is an error" {
	[ -w /dev/full ] || skip "no /dev/full"
	run -1 bash -c "'$lkpctl' --db x.db export > /dev/full"
}
