#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# One whole `lkpctl run --against`, build to mail, in which the n-th write, flush, rename, fork or allocation fails: it
# says so or does without; nothing is half, and the same command run again ends as if nothing had been.
# The n are all up to 30, then every one more by a ninth, up to the last call; INJECT_ALL=1 tries each.

bats_require_minimum_version 1.5.0
load toy

setup_file() {
	toy_open
	export BASE SLOW
	BASE=$(toy_git rev-parse HEAD)
	toy_source 2
	SLOW=$(toy_commit "mm: look twice" "Sam Slow" sam@example.org)
	export inject=$TOY/inject.so
	gcc -D_GNU_SOURCE -std=c11 -O1 -Wall -Wextra -shared -fPIC -o "$inject" "$root/tests/inject/inject.c"
}

teardown_file() {
	toy_close
}

setup() {
	toy_setup
	command -v perf >/dev/null || skip "perf is not installed"
	[ -x "$root/build/lkp-agent" ] || skip "no agent is built: run make"
	# A sanitizer brings an allocator of its own and wants to be the first library: the plain build it is.
	lkpctl=$root/build/plain/lkpctl
	# The toolbox is the cache's big part, made once; what fails is what a run does behind it.
	if [ ! -d "$TOY/ready" ]; then
		toy_config
		"$lkpctl" run pwrite2 -q -b "$BASE" >/dev/null
		mkdir "$TOY/ready"
		mv "$LKP_CACHE/toolbox" "$TOY/ready/toolbox"
		# The image of SLOW, on which driver fake answers with a slower result.
		image_of "$SLOW" >"$TOY/ready/image"
	fi
	toy_config "image:$(cat "$TOY/ready/image")=0.95"
	fresh
}

teardown() {
	toy_teardown
}

fresh() {
	rm -rf "$LKP_STATE" "$LKP_CACHE"
	mkdir -p "$LKP_CACHE"
	chmod 755 "$LKP_CACHE"
	cp -al "$TOY/ready/toolbox" "$LKP_CACHE/"
}

# job [INJECT]: the whole job; sets $status.
job() {
	status=0
	LD_PRELOAD=${1:+$inject} INJECT=$1 INJECT_COUNT=$dir/count "$lkpctl" run pwrite2 -q -b "$SLOW" --against "$BASE" \
		>"$dir/out" 2>&1 3>&- || status=$?
}

problem() {
	echo "INJECT=$what: status $status: $1"
	cat "$dir/out"
	return 1
}

ours_left() {
	find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' -lname "$dir/*" 2>/dev/null
}

# After a failed run: nothing runs, the database is whole, no mail without its row, and no two.
check_after_failure() {
	[ -z "$(ours_left)" ] || problem "processes are left: $(ours_left)"
	[ "$(mails | wc -l)" -le 1 ] || problem "more than one mail"
	[ ! -s "$LKP_STATE/lkp.db" ] || [ "$(db 'pragma integrity_check')" = ok ] || problem "the database is damaged"
}

# After the run that nothing hinders.
check_complete() {
	[ "$status" -eq 2 ] || problem "the run after it does not end as it should"
	[ "$(mails | wc -l) $(db "select (select count(*) from reports) || ' ' || (select count(*) from mails where state = 'sent')")" = "1 1 1" ] ||
		problem "reports and mails are not one each"
	[ "$(db "select folder from boots order by folder")" = "$(find "$LKP_STATE"/results/*/* -maxdepth 0 -type d | sort)" ] ||
		problem "folders and rows differ"
	[ "$(db "select count(*) from boots b where status = 'ok' and not exists (select 1 from runs r join samples s on s.run_id = r.id where r.boot_id = b.id)")" = 0 ] ||
		problem "a boot has no samples"
	"$lkpctl" db check -q >"$dir/checked" 2>&1 || problem "db check: $(cat "$dir/checked")"
	[ -z "$(find "$LKP_STATE" "$LKP_CACHE" -name '*.part' -o -name '*.tmp')" ] ||
		problem "left: $(find "$LKP_STATE" "$LKP_CACHE" -name '*.part' -o -name '*.tmp')"
}

# each FUNCTION ERRNO: the job with each call failing in turn.
each() {
	local n last failed=0
	job "$1:0:0"
	[ "$status" -eq 2 ] || { cat "$dir/out"; return 1; }
	last=$(awk -v f="$1" '$1 == f { n = $2 } END { print n + 0 }' "$dir/count")
	echo "$1: $last calls"
	[ "$last" -gt 0 ]
	for ((n = 1; n <= last; n += INJECT_ALL || n < 30 ? 1 : n / 9)); do
		what=$1:$n:$2
		fresh
		job "$what"
		case $status in
		134) [ "$1" = malloc ] || problem "aborted" ;;
		0 | 1 | 2 | 3 | 74 | 75) ;;
		*) problem "ended strangely" ;;
		esac
		[ "$status" -eq 2 ] || failed=$((failed + 1))
		[ "$status" -ne 1 ] || grep -q '^lkpctl: ' "$dir/out" || problem "no word about what failed"
		check_after_failure
		job
		check_complete
	done
	# Some of these must have been felt, or nothing was injected at all.
	[ "$failed" -gt 0 ]
}

@test "a write fails: the disk is full" {
	each write 28
}

@test "a flush fails: the disk is broken" {
	each fsync 5
}

@test "a rename fails: no room for the name" {
	each rename 28
}

@test "a fork fails: too many processes" {
	each fork 11
}

@test "an allocation fails" {
	each malloc 12
}
