#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl db: the store's journal, check, backup, rebuild, stats; full disks and what may not be written.

bats_require_minimum_version 1.5.0
load toy

setup_file() {
	toy_open
	export BASE SLOW
	BASE=$(toy_git rev-parse HEAD)
	toy_source 2
	SLOW=$(toy_commit "mm: look twice" "Sam Slow" sam@example.org)
}

teardown_file() {
	toy_close
}

# The state that a run, a failed build, a failed boot and an import leave is made once.
setup() {
	toy_setup "$TOY/cache"
	fixtures=$root/tests/fixtures
	# Rows and journal name places in it: it is at the same one in each test.
	export LKP_STATE=$TOY/place
	rm -rf "$LKP_STATE"
	[ -d "$TOY/full" ] || make_full
	toy_config
}

teardown() {
	[ -z "$mounted" ] || umount "$mounted"
	toy_teardown
}

# In a sub-shell: setup() goes on as if it had not been.
make_full() (
	command -v perf >/dev/null && [ -x "$root/build/lkp-agent" ] || exit 0
	toy_config
	toy_config "image:$(image_of "$SLOW")=0.95"
	"$lkpctl" run -q pwrite2 -b "$SLOW" --against "$BASE" >"$dir/log" 2>&1 || [ $? = 2 ] || { cat "$dir/log" && exit 1; }
	toy_branch broken >/dev/null 2>&1
	echo 'int shmem_write(void) { return nothing; }' >"$TOY/tree/mm/shmem.c"
	bad=$(toy_commit "mm: does not build")
	"$lkpctl" build -q "$bad" >"$dir/log" 2>&1 && exit 1
	toy_config panic
	"$lkpctl" run -q pwrite2 -b "$BASE" >"$dir/log" 2>&1 || :
	"$lkpctl" import -q "$root/tests/fixtures/samples-pwrite2.json"
	"$lkpctl" report 1 --set-state fixed
	sqlite3 "$LKP_STATE/lkp.db" "pragma wal_checkpoint(truncate)" >/dev/null
	mv "$LKP_STATE" "$TOY/full"
)

# full: this test's state is a copy of that one.
full() {
	[ -d "$TOY/full" ] || skip "no perf or no agent: no run to store"
	mkdir -p "$LKP_STATE"
	cp -a "$TOY/full/." "$LKP_STATE/"
}

# dump FILE: every row of every table by what names it outside of this file, sorted.
dump() {
	sqlite3 "$1" "
	select 'machine', name, last_block from machines;
	select 'case', name from cases;
	select 'metric', name from metrics;
	select 'commit', hash, subject, author_name, author_email, date from commits;
	select 'parent', hash, nr, parent from commit_parents p join commits c on c.id = p.commit_id;
	select 'kernel', hash, tree, kconfig, toolchain, image_id, status, error, record, seconds from kernels k join commits c on c.id = k.commit_id;
	select 'boot', hash, m.name, boot, kconfig, image_id, toolbox_id, accel, clocksource, status, detail, folder, purpose, seed, started,
		seconds, facts, kind from boots b join commits c on c.id = b.commit_id join machines m on m.id = b.machine_id;
	select 'finding', boot, nr, f.kind, title, frame, signature, fatal, offset, count from boot_findings f join boots b on b.id = f.boot_id;
	select 'run', hash, m.name, boot, x.name, block, r.status, r.detail from runs r join boots b on b.id = r.boot_id
		join commits c on c.id = b.commit_id join machines m on m.id = b.machine_id join cases x on x.id = r.case_id;
	select 'samples', hash, m.name, boot, x.name, t.name, n, mean, sd, hex(data) from samples s join metrics t on t.id = s.metric_id
		join runs r on r.id = s.run_id join boots b on b.id = r.boot_id join commits c on c.id = b.commit_id
		join machines m on m.id = b.machine_id join cases x on x.id = r.case_id;
	select 'report', * from reports;
	select 'mail', id, report_id, nr, message_id, subject, sender, recipients, hex(text), state, place, created from mails;" | sort
}

