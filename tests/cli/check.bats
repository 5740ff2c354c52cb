# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl check: every fault with its place, or one line.

bats_require_minimum_version 1.5.0

setup() {
	dir=$(mktemp -d)
	mkdir "$dir/jobs"
	export LKP_STATE=$dir/state LKP_CACHE=$dir/cache
	unset LKP_CONFIG
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

@test "the configuration of this repository is fine" {
	run --separate-stderr lkpctl -c "$root/lkp.yaml" check
	[ "$status" -eq 0 ]
	[[ "$output" == *"lkp.yaml: 1 tree, 2 kconfigs, 3 machines, 6 jobs (32 cases): fine" ]]
}

@test "lkp.yaml shows every key there is" {
	sed -n '/_keys\[\] = {/,/^};/p' "$root/harness/config/sections.c" | awk '
		/job_keys|needs_keys|setup_keys/ { skip = 1 }
		/^static const struct key/ && !/job_keys|needs_keys|setup_keys/ { skip = 0 }
		!skip && match($0, /^\t\{"[a-z_]+"/) { print substr($0, 4, RLENGTH - 4) }' >keys
	[ "$(wc -l <keys)" -gt 40 ]
	while read -r key; do
		grep -qE "^[ #]*$key:.*" "$root/lkp.yaml" || { echo "not in lkp.yaml: $key"; false; }
	done <keys
}

@test "all faults are printed, in the order of the file, and nothing else" {
	cat >lkp.yaml <<-'END'
	trees:
	  demo:
	    url: no
	    brnches: [ main ]
	    jobs: [ pwrite ]
	machines:
	  box: { accel: icont, cpus: many }
	END
	echo 'suite: will-it-scale' >jobs/pwrite2.yaml
	run --separate-stderr lkpctl check
	[ "$status" -eq 1 ]
	[ "$output" = "" ]
	[ "${#stderr_lines[@]}" -eq 6 ]
	[[ "${stderr_lines[0]}" == 'lkp.yaml:2:3: tree "demo" has no "branches":'* ]]
	[[ "${stderr_lines[1]}" == 'lkp.yaml:3:10: "url" in tree "demo": must be a string, found the boolean no:'* ]]
	[[ "${stderr_lines[2]}" == 'lkp.yaml:4:5: unknown key "brnches" in tree "demo"; did you mean "branches"?'* ]]
	[[ "${stderr_lines[3]}" == 'lkp.yaml:5:13: no job "pwrite" in '*'did you mean "pwrite2"?'* ]]
	[[ "${stderr_lines[4]}" == 'lkp.yaml:7:17: "accel" in machine "box": "icont" is not one of'* ]]
	[[ "${stderr_lines[5]}" == 'lkp.yaml:7:30: "cpus" in machine "box": must be a whole number'* ]]
}

@test "a tab and a duplicate key are named with their place" {
	printf 'machines:\n\tbox: {}\n' >lkp.yaml
	run lkpctl check
	[ "$status" -eq 1 ]
	[ "$output" = "lkp.yaml:2:1: a tab in the indentation: YAML takes only blanks here" ]
	printf 'build:\n  jobs: 1\n  jobs: 2\n' >lkp.yaml
	run lkpctl check
	[ "$status" -eq 1 ]
	[ "$output" = 'lkp.yaml:3:3: duplicate key "jobs", first at line 2' ]
}

@test "a driver that does not exist" {
	echo 'machines: { box: { driver: qemuu } }' >lkp.yaml
	run lkpctl check
	[ "$status" -eq 1 ]
	[[ "$output" == 'lkp.yaml:1:13: machine "box": no driver "qemuu"; did you mean "qemu"? drivers: qemu,'* ]]
}

@test "faults in job files are found too, and the good ones still count" {
	echo 'machines: { here: { driver: local } }' >lkp.yaml
	printf 'suite: pipe-test\n' >jobs/good.yaml
	printf 'suite: pipe-tset\n' >jobs/suite.yaml
	printf 'suite: pipe-test\nparameters: { lops: 5 }\n' >jobs/parameter.yaml
	printf 'suite: pipe-test\nitrations: 5\n' >jobs/key.yaml
	run --separate-stderr lkpctl check --json
	[ "$status" -eq 1 ]
	[ "$(jq -r .jobs <<<"$output")" = 3 ]
	[ "$(jq -r .cases <<<"$output")" = 1 ]
	[ "$(jq -r '.faults | length' <<<"$output")" = 3 ]
	jq -e '.faults[] | select(endswith("known keys: summary, suite, parameters, iterations, timeout, monitors, needs, setup, theta, min_effect"))' <<<"$output"
	jq -e '.faults[] | select(contains("jobs/suite.yaml:1:8: ") and contains("did you mean \"pipe-test\""))' <<<"$output"
	jq -e '.faults[] | select(contains("jobs/parameter.yaml:2:15: ") and contains("did you mean \"loops\""))' <<<"$output"
}

@test "no configuration at all: the places that were looked at" {
	HOME=$dir XDG_CONFIG_HOME='' run lkpctl check
	[ "$status" -eq 1 ]
	[[ "$output" == *"no configuration: looked for lkp.yaml, "*".config/lkp/lkp.yaml, /etc/lkp/lkp.yaml; name one by -c FILE or LKP_CONFIG" ]]
	run lkpctl -c nowhere.yaml check
	[ "$status" -eq 1 ]
	[[ "$output" == *"no configuration nowhere.yaml" ]]
}

@test "billion laughs are refused at once" {
	{
		echo 'x-a0: &a0 [x, x, x, x, x, x, x, x, x]'
		for i in 1 2 3 4 5 6 7 8 9; do
			p=$((i - 1))
			echo "x-a$i: &a$i [*a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p]"
		done
	} >lkp.yaml
	run timeout 10 "$LKP_BUILD/lkpctl" check
	[ "$status" -eq 1 ]
	[[ "$output" == "lkp.yaml:"*"more than 100000 values"* ]]
}

@test "a tree that nothing can be run for, or that nobody gets a mail about" {
	printf 'trees:\n  a:\n    url: https://git.example.org/linux\n    branches: [ main ]\n    report_to: [ a@example.org ]\n' > lkp.yaml
	run lkpctl check
	[ "$status" -eq 1 ]
	[[ $output == *'lkp.yaml:2:3: tree "a": "url" must be a path or file://path'* ]]
	[[ $output == *'lkp.yaml:2:3: tree "a": it has no kconfig to build or no machine to run on'* ]]
	[[ $output == *'does not cover a@example.org'* ]]
	sed -i 's#https://git.example.org#/nowhere#' lkp.yaml
	run lkpctl check
	[[ $output == *'there is no repository at /nowhere/linux'* ]]
}
