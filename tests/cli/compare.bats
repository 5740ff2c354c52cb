#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl compare on imported samples.

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
	B=bbbb000000000000000000000000000000000000
}

teardown() {
	rm -rf "$dir"
}

# blocks N BASE HEAD [MORE]: imports N blocks with these values (jq, from $i) of pipe-test's KPI.
blocks() {
	jq -n --arg a $A --arg b $B --argjson n "$1" --argjson more "${4:-{\}}" '
		def run($commit; $i; $value): {$commit, machine: "m", case: "pipe-test/1", boot: "\($i)", block: $i,
			metrics: {"pipe-test.usecs_per_op": [$value]}} + $more;
		{format: "lkp-samples/1", commits: [{id: $a, subject: "base"}, {id: $b, subject: "head"}],
		 runs: [range(1; $n + 1) as $i | run($a; $i; '"$2"'), run($b; $i; '"$3"')]}' > f.json
	"$lkpctl" -q --db x.db import f.json
}

@test "the table of the source report, to the character, with exit status 2" {
	"$lkpctl" --db x.db import "$fixtures/samples-pwrite2.json"
	run -2 "$lkpctl" --db x.db compare f4f5df6f142f d5a085970b0b --format lkp
	{
		cat "$fixtures/table-pwrite2.expected"
		printf '\nLegend:\n\t~XX%%    - stddev percent\n\t[+-]XX%% - change percent\n'
	} > want
	diff want - <<< "$output"
}

@test "--json has the keys that stay" {
	"$lkpctl" --db x.db import "$fixtures/samples-pwrite2.json"
	run -2 "$lkpctl" --db x.db --json compare f4f5df6f142f d5a085970b0b
	jq -e '.base.id[:4] == "f4f5" and .head.id[:4] == "d5a0" and .verdict == "regression"' <<< "$output"
	jq -e '.tests[0] | .case == "will-it-scale/pwrite2" and .machine == "nhm4" and .kpi and .paired and
		.metric == "will-it-scale.per_thread_ops" and .direction == "higher" and .verdict == "regression" and
		.base.n == 5 and .base.mean == 773859 and .head.mean == 702704 and .blocks == 5 and
		.change_pct < -9.19 and .change_pct > -9.2 and .e_value > 1000 and
		.interval_pct[0] < .change_pct and .change_pct < .interval_pct[1] and .base.stddev_pct < 0.2' <<< "$output"
}

@test "several tests have a row each and a geometric mean" {
	"$lkpctl" --db x.db import "$fixtures/samples-tput.json"
	run -3 --separate-stderr "$lkpctl" --db x.db compare 1111 2222
	[[ $output == *"    101903 ~ 0%     -23.8%      77651 ~ 0%  48way/specjbb/multi-jvm/1"* ]]
	[[ $output == *"    371743 ~ 0%     -19.0%     301029 ~ 0%  TOTAL specjbb.TPut"* ]]
	[[ $stderr == *"inconclusive: 48way/specjbb/multi-jvm/1 "*"1 and 1 boots"* ]]
}

@test "clean and improved are 0" {
	blocks 5 '2 + $i * 0.001' '2 + $i * 0.0011'
	run -0 "$lkpctl" --db x.db compare aaaa bbbb --json
	[ "$(jq -r .verdict <<< "$output")" = clean ]
	rm x.db*
	blocks 5 '2 + $i * 0.001' '1.5 + $i * 0.001'
	run -0 "$lkpctl" --db x.db compare aaaa bbbb --json
	[ "$(jq -r .verdict <<< "$output")" = improvement ]
}

@test "inconclusive is 3, and says why on stderr" {
	blocks 2 '2 + $i * 0.001' '3'
	run -3 --separate-stderr "$lkpctl" --db x.db compare aaaa bbbb
	[[ $stderr == *"too few blocks: 2"* ]]
	run -3 --separate-stderr "$lkpctl" -q --db x.db compare aaaa bbbb
	[ -z "$stderr" ]
}

@test "failures are a block of their own" {
	blocks 5 '2 + $i * 0.001' '2 + $i * 0.001'
	jq -n --arg b $B '{format: "lkp-samples/1", commits: [], runs: [range(7) as $i |
		{commit: $b, machine: "m", case: "pipe-test/1", boot: "p\($i)", status: "panic"}]}' > f.json
	"$lkpctl" --db x.db import f.json
	run -2 "$lkpctl" --db x.db compare aaaa bbbb
	[[ $output == *"fail:runs  %reproduction    fail:runs"* ]]
	[[ $output == *"           :5           58%           7:12    m/boot panic"* ]]
}

@test "sides may name kconfig and machine" {
	blocks 5 '2 + $i * 0.001' '2 + $i * 0.001' '{"kconfig": "k1"}'
	run -0 "$lkpctl" --db x.db compare aaaa@k1 bbbb@k1,machine=m
	run -0 "$lkpctl" --db x.db compare aaaa,machine=m bbbb
	run -1 "$lkpctl" --db x.db compare aaaa@k1 bbbb@k2
	[[ $output == *"only commits can differ as yet"* ]]
	run -1 "$lkpctl" --db x.db compare aaaa@k2 bbbb
	[[ $output == *"no test in common"* ]]
	run -64 "$lkpctl" --db x.db compare aaaa,cmdline=x bbbb
	[[ $output == *"machine=M"* ]]
}

@test "commits that are not there, fit two, or are the same" {
	blocks 5 2 2
	run -1 "$lkpctl" --db x.db compare aaaa cccc
	[[ $output == *"no commit cccc"* ]]
	sed "s/bbbb000/bbbb001/; s/bbbb000/bbbb001/g" f.json > g.json
	"$lkpctl" --db x.db import g.json
	run -1 "$lkpctl" --db x.db compare aaaa bbbb
	[[ $output == *bbbb000*bbbb001* ]]
	run -1 "$lkpctl" --db x.db compare aaaa aaaa0
	[[ $output == *"same commit"* ]]
	run -64 "$lkpctl" --db x.db compare aaaa
	run -64 "$lkpctl" --db x.db compare aaaa bbbb --format picture
	[[ $output == *"lkp, json"* ]]
}

@test "a commit by its name in a configured tree" {
	git init -q -b main tree
	git -C tree -c user.name=N -c user.email=n@example.org commit -q --allow-empty -m one
	git -C tree -c user.name=N -c user.email=n@example.org commit -q --allow-empty -m two
	A=$(git -C tree rev-parse main~1)
	B=$(git -C tree rev-parse main)
	blocks 5 '2 + $i * 0.001' '3 + $i * 0.001'
	cp -r "$root/lkp.yaml" "$root/jobs" "$root/kconfig" .
	sed -i "s|^\( *\)url:.*|\1url: $dir/tree|" lkp.yaml
	run -2 "$lkpctl" --db x.db compare main~1 main
	run -1 "$lkpctl" --db x.db compare main~1 no-such-branch
	[[ $output == *no-such-branch* ]]
}
