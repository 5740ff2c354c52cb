# SPDX-License-Identifier: GPL-2.0-or-later
# What -h prints, what the tables in the source say and what the manual pages say are the same.

bats_require_minimum_version 1.5.0

setup() {
	dir=$(mktemp -d)
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	LKP_BUILD=$(cd "${LKP_BUILD:-$root/build/plain}" && pwd)
	export LKP_STATE=$dir/state LKP_CACHE=$dir/cache HOME=$dir
	unset LKP_CONFIG XDG_CONFIG_HOME
	cd "$dir" || return 1
}

teardown() {
	rm -rf "$dir"
}

lkpctl() {
	"$LKP_BUILD/lkpctl" "$@"
}

need_mandoc() {
	command -v mandoc >/dev/null || skip "mandoc is not installed"
}

# A page as plain text; so wide that no line is broken.
page() {
	mandoc -T ascii -O width=1000 "$root/man/$1" | sed 's/.\x08//g'
}

# section PAGE "A HEADING" ["a subheading"]: the lines below it, to the next of its kind.
section() {
	page "$1" | awk -v head="$2" -v sub_="${3-}" '
		/^[^ ]/ { in_head = $0 == head; in_sub = 0; next }
		/^   [^ ]/ && in_head && sub_ != "" { in_sub = substr($0, 4) == sub_; next }
		in_head && (sub_ == "" || in_sub)'
}

# The entries of a list of that text: lines indented by five; what is explained may follow a short one.
tags() {
	sed -n 's/^     \([^ ].*\)/\1/p' | sed 's/  .*//'
}

verbs() {
	lkpctl -h | sed -n 's/^  \([a-z]*\)  .*/\1/p'
}

# "jobs list", ...: a group's own verbs with their arguments.
subverbs() {
	lkpctl "$1" -h | sed -n 's/^  lkpctl //p'
}

# options VERB...: "-t, --tree TREE", one a line. A first line "global" asks for the global ones.
options() {
	local from='^options:'
	[ "$1" != global ] || { from='^global options:'; shift; }
	lkpctl "$@" -h | sed -n "/$from/,/^\$/s/^  *\(-.*[^ ]\)   *[^- ].*/\1/p"
}

# keys ARRAY: a line "name|type|default" for each row of that array in sections.c.
keys() {
	awk -v array="$1" '
		$0 == "static const struct key " array "[] = {" { inside = 1; next }
		/^};/ { inside = 0 }
		!inside { next }
		/^\t\{"/ { row = "" }
		{ row = row $0 }
		/\},$/ && split(row, word, "\"") > 2 {
			type = row
			sub(/.*KEY_/, "", type)
			sub(/,.*/, "", type)
			def = ""
			if (match(row, /\.def = "[^"]*"/))
				def = substr(row, RSTART + 8, RLENGTH - 9)
			if (row ~ /\.required = true/)
				def = "required"
			print word[2] "|" type "|" def
			row = ""
		}' "$root/harness/config/sections.c"
}

type_name() {
	case $1 in
	TEXT) echo string ;;
	PATH) echo path ;;
	INT) echo "whole number" ;;
	BOOL) echo "true or false" ;;
	SWITCH) echo "on or off" ;;
	DURATION) echo duration ;;
	SIZE) echo size ;;
	RATIO) echo ratio ;;
	TEXTS) echo "list of strings" ;;
	PATHS) echo "list of paths" ;;
	SECTION) echo mapping ;;
	*) echo "no such type: $1" ;;
	esac
}

# check_keys ARRAY FILE: the entries of a section of a page (FILE) are the array's rows: all of them,
# no others, with their types and defaults.
check_keys() {
	keys "$1" >rows
	[ -s rows ] || { echo "no rows: $1"; return 1; }
	tags <"$2" >entries
	while IFS='|' read -r name type def; do
		entry=$(grep -E "^$name \(" entries) || { echo "$1: $name is not in the manual"; return 1; }
		[[ "$entry" == "$name ($(type_name "$type")"* ]] || { echo "type: $entry"; return 1; }
		case $def in
		"") ;;
		required) [[ "$entry" == *"; required)" ]] || { echo "required: $entry"; return 1; } ;;
		*) [[ "$entry" == *"; default $def)" ]] || { echo "default $def: $entry"; return 1; } ;;
		esac
	done <rows
	sed -n 's/^\([a-z_]*\) (.*)$/\1/p' entries | sort >in_manual
	cut -d'|' -f1 rows | sort | diff - in_manual
}

