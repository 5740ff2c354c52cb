#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl report and lkpctl mail on a database with one report and its mail.

bats_require_minimum_version 1.5.0

setup() {
	root=$BATS_TEST_DIRNAME/../..
	lkpctl=${LKP_BUILD:-$root/build/plain}/lkpctl
	fixtures=$BATS_TEST_DIRNAME/../fixtures
	command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
	dir=$(mktemp -d)
	cd "$dir" || exit 1
	export XDG_CONFIG_HOME=$dir
	unset LKP_CONFIG
	"$lkpctl" -q --db x.db import "$fixtures/samples-pwrite2.json"
}

teardown() {
	rm -rf "$dir"
}

file_report() {
	"$lkpctl" --db x.db --json compare f4f5 d5a0 > facts.json || [ $? = 2 ]
	sqlite3 x.db "INSERT INTO reports (base, head, tree, machine, kconfig, test_case, metric, verdict, state, facts, created)
		SELECT b.hash, h.hash, 't', 'nhm4', '', 'will-it-scale/pwrite2', 'will-it-scale.per_thread_ops', 'regression',
		'confirmed', CAST(readfile('facts.json') AS TEXT), 1403740000 FROM commits b, commits h
		WHERE b.hash LIKE 'f4f5%' AND h.hash LIKE 'd5a0%'"
	sqlite3 x.db "INSERT INTO mails (report_id, nr, message_id, subject, sender, recipients, text, state, place, created)
		VALUES (1, 1, '<1@example.org>', '[x86] -9.2%', 'lkpd@example.org', 'author@example.org',
		'Subject: [x86] -9.2%' || char(10, 10) || 'Hello' || char(10), 'sent', '/maildir/new/1', 1403740001)"
}

@test "none yet" {
	run -0 --separate-stderr "$lkpctl" --db x.db report
	[ -z "$output" ]
	[ "$stderr" = "lkpctl: no reports yet" ]
	run -0 --separate-stderr "$lkpctl" --db x.db mail list -q
	[ -z "$output$stderr" ]
	[ "$("$lkpctl" --db x.db --json report)" = "[]" ]
	run -1 "$lkpctl" --db x.db report 1
	[[ $output == *"no report 1"* ]]
	run -1 "$lkpctl" --db x.db mail show 1
	[[ $output == *"no mail 1"* ]]
}

@test "listed" {
	file_report
	run -0 "$lkpctl" --db x.db report
	[[ ${lines[0]} == *ID*STATE*VERDICT*TEST* ]]
	[[ ${lines[1]} == *1*confirmed*regression*d5a085970b0b*nhm4/will-it-scale/pwrite2*"2014-06-25 23:46:40"* ]]
	[ "$("$lkpctl" --db x.db --json report | jq -c '.[0] | [.id, .state, .case]')" = '[1,"confirmed","will-it-scale/pwrite2"]' ]
	run -0 "$lkpctl" --db x.db mail list
	[[ ${lines[1]} == *1*sent*author@example.org*/maildir/new/1* ]]
	[ "$("$lkpctl" --db x.db --json mail list | jq -r '.[0].message_id')" = "<1@example.org>" ]
}

@test "printed as the mail, as the table it had, and as JSON" {
	file_report
	run -0 "$lkpctl" --db x.db report 1
	[ "${lines[1]}" = Hello ]
	run -0 "$lkpctl" --db x.db mail show 1
	[ "${lines[0]}" = "Subject: [x86] -9.2%" ]
	run -0 "$lkpctl" --db x.db report 1 --format lkp
	[ "$(head -n 3 <<< "$output")" = "$(cat "$fixtures/table-pwrite2.expected")" ]
	"$lkpctl" --db x.db report 1 --format json > again.json
	[ "$(jq -cS . facts.json)" = "$(jq -cS . again.json)" ]
	run -1 "$lkpctl" --db x.db report 1 --format picture
	[[ $output == *"mail, lkp, json"* ]]
}

@test "states" {
	file_report
	"$lkpctl" --db x.db report 1 --set-state fixed
	[ "$("$lkpctl" --db x.db --json report | jq -r '.[0].state')" = fixed ]
	run -1 "$lkpctl" --db x.db report 1 --set-state great
	[[ $output == *open*confirmed*fixed* ]]
	run -1 "$lkpctl" --db x.db report 2 --set-state fixed
	run -64 "$lkpctl" --db x.db report --set-state fixed
	run -1 "$lkpctl" --db x.db report one
}

@test "a report without a mail says how to print it" {
	file_report
	sqlite3 x.db "DELETE FROM mails"
	run -1 "$lkpctl" --db x.db report 1
	[[ $output == *"--format lkp"* ]]
}

@test "verbs of mail" {
	run -64 "$lkpctl" --db x.db mail
	run -64 "$lkpctl" --db x.db mail lst
	[[ $output == *'did you mean "list"'* ]]
}