# dumps_as_before [FILE]: the same rows as when `dump >before` was done.
dumps_as_before() {
	dump "${1:-$LKP_STATE/lkp.db}" >after
	cmp -s before after || { diff before after | cut -c1-200 | head -n 20; return 1; }
}

# same_after_rebuild [ARGS]: what is exported, and every row.
same_after_rebuild() {
	dump "$LKP_STATE/lkp.db" >before
	"$lkpctl" export >before.json
	run -0 "$lkpctl" db rebuild -q "$@"
	dumps_as_before
	"$lkpctl" export | cmp before.json -
	run -0 "$lkpctl" db check -q
}

journal() {
	cat "$LKP_STATE"/journal/*.jsonl
}

# steps: what the journal's steps do, in order.
steps() {
	journal | jq -r '.steps[].do' | tr '\n' ' '
}

# One run in a state without benchmarks: one commit and its import.
small() {
	"$lkpctl" import -q "$fixtures/samples-pwrite2.json"
}

nobody() {
	[ "$(id -u)" = 0 ] || skip "only root can be somebody else"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# tiny FOLDER SIZE: a file system of its own that is soon full.
tiny() {
	[ "$(id -u)" = 0 ] || skip "only root can mount"
	mkdir -p "$1"
	mount -t tmpfs -o "size=$2" none "$1" || skip "may not mount a tmpfs here"
	mounted=$1
}

# ---- the journal -------------------------------------------------------------------------------

@test "reports, mails, kernels and imports are in the journal, in order" {
	full
	[[ "$(steps)" == "kernel kernel report mail mail-state kernel import report-state " ]] || { steps; false; }
	# Report and mail are one line: neither is ever there without the other.
	[ "$(journal | jq -c 'select(.steps[0].do == "report") | .steps | map(.do)')" = '["report","mail"]' ]
	journal | jq -r '.steps[] | select(.do == "import") | .name' | grep -q 'samples-pwrite2.json$'
	hash=$(journal | jq -r '.steps[] | select(.do == "import") | .sha256')
	zstdcat "$LKP_STATE/journal/imports/$hash.json.zst" | cmp - "$fixtures/samples-pwrite2.json"
}

@test "what is done again is not written again" {
	full
	before=$(journal | wc -l)
	"$lkpctl" import -q "$fixtures/samples-pwrite2.json"
	"$lkpctl" build -q "$SLOW"
	[ "$(journal | wc -l)" = "$before" ]
}

@test "a rebuild equals the original row by row, and mails nothing" {
	full
	chmod 640 "$LKP_STATE/lkp.db"
	[ "$(db "select count(*) from boots where status <> 'ok'")" -ge 1 ]
	[ "$(db "select count(*) from kernels where status <> 'ok'")" = 1 ]
	[ "$(db "select count(*) from boots where folder = ''")" = 10 ]
	find "$LKP_STATE/maildir" -type f | sort >mails.before
	same_after_rebuild
	find "$LKP_STATE/maildir" -type f | sort | diff mails.before -
	[ "$("$lkpctl" mail list --json | jq -r '.[].state')" = sent ]
	[ "$("$lkpctl" report --json | jq -r '.[].state')" = fixed ]
	# The old one is kept, whole.
	old=$(echo "$LKP_STATE"/lkp.db.old-*Z)
	dumps_as_before "$old"
	[ ! -e "$LKP_STATE/lkp.db.new" ]
	[ "$(stat -c %a "$LKP_STATE/lkp.db")" = 640 ]
}

@test "without its database a state folder is whole again after a rebuild" {
	full
	dump "$LKP_STATE/lkp.db" >before
	rm "$LKP_STATE"/lkp.db*
	run -0 "$lkpctl" db rebuild
	[[ $output == *"there was none before"* ]]
	dumps_as_before
}

@test "findings and kind of a boot come from boot.json, and come back" {
	full
	boot=$(find "$LKP_STATE/results" -name boot.json | head -n 1)
	jq '.status = "oops" | .kind = "kasan" | .findings = [{kind: "kasan", title: "BUG: KASAN: use-after-free in f", frame: "f",
		signature: "kasan in f", fatal: true, offset: 812, count: 2}, {kind: "warning"}]' "$boot" >new.json
	cp new.json "$boot"
	"$lkpctl" db rebuild -q
	[ "$(db "select kind, title, frame, signature, fatal, offset, count from boot_findings where nr = 1")" = \
		"kasan|BUG: KASAN: use-after-free in f|f|kasan in f|1|812|2" ]
	[ "$(db "select kind, fatal, count from boot_findings where nr = 2")" = "warning|0|1" ]
	[ "$(db "select kind from boots where status = 'oops'")" = kasan ]
	same_after_rebuild
	# They travel.
	"$lkpctl" export >all.json
	"$lkpctl" --db other.db import -q all.json
	"$lkpctl" --db other.db export | cmp all.json -
	[ "$(sqlite3 other.db "select count(*) from boot_findings")" = 2 ]
	# Our own file with a wrong type is a folder that cannot be read, and is said to be.
	jq '.findings[0].offset = "x"' new.json >"$boot"
	run -0 "$lkpctl" db rebuild
	[[ $output == *"left out:"*"findings[0].offset"* ]]
	run -1 "$lkpctl" db check -q
	[[ $output == *"is not in the database"* ]]
}

@test "a database that is older than its journal is written down" {
	full
	rm -r "$LKP_STATE/journal"
	# As version 1 left it.
	sqlite3 "$LKP_STATE/lkp.db" "delete from journal_state"
	"$lkpctl" report -q >/dev/null
	[ "$(steps)" = "kernel kernel kernel import report mail " ] || { steps; false; }
	same_after_rebuild
}

@test "a journal that was deleted is written down again" {
	full
	rm -r "$LKP_STATE/journal"
	run -1 "$lkpctl" db check --json -q
	[ "$(jq -r '.faults[].what' <<<"$output")" = journal ]
	[ ! -e "$LKP_STATE/journal" ]
	"$lkpctl" report -q >/dev/null
	same_after_rebuild
}

@test "a line without its rows is taken in by the next command" {
	small
	cp "$LKP_STATE/lkp.db" older.db
	"$lkpctl" import -q "$fixtures/samples-tput.json"
	dump "$LKP_STATE/lkp.db" >before
	# As if the process had been killed between the two.
	rm "$LKP_STATE"/lkp.db*
	cp older.db "$LKP_STATE/lkp.db"
	[ "$("$lkpctl" export | jq '.runs | length')" = 30 ]
	dumps_as_before
	[ "$(journal | wc -l)" = 2 ]
}

@test "a torn last line is set aside" {
	small
	file=$(echo "$LKP_STATE"/journal/*.jsonl)
	size=$(stat -c %s "$file")
	head -c 100 "$file" >>"$file"
	run -0 "$lkpctl" db check -q
	"$lkpctl" import -q "$fixtures/samples-tput.json"
	[ "$(stat -c %s "$file.torn-$size")" = 100 ]
	[ "$(journal | jq -s length)" = 2 ]
	same_after_rebuild
}

@test "a damaged line is a fault; a rebuild goes on without it only with --force" {
	small
	"$lkpctl" import -q "$fixtures/samples-tput.json"
	sed -i '1s/import/imporT/' "$LKP_STATE"/journal/*.jsonl
	run -1 "$lkpctl" db check -q
	[[ $output == *"journal   1 fault"*".jsonl:1: is damaged"* ]]
	run -1 "$lkpctl" db rebuild -q
	[[ $output == *".jsonl:1"*"--force"* ]]
	[ "$("$lkpctl" export | jq '.runs | length')" = 30 ]
	run -0 "$lkpctl" db rebuild -q --force
	[ "$("$lkpctl" export | jq '.runs | length')" = 20 ]
}

@test "a missing document of an import is a fault and stops a rebuild" {
	small
	rm "$LKP_STATE"/journal/imports/*
	run -1 "$lkpctl" db check -q
	[[ $output == *"is missing"* ]]
	run -1 "$lkpctl" db rebuild -q
	[[ $output == *"is missing"* ]]
	[ "$("$lkpctl" export | jq '.runs | length')" = 10 ]
}

@test "killed at any instruction, nothing is lost" {
	small
	for i in $(seq 1 25); do
		sed "s/\"boot\": \"/&k$i-/" "$fixtures/samples-pwrite2.json" >"k$i.json"
		"$lkpctl" import -q "k$i.json" 2>/dev/null 3>&- &
		pid=$!
		sleep "0.00$((RANDOM % 10))$((RANDOM % 10))"
		kill -KILL $pid 2>/dev/null || :
		wait $pid 2>/dev/null || :
	done
	"$lkpctl" report -q
	same_after_rebuild
	# Whole imports or none.
	[ $(($(db "select count(*) from runs") % 10)) = 0 ]
}

@test "two at once: every line and every row" {
	small
	for i in 1 2 3 4 5 6; do
		sed "s/\"boot\": \"/&p$i-/" "$fixtures/samples-pwrite2.json" >"p$i.json"
	done
	pids=
	for i in 1 2 3 4 5 6; do
		"$lkpctl" import -q "p$i.json" 3>&- &
		pids="$pids $!"
	done
	for pid in $pids; do
		wait "$pid"
	done
	[ "$(journal | jq -s length)" = 7 ]
	same_after_rebuild
	[ "$(db "select count(*) from runs")" = 70 ]
}

@test "a database of its own has no journal, and rebuild says so" {
	"$lkpctl" --db x.db import -q "$fixtures/samples-pwrite2.json"
	[ ! -e journal ]
	run -1 "$lkpctl" --db x.db db rebuild
	[[ $output == *"x.db: is not the database of a state folder"*"db backup"* ]]
	[ "$("$lkpctl" --db x.db db stats --json | jq .journal_bytes)" = null ]
}

@test "--db names a state folder's database: its journal is kept" {
	small
	rm lkp.yaml
	"$lkpctl" --db "$LKP_STATE/lkp.db" import -q "$fixtures/samples-tput.json"
	[ "$(journal | wc -l)" = 2 ]
	run -0 "$lkpctl" --db "$LKP_STATE/lkp.db" db rebuild -q
	[ "$("$lkpctl" --db "$LKP_STATE/lkp.db" export | jq '.runs | length')" = 30 ]
}

# ---- rebuild and others ------------------------------------------------------------------------

@test "a rebuild harms nobody who has the database open, and says who it is" {
	small
	sleep 60 3>&- 8<"$LKP_STATE/lkp.db.lock" &
	toy_pids=$!
	flock --shared 8 8<"$LKP_STATE/lkp.db.lock" 2>/dev/null || :
	exec 9<"$LKP_STATE/lkp.db.lock"
	flock -s 9
	run -75 "$lkpctl" db rebuild -q 9<&-
	[[ $output == *"lkp.db: is in use by"*"(process "* ]]
	exec 9<&-
	run -0 "$lkpctl" db rebuild -q
}

@test "one who does not heed the lock is seen, too" {
	small
	mkfifo hold
	sqlite3 "$LKP_STATE/lkp.db" <hold >/dev/null 2>&1 3>&- &
	toy_pids=$!
	exec 9>hold
	echo "begin; select count(*) from boots;" >&9
	holds() { grep -qs "lkp.db-shm" "/proc/$toy_pids/maps"; }
	until_true holds
	run -75 "$lkpctl" db rebuild -q
	[[ $output == *"lkp.db"*"sqlite3 (process $toy_pids)"* ]]
	[ ! -e "$LKP_STATE/lkp.db.new" ]
	exec 9>&-
	wait $toy_pids
	same_after_rebuild
}

@test "busy: says who holds it" {
	small
	mkfifo hold
	sqlite3 "$LKP_STATE/lkp.db" <hold >out 2>&1 3>&- &
	toy_pids=$!
	exec 9>hold
	printf 'begin immediate;\nselect 1;\n' >&9
	until_true grep -q 1 out
	run -75 "$lkpctl" import -q "$fixtures/samples-tput.json"
	[[ $output == *"sqlite3 (process $toy_pids) holds the database"* ]]
	# Who only reads does not wait.
	[ "$("$lkpctl" export | jq '.runs | length')" = 10 ]
	exec 9>&-
}

@test "a rebuild that is killed or cancelled leaves the old one in place" {
	small
	dump "$LKP_STATE/lkp.db" >before
	for signal in INT KILL; do
		for i in 1 2 3 4 5 6; do
			toy_start log db rebuild
			sleep "0.00$((RANDOM % 10))$((RANDOM % 10))"
			kill -$signal $pid 2>/dev/null || :
			wait $pid 2>/dev/null || :
			[ -s "$LKP_STATE/lkp.db" ]
			dumps_as_before
		done
	done
	same_after_rebuild
	[ ! -e "$LKP_STATE/lkp.db.new" ]
}

@test "a damaged database is rebuilt, and kept" {
	full
	dump "$LKP_STATE/lkp.db" >before
	dd if=/dev/urandom of="$LKP_STATE/lkp.db" bs=4096 seek=1 count=20 conv=notrunc 2>/dev/null
	run -1 "$lkpctl" report
	[[ $output == *"lkp.db"*"damaged"*"lkpctl db rebuild"* ]]
	run -1 "$lkpctl" db check -q
	[[ $output =~ file\ +[0-9]+\ fault ]]
	run -0 "$lkpctl" db rebuild
	[[ $output == *"the old one, damaged, is"* ]]
	dumps_as_before
	# With no journal that would lose reports: refused.
	rm -r "$LKP_STATE/journal"
	dd if=/dev/urandom of="$LKP_STATE/lkp.db" bs=4096 seek=1 count=20 conv=notrunc 2>/dev/null
	run -1 "$lkpctl" db rebuild -q
	[[ $output == *"restore a backup, or give --force"* ]]
}

# ---- check, backup, stats ----------------------------------------------------------------------

@test "check finds each fault" {
	full
	run -0 --separate-stderr "$lkpctl" db check
	[ "$output" = "$(printf '%-8s  ok\n' file keys samples journal folders mails)" ]
	rm "$LKP_STATE"/maildir/new/*
	mv "$(find "$LKP_STATE/results/box" -mindepth 1 -maxdepth 1 -type d | head -n 1)" gone
	cp -r "$LKP_STATE/results/box/$(ls "$LKP_STATE/results/box" | head -n 1)" "$LKP_STATE/results/box/extra"
	sqlite3 "$LKP_STATE/lkp.db" "update samples set mean = mean + 1 where run_id = 1 and metric_id = 1; update samples set data = x'ff' where run_id = 2 and metric_id = 1;
		pragma foreign_keys = off; insert into runs values (1000, 999, 1, 0, 'ok', '')"
	run -1 --separate-stderr "$lkpctl" db check --json
	[ "$(jq -c '[.ok, (.faults | map(.what) | group_by(.) | map([.[0], length])), (.notes | map(.what))]' <<<"$output")" = \
		'[false,[["folders",2],["keys",1],["samples",2]],["mails"]]' ] || { echo "$output"; false; }
}

@test "check needs a database that is there" {
	run -1 "$lkpctl" --db none.db db check
	[[ $output == *"none.db: no such database"* ]]
	[ ! -e none.db ]
}

@test "a mail that was read and moved is no fault" {
	full
	mail=$(mails)
	mv "$mail" "$LKP_STATE/maildir/cur/$(basename "$mail"):2,S"
	run -0 --separate-stderr "$lkpctl" db check --json
	[ "$(jq '.notes | length' <<<"$output")" = 0 ]
}

@test "backup copies, checks, and does not overwrite" {
	full
	run -0 "$lkpctl" db backup copy.db
	[[ $output == *"copied to copy.db and checked"* ]]
	dump "$LKP_STATE/lkp.db" >before
	dumps_as_before copy.db
	run -1 "$lkpctl" db backup copy.db
	[[ $output == *"copy.db exists; --force overwrites it"* ]]
	"$lkpctl" import -q "$fixtures/samples-tput.json"
	run -0 "$lkpctl" db backup copy.db --force --json -q
	[ "$(jq -r .file <<<"$output")" = copy.db ]
	[ "$("$lkpctl" --db copy.db export | jq '.runs | length')" = "$("$lkpctl" export | jq '.runs | length')" ]
	run -1 "$lkpctl" db backup --force "$LKP_STATE/lkp.db"
	[[ $output == *"is the database itself"* ]]
	run -1 "$lkpctl" db backup none/copy.db
	[[ $output == *"none/copy.db"* ]]
	[ -z "$(find . -name '*.part-*')" ]
}

@test "a backup that is put back catches up with the journal" {
	full
	"$lkpctl" db backup -q copy.db
	"$lkpctl" report 1 --set-state invalid
	dump "$LKP_STATE/lkp.db" >before
	rm "$LKP_STATE"/lkp.db*
	cp copy.db "$LKP_STATE/lkp.db"
	[ "$("$lkpctl" report --json | jq -r '.[].state')" = invalid ]
	dumps_as_before
}

@test "stats" {
	full
	run -0 "$lkpctl" db stats
	[[ $output =~ samples\ +[0-9\ ]+,\ [0-9.]+\ bytes\ each ]]
	[[ $output == *"boots "*"ok "*"panic 1"* ]]
	"$lkpctl" db stats --json >stats
	[ "$(jq .tables.boots.rows stats)" = "$(db "select count(*) from boots")" ]
	[ "$(jq .samples stats)" = "$(db "select sum(n) from samples")" ]
	[ "$(jq .journal_bytes stats)" -gt 1000 ]
	[ "$(jq .boots.panic stats)" = 1 ]
	[ "$(jq '[.tables[].bytes] | add' stats)" -le "$(jq .bytes stats)" ]
}

# ---- what may not be written, and full disks ---------------------------------------------------

reads() { # AS...: every verb that only reads, as that
	"$@" "$lkpctl" report --json | jq -e '.[0].id == 1' >/dev/null
	"$@" "$lkpctl" report 1 >/dev/null
	"$@" "$lkpctl" mail list --json | jq -e '.[0].id == 1' >/dev/null
	"$@" "$lkpctl" mail show 1 >/dev/null
	"$@" "$lkpctl" export >export.read
	cmp export.read export.before
	run -2 "$@" "$lkpctl" compare "$BASE" "$SLOW"
	run -0 "$@" "$lkpctl" db check -q
	"$@" "$lkpctl" db stats --json | jq -e '.samples > 0' >/dev/null
}

@test "who may not write may read" {
	full
	"$lkpctl" export >export.before
	reads nobody env
	run -1 nobody "$lkpctl" report 1 --set-state noise
	[[ $output == *"lkp.db"*"permissions"* ]]
	# The file is one's own, the folder is not.
	chown 65534 "$LKP_STATE/lkp.db"
	reads nobody env
	[ "$("$lkpctl" report --json | jq -r '.[].state')" = fixed ]
}

@test "who may not write sees what a writer has just written, and never passes over a WAL" {
	full
	mkfifo hold
	sqlite3 "$LKP_STATE/lkp.db" <hold >out 2>&1 3>&- &
	toy_pids=$!
	exec 9>hold
	printf "update reports set state = 'noise';\nselect 1;\n" >&9
	until_true grep -q 1 out
	[ "$(nobody "$lkpctl" report --json | jq -r '.[].state')" = noise ]
	kill -KILL $toy_pids
	wait $toy_pids || :
	exec 9>&-
	[ -s "$LKP_STATE/lkp.db-wal" ]
	rm "$LKP_STATE/lkp.db-shm"
	run -1 nobody "$lkpctl" report
	[[ $output == *"was not closed in an orderly way"*"run any command once"* ]]
	"$lkpctl" report -q >/dev/null
	[ "$(nobody "$lkpctl" report --json | jq -r '.[].state')" = noise ]
}

@test "who may not even read is told so" {
	full
	chmod 600 "$LKP_STATE/lkp.db"
	run -1 nobody "$lkpctl" report
	[[ $output == *"lkp.db"*"permissions"* ]]
}

@test "an older version that may not be written is not read" {
	[ -r "$fixtures/db/version-1.sql" ]
	mkdir "$dir/old"
	sqlite3 "$dir/old/x.db" <"$fixtures/db/version-1.sql" >/dev/null
	run -1 nobody "$lkpctl" --db "$dir/old/x.db" report
	[[ $output == *"has version 1 of the tables"*"run any command once"* ]]
	run -0 "$lkpctl" --db "$dir/old/x.db" report -q
	run -0 nobody "$lkpctl" --db "$dir/old/x.db" report -q
}

@test "a read-only file system" {
	[ -d "$TOY/full" ] || skip "no perf or no agent: no run to store"
	tiny "$LKP_STATE" 64M
	full
	"$lkpctl" export >export.before
	mount -o remount,ro "$LKP_STATE"
	reads env
	run -1 "$lkpctl" report 1 --set-state noise
	[[ $output == *"$LKP_STATE/lkp.db"* ]]
	run -1 "$lkpctl" db rebuild -q
	[[ $output == *"$LKP_STATE/lkp.db"* ]]
}

@test "a full disk: the message says which, nothing is lost, and reading goes on" {
	[ -d "$TOY/full" ] || skip "no perf or no agent: no run to store"
	tiny "$LKP_STATE" 24M
	full
	"$lkpctl" export >export.before
	dump "$LKP_STATE/lkp.db" >before
	head -c 60M /dev/zero >"$LKP_STATE/ballast" 2>/dev/null || :
	run "$lkpctl" import -q "$fixtures/samples-tput.json"
	[ "$status" != 0 ]
	[[ $output == *"$LKP_STATE/"*[Nn]"o space left"* ]]
	run "$lkpctl" report 1 --set-state noise
	[ "$status" != 0 ]
	reads env
	run "$lkpctl" db rebuild -q
	[ "$status" != 0 ]
	[[ $output == *"$LKP_STATE/"*[Nn]"o space left"* ]]
	run "$lkpctl" db backup -q "$LKP_STATE/copy.db"
	[ "$status" != 0 ]
	[ ! -e "$LKP_STATE/copy.db" ]
	rm "$LKP_STATE/ballast"
	dumps_as_before
	"$lkpctl" import -q "$fixtures/samples-tput.json"
	same_after_rebuild
}

@test "the disk fills up in the middle of an import: whole or not at all" {
	tiny "$LKP_STATE" 3M
	small
	jq -n '[range(3000)] as $r | {format: "lkp-samples/1", commits: [{id: ("1" * 40)}], runs: [$r[] | {commit: ("1" * 40), machine: "m",
		case: "c", boot: "b\(.)", metrics: {"x.a": [range(100) | . * 1.37]}}]}' >big.json
	run "$lkpctl" import -q big.json
	[ "$status" -eq 75 ]
	[[ $output == *"$LKP_STATE/"*[Nn]"o space left"* ]]
	[ "$("$lkpctl" export | jq '.runs | length')" = 10 ]
	mount -o remount,size=32M "$LKP_STATE"
	same_after_rebuild
}