@test "every verb's -h exits 0 and starts with its usage" {
	[ "$(verbs | wc -l)" -ge 12 ]
	for verb in $(verbs); do
		run --separate-stderr lkpctl "$verb" -h
		[ "$status" -eq 0 ]
		[[ "${lines[0]}" == "usage: lkpctl $verb"* ]]
		[ -z "$stderr" ]
		run --separate-stderr lkpctl "$verb" --help
		[ "$status" -eq 0 ]
	done
	for group in jobs mail db; do
		[ "$(subverbs $group | wc -l)" -ge 2 ]
		subverbs $group | cut -d' ' -f1-2 >subs
		while read -r verb sub; do
			run --separate-stderr lkpctl "$verb" "$sub" -h </dev/null
			[ "$status" -eq 0 ]
			[[ "${lines[0]}" == "usage: lkpctl $verb $sub"* ]]
		done <subs
	done
}

@test "lkpctl alone prints the verbs and is a usage error" {
	run lkpctl -h
	[ "$status" -eq 0 ]
	help=$output
	run lkpctl
	[ "$status" -eq 64 ]
	[ "$output" = "$help" ]
}

@test "an unknown verb or option: exit status 64 and the nearest name" {
	run lkpctl comprae
	[ "$status" -eq 64 ]
	[[ "$output" == *'no such verb: comprae; did you mean "compare"?'* ]]
	run lkpctl jobs lst
	[ "$status" -eq 64 ]
	[[ "$output" == *'did you mean "list"?'* ]]
	for verb in $(verbs); do
		case $verb in jobs|mail|db) continue ;; esac
		run lkpctl "$verb" --josn
		[ "$status" -eq 64 ]
		[[ "$output" == *"lkpctl $verb: unknown option --josn; did you mean --json?"* ]]
	done
	run lkpctl run pwrite2 --agianst x
	[ "$status" -eq 64 ]
	[[ "$output" == *"did you mean --against?"* ]]
	run lkpctl run pwrite2 -Z
	[ "$status" -eq 64 ]
	[[ "$output" == *"unknown option -Z"* ]]
}

@test "manual: the verbs are those that exist" {
	need_mandoc
	page lkpctl.1 | awk '/^[^ ]/ { v = $0 == "VERBS" } v && /^   [^ ]/ { print $1 }' | sort >in_manual
	verbs | sort | diff - in_manual
}

@test "manual: usage and options of each verb are what -h prints" {
	need_mandoc
	for verb in $(verbs); do
		section lkpctl.1 VERBS "$verb" >text
		[ -s text ]
		subverbs "$verb" | sed 's/^/lkpctl /' >usages
		[ -s usages ] || lkpctl "$verb" -h | sed -n '1s/^usage: //p' >usages
		while read -r usage; do
			grep -qxF "           $usage" text || { echo "usage is not in the manual: $usage"; false; }
		done <usages
		options "$verb" | sort >printed
		tags <text | grep '^-' | sort >in_manual || true
		diff printed in_manual || { echo "options of $verb"; false; }
	done
}

@test "manual: the global options are what -h prints" {
	need_mandoc
	options global check | sort >printed
	[ "$(wc -l <printed)" -eq 6 ]
	section lkpctl.1 DESCRIPTION | tags | grep '^-' | sort | diff printed -
	# Not only the test: a verb's own options are not taken for global ones.
	[ "$(options build)" = "$(printf '%s\n' '-t, --tree TREE' '--git DIR' '-k, --kconfig KCONFIG')" ]
}

@test "manual: exit statuses are those of the source" {
	need_mandoc
	sed -n 's/^\tEXIT_[A-Z]* = \([0-9]*\),.*/\1/p' "$root/harness/cli/cli.h" | sort -n >statuses
	[ "$(wc -l <statuses)" -eq 6 ]
	section lkpctl.1 "EXIT STATUS" | sed -n 's/^     \([0-9][0-9]*\) .*/\1/p' | sort -n | diff statuses -
}

@test "manual: lkp.yaml's keys, types and defaults are the source's" {
	need_mandoc
	sed -n '/ top_keys\[\]/,/^};/s/^\t{"\([a-z]*\)", KEY_SECTION, .section = "\([a-z]*\)".*/\1 \2/p' \
		"$root/harness/config/sections.c" >sections
	[ "$(wc -l <sections)" -ge 7 ]
	while read -r key name; do
		section lkp.yaml.5 SECTIONS "$key" >text
		check_keys "${name}_keys" text || { echo "in section $key"; false; }
	done <sections
	page lkp.yaml.5 | awk '/^[^ ]/ { v = $0 == "SECTIONS" } v && /^   [^ ]/ { print $1 }' | sort >in_manual
	cut -d' ' -f1 sections | sort | diff - in_manual
}

@test "manual: a job's keys, types and defaults are the source's" {
	need_mandoc
	for name in job needs setup; do
		section lkp-job.5 KEYS $name >text
		check_keys ${name}_keys text || { echo "in section $name"; false; }
	done
}

@test "manual: a suite's parameters are those it has" {
	need_mandoc
	suites=$(sed -n 's/^suite: *\([a-z-]*\).*/\1/p' "$root"/jobs/*.yaml | sort -u)
	[ "$(wc -w <<<"$suites")" -ge 3 ]
	for suite in $suites; do
		job=$(grep -lE "^suite: *$suite\b" "$root"/jobs/*.yaml | head -n 1)
		lkpctl jobs show "$job" --json | jq -r '.cases[0].parameters | keys[]' | sort >known
		section lkp-job.5 SUITES "$suite" | tags | sed -n 's/ (.*//p' | sort | diff known - || { echo "$suite"; false; }
		# The values that a parameter may have, from the message on one that it may not.
		while read -r param; do
			needed=
			[ "$param" = test ] || ! grep -qx test known || needed='test: pwrite1, '
			printf 'suite: %s\nparameters: { %s%s: no such }\n' "$suite" "$needed" "$param" >bad.yaml
			run lkpctl jobs expand ./bad.yaml
			[ "$status" -eq 1 ]
			[[ "$output" == *"no such"* ]]
			[[ "$output" =~ is\ none\ of\ ([a-z0-9_, ]+) ]] || continue
			for value in ${BASH_REMATCH[1]//,/ }; do
				section lkp-job.5 SUITES "$suite" | grep -qE "\`$value'" || { echo "$suite: $value"; false; }
			done
		done <known
	done
}

@test "manual: every environment variable that is read is there" {
	need_mandoc
	section lkpctl.1 ENVIRONMENT | tags >text
	grep -rhoE 'getenv\("[A-Z_]+"|"(LKP|XDG)_[A-Z_]+"' "$root/harness" --include='*.c' |
		sed 's/.*("//; s/"//g' | sort -u >variables
	[ "$(wc -l <variables)" -ge 6 ]
	while read -r name; do
		grep -qw "$name" text || { echo "$name is not in the manual"; false; }
	done <variables
}

@test "manual: the jobs that it shows can be expanded, its configuration can be read" {
	literal() { # PAGE N: the N-th literal block of EXAMPLES
		awk -v n="$2" '/^\.Sh/ { e = /EXAMPLES/ } !e { next } /^\.Ed/ { in_ = 0 } in_ { print }
			/^\.Bd/ { in_ = ++k == n }' "$root/man/$1"
	}
	literal lkp-job.5 1 >one.yaml
	literal lkp-job.5 2 >two.yaml
	[ "$(lkpctl jobs expand ./one.yaml | wc -l)" -eq 4 ]
	[ "$(lkpctl jobs expand ./two.yaml)" = "pipe-test/process+governor=performance+turbo=off+taskset=0" ]
	literal lkp.yaml.5 1 >lkp.yaml
	cp -r "$root/jobs" .
	echo 'CONFIG_SHMEM=y' >small.config
	run lkpctl check
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "manual: mandoc finds no fault" {
	need_mandoc
	[ "$(find "$root/man" -name '*.[0-9]' | wc -l)" -ge 4 ]
	for file in "$root"/man/*.[0-9]; do
		run mandoc -T lint -W warning "$file"
		echo "$output"
		[ -z "$output" ]
		[ "$status" -eq 0 ]
	done
}
