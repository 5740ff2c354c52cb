# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl run on a toy tree and a machine of driver fake: all that is behind a machine, for real.

bats_require_minimum_version 1.5.0
load toy

setup_file() {
	toy_open
	# main: base, then only documentation, then a slower write, then two more.
	export BASE DOCS SLOW TOP
	BASE=$(toy_git rev-parse HEAD)
	date >"$TOY/tree/Documentation/x"
	DOCS=$(toy_commit "Documentation: x")
	toy_source 2
	SLOW=$(toy_commit "mm: look twice" "Sam Slow" sam@example.org)
	toy_source 3
	toy_commit "mm: third" "Uma Third" uma@example.org
	toy_source 4
	TOP=$(toy_commit "mm: fourth" "Vic Fourth" vic@example.org)
}

teardown_file() {
	toy_close
}

# Kernels and the toolbox are shared by the tests of this file.
setup() {
	toy_setup "$TOY/cache"
	command -v perf >/dev/null || skip "perf is not installed"
	[ -x "$root/build/lkp-agent" ] || skip "no agent is built: run make"
	toy_config
}

teardown() {
	toy_teardown
}

runs() {
	run --separate-stderr "$lkpctl" run -q "$@"
	echo "status $status; $output; $stderr"
}

boots() {
	db "select count(*) from boots where ${1:-1}"
}

# Blocks that have one good boot of each side.
blocks() {
	db "select count(*) from (select block from runs r join boots b on b.id = r.boot_id
		where b.status = 'ok' and block > 0 and purpose = '${1:-judge}' group by block having count(distinct commit_id) = 2)"
}

# ---- one commit --------------------------------------------------------------------------------

@test "one commit: a table; the boot's folder is whole" {
	runs pwrite2 pipe-test -b "$SLOW"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} =~ ^case\ +metric\ +mean\ +stddev\ +boots$ ]]
	[[ $output =~ will-it-scale/pwrite2/thread/100%\ +will-it-scale.per_thread_ops\ +[0-9.e+]+\ +0.00%\ +1 ]]
	[[ $output =~ pipe-test/process\ +pipe-test.usecs_per_op\ +[0-9.]+\ +0.00%\ +1 ]]
	[ "$(boots)" = 1 ]
	folder=$(db "select folder from boots")
	jq -e --arg c "$SLOW" '.commit.id == $c and .machine == "box" and .status == "ok" and .block == 0' "$folder/boot.json"
	jq -e '.runs | length == 2' "$folder/job.json"
	no_part_left
}

@test "--boots, --iterations and --json; only this call's boots are counted" {
	runs pwrite2 -b "$SLOW" --boots 3 --iterations 7
	[ "$status" -eq 0 ]
	[[ $output =~ per_thread_ops\ +[0-9.e+]+\ +[0-9.]+%\ +3 ]]
	[ "$(db "select group_concat(distinct n) from samples")" = 7 ]
	runs pwrite2 -b "$SLOW" --boots 2 --json
	[ "$status" -eq 0 ]
	jq -e 'length > 0 and all(.[]; .boots == 2 and .mean > 0 and .stddev >= 0) and
		([.[] | keys] | unique) == [["boots", "case", "mean", "metric", "stddev"]]' <<<"$output"
	[ "$(boots)" = 5 ]
	for n in 0 -1 1001 x; do
		run -64 "$lkpctl" run pwrite2 --boots "$n"
	done
}

@test "the default is the tree's first branch on its first machine" {
	runs pwrite2
	[ "$status" -eq 0 ]
	[ "$(db "select c.hash from boots b join commits c on c.id = b.commit_id")" = "$(toy_git rev-parse main)" ]
}

@test "a kconfig's ignore passes a fault over; its fatal_warnings make a warning one" {
	toy_config warning
	runs pwrite2 -b "$SLOW"
	[ "$status" -eq 0 ]
	folder=$(db "select folder from boots")
	jq -e '.kind == "ok" and [.findings[] | .kind, .frame, .fatal] == ["warning", "made_up_write", false]' "$folder/boot.json"
	toy_config warning -e 's/^  tiny:$/&\n    fatal_warnings: true/'
	runs pwrite2 -b "$SLOW"
	[ "$status" -eq 1 ]
	[[ $stderr == *": warning in made_up_write: WARNING: "* ]]
	toy_config warning -e 's/^  tiny:$/&\n    fatal_warnings: true\n    ignore: [ "nothing", "made_up_write" ]/'
	runs pwrite2 -b "$SLOW"
	[ "$status" -eq 0 ]
	folder=$(db "select folder from boots order by id desc limit 1")
	jq -e '.kind == "ok" and .findings == []' "$folder/boot.json"
}

@test "with CONFIG_DEBUG_INFO the boot's report names the lines" {
	toy_branch debug
	toy_recipe '@gcc -g -O0 -shared -fPIC -o $(O)/vmlinux mm/toy.c'
	printf 'int made_up_write(volatile int *a)\n{\n\ta[0] = a[1] + a[2] + a[3] + a[4] + a[5];\n\treturn a[6];\n}\n' >"$TOY/tree/mm/toy.c"
	printf '\nconfig DEBUG_INFO\n\tbool "lines"\n' >>"$TOY/tree/Kconfig"
	commit=$(toy_commit "toy: with lines")
	toy_branch main main
	echo CONFIG_DEBUG_INFO=y >>tiny.config
	toy_config oops
	runs pwrite2 -b "$commit"
	[ "$status" -eq 1 ]
	folder=$(db "select folder from boots")
	cat "$folder/report.txt"
	grep -qx 'RIP: 0010:made_up_write+0x12/0x34 (mm/toy.c:3)' "$folder/report.txt"
	grep -qx 'RIP: 0010:made_up_write+0x12/0x34' "$folder/console.log"
}

@test "an image by hand needs no tree" {
	echo "an image" >img
	toy_config ok -e "s#url: .*#url: /nonexistent#"
	runs pwrite2 --image img -m box
	[ "$status" -eq 0 ]
	[ "$(db "select hash from commits")" = "$(sha256sum <img | cut -c1-40)" ]
	runs pwrite2 --image img -b main
	[ "$status" -eq 1 ]
	[[ $stderr == *"--image goes with neither"* ]]
	runs pwrite2 --image none
	[ "$status" -eq 1 ]
	[[ $stderr == *none* ]]
}

@test "a machine that boots nothing takes no commit: its samples would be filed under it" {
	toy_config ok -e "s/^  box:/  here:\n    driver: local\n  box:/"
	runs pwrite2 -m here -b "$BASE"
	[ "$status" -eq 1 ]
	[[ $stderr == *"boots no kernel"* ]]
	runs pwrite2 -m here -b "$SLOW" --against "$BASE"
	[ "$status" -eq 1 ]
	[[ $stderr == *"boots no kernel"* ]]
}

@test "a job's needs that the kconfig does not give are named" {
	echo 'CONFIG_SHMEM=y' >tiny.config
	runs pwrite2 -b "$SLOW"
	[ "$status" -eq 1 ]
	[[ $stderr == *'"pwrite2" needs CONFIG_TMPFS=y'*'"tiny"'* ]]
	runs pwrite2 -b "$SLOW" --against "$BASE"
	[ "$status" -eq 1 ]
	[[ $stderr == *'"pwrite2" needs CONFIG_TMPFS=y'* ]]
	[ "$(boots)" = 0 ]
}

@test "a boot that fails is a result with its kind, one of our lab is tried again" {
	local -A kind=([hang]=soft-lockup [silence]=early-silence [oops]="oops in made_up_write")
	for answer in panic oops hang no-init silence deadline bench-failed; do
		toy_config "$answer"
		runs pwrite2 -b "$SLOW"
		[ "$status" -eq 1 ]
		[[ $stderr == *": ${kind[$answer]:-$answer}: "* ]]
		[ "$(db "select status from boots order by id desc limit 1")" = "$answer" ]
	done
	folder=$(db "select folder from boots where status = 'oops'")
	jq -e '.kind == "oops" and .findings == [{kind: "oops", frame: "made_up_write", fatal: true, count: 1, offset: 17,
		title: "BUG: kernel NULL pointer dereference, address: 0", signature: "oops in made_up_write"}]' "$folder/boot.json"
	grep -q '^BUG: kernel NULL' "$folder/report.txt"
	rm -f "$LKP_STATE/results/box/.fake-count"
	toy_config infra-failed,infra-failed,ok
	runs pwrite2 -b "$SLOW"
	[ "$status" -eq 0 ]
	[ "$(db "select count(*) from samples s join runs r on r.id = s.run_id join boots b on b.id = r.boot_id where b.status <> 'ok'")" = 0 ]
	no_part_left
}

@test "a benchmark that fails: its case has no sample, the other one has, status 1" {
	toy_config exit
	runs pwrite2 pipe-test -b "$SLOW"
	[ "$status" -eq 1 ]
	[[ $output == *pipe-test.usecs_per_op* ]]
	[[ $output != *per_thread_ops* ]]
	[[ $stderr == *"failed on a healthy kernel:"*"pwrite2/thread/100%: iteration 0: exit status 1"* ]]
	[ "$(db "select count(*) from runs where status = 'bench-failed'")" = 1 ]
}

@test "an answer that is not whole gives no sample" {
	toy_config half
	runs pwrite2 -b "$SLOW"
	[ "$status" -eq 1 ]
	[ "$(db "select status from boots")" = bench-failed ]
	[ "$(db "select count(*) from samples")" = 0 ]
}

@test "the same case in two jobs, and unknown names" {
	runs pwrite2 pwrite2
	[ "$status" -eq 1 ]
	[[ $stderr == *"one boot runs it once"* ]]
	runs pwrit2
	[ "$status" -eq 1 ]
	[[ $stderr == *'"pwrit2"'*pwrite2* ]]
	runs pwrite2 -m bx
	[ "$status" -eq 1 ]
	[[ $stderr == *'"bx"'*box* ]]
	runs pwrite2 -t tyo
	[ "$status" -eq 1 ]
	[[ $stderr == *'"tyo"'*toy* ]]
	runs pwrite2 -b nowhere
	[ "$status" -eq 1 ]
	[[ $stderr == *nowhere* ]]
	runs pwrite2 -b main --against nowhere
	[ "$status" -eq 1 ]
	[[ $stderr == *nowhere* ]]
	run -64 "$lkpctl" run
}

@test "an answer that driver fake does not know is refused" {
	toy_config pnaic
	runs pwrite2 -b "$SLOW"
	[ "$status" -eq 1 ]
	[[ $stderr == *pnaic* ]]
	[ ! -e "$LKP_STATE/lkp.db" ] || [ "$(boots)" = 0 ]
}

# ---- against -----------------------------------------------------------------------------------

@test "a regression: status 2, report and mail to the author; asking again measures and files nothing" {
	toy_config "image:$(image_of "$SLOW")=0.95"
	runs pwrite2 -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 2 ]
	[[ $output =~ 'regression, confirmed'\ +'box/will-it-scale/pwrite2/thread/100%'\ +will-it-scale.per_thread_ops\ +-[45].[0-9]+%\ .*'5 + 5' ]]
	[ "$(boots)" = 20 ]
	[ "$(blocks judge) $(blocks confirm)" = "5 5" ]
	[ "$(db "select recipients from mails")" = "sam@example.org,list@example.org" ]
	[ "$(mails | wc -l)" = 1 ]
	first=$output

	runs pwrite2 -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 2 ]
	[ "$output" = "$first" ]
	[ "$(boots)" = 20 ]
	[ "$(db "select count(*) from reports") $(db "select count(*) from mails") $(mails | wc -l)" = "1 1 1" ]
}

@test "samples from elsewhere are enough for a report, and the default sender is one" {
	toy_config "image:$(image_of "$SLOW")=0.95" -e "/^  from:/d"
	runs pwrite2 -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 2 ]
	grep -q '^From: lkpd <lkpd@localhost>$' "$(mails)"
	"$lkpctl" export >samples.json
	rm -rf "$LKP_STATE"
	mkdir -p "$LKP_STATE"
	"$lkpctl" import -q - <samples.json
	runs pwrite2 -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 2 ]
	[ "$(mails | wc -l)" = 1 ]
	[ ! -d "$LKP_STATE/results/box" ] || [ -z "$(ls "$LKP_STATE/results/box")" ]
}

@test "--json of a judged pair" {
	toy_config "image:$(image_of "$SLOW")=0.95"
	runs pwrite2 -b "$SLOW" --against "$DOCS" --json
	[ "$status" -eq 2 ]
	jq -e --arg b "$DOCS" --arg h "$SLOW" '(.base | .id // .commit) == $b and (.head | .id // .commit) == $h and
		.failure == null and .report == 1 and (.mail | startswith("mail 1, in the maildir: ")) and
		(.tests | map(select(.kpi)) | length == 1) and
		(.tests[] | select(.kpi) | .verdict == "regression" and .change_pct < -4 and .blocks == 5)' <<<"$output"
}

@test "a range: the mail goes to the list, names all commits and blames nobody" {
	toy_config "image:$(image_of "$TOP")=0.95"
	runs pwrite2 -b "$TOP" --against "$BASE"
	[ "$status" -eq 2 ]
	[ "$(db "select recipients from mails")" = list@example.org ]
	mail=$(mails)
	for subject in "Documentation: x" "mm: look twice" "mm: third" "mm: fourth"; do
		grep -q "$subject" "$mail"
	done
	run -1 grep -i '^\(To\|Cc\):.*vic@' "$mail"
	run -1 grep -q 'Hello Vic' "$mail"
}

@test "clean: status 0, five blocks, nothing filed" {
	toy_config "noise=0.0001"
	runs pwrite2 -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 0 ]
	[[ $output == *clean*will-it-scale.per_thread_ops* ]]
	[ "$(blocks)" = 5 ]
	[ "$(db "select count(*) from reports")" = 0 ]
}

@test "an improvement: status 0, nothing filed" {
	toy_config "image:$(image_of "$SLOW")=1.05"
	runs pwrite2 -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 0 ]
	[[ $output == *improvement* ]]
	[ "$(db "select count(*) from reports")" = 0 ]
}

@test "inconclusive: status 3 and the reason" {
	toy_config "noise=0.1"
	runs pwrite2 -b "$SLOW" --against "$DOCS" --boots 2
	[ "$status" -eq 3 ]
	[[ $output == *inconclusive* ]]
	[[ $output == *"will-it-scale/pwrite2/thread/100%: "* ]]
	[ "$(blocks)" = 2 ]
	# More may be asked for later: what is there counts.
	runs pwrite2 -b "$SLOW" --against "$DOCS" --boots 3
	[ "$(blocks)" = 3 ]
}

@test "only what regressed is confirmed, and a pair is reported once" {
	id=$(image_of "$SLOW")
	toy_config "image:$id:pwrite2=0.95"
	runs pwrite2 pipe-test -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 2 ]
	[[ $output =~ 'regression, confirmed'\ +box/will-it-scale ]]
	[[ ! $output =~ 'regression'[^$'\n']*box/pipe-test ]]
	[ "$(db "select count(*) from reports")" = 1 ]
	# Another job on the same pair is another matter.
	toy_config "image:$id=0.95"
	runs hackbench -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 2 ]
	[ "$(mails | wc -l)" -le 2 ]
}

@test "the same image on both sides: clean by construction, no boot" {
	runs pwrite2 -b "$DOCS" --against "$BASE"
	[ "$status" -eq 0 ]
	[[ $output == *"boot the same image"* ]]
	[ "$(boots)" = 0 ]
	runs pwrite2 -b "$DOCS" --against "$BASE" --json
	[ "$status" -eq 0 ]
	jq -e '.tests == [] and .failure == null and .report == null' <<<"$output"
}

@test "base and head the same commit" {
	runs pwrite2 -b "$DOCS" --against "$DOCS"
	[ "$status" -eq 1 ]
	[[ $stderr == *"same commit"* ]]
}

@test "head panics twice: status 1, said, stored, and in compare's fail:runs" {
	toy_config "image:$(image_of "$SLOW")=panic"
	runs pwrite2 -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 1 ]
	[[ $stderr == *"head ${SLOW:0:12}: panic in 2 boots"*"Attempted to kill init"* ]]
	[ "$(boots "status = 'panic'") $(boots "status = 'ok'")" = "2 2" ]
	[ "$(db "select count(*) from reports")" = 0 ]
	run --separate-stderr "$lkpctl" compare "$DOCS" "$SLOW" --format lkp
	echo "$output"
	[[ $output =~ fail:runs.*:2\ +100%\ +2:2\ +box/boot\ panic ]]
	run --separate-stderr "$lkpctl" --json compare "$DOCS" "$SLOW"
	jq -e '.failures == [{machine: "box", what: "boot panic", base: {failed: 0, runs: 2}, head: {failed: 2, runs: 2}}]' <<<"$output"
	# It is not booted for ever: asking again boots two more, no report.
	runs pwrite2 -b "$SLOW" --against "$DOCS" --json
	[ "$status" -eq 1 ]
	jq -e '.failure | contains("panic in 2 boots")' <<<"$output"
}

@test "one panic among good boots: the verdict stands on whole blocks" {
	toy_config "noise=0.0001,ok,ok,ok,panic,ok,ok,ok,ok,ok,ok,ok,ok,ok,ok,ok,ok"
	runs pwrite2 -b "$SLOW" --against "$DOCS"
	[ "$(boots "status = 'panic'")" = 1 ]
	[ "$(blocks)" -ge 4 ]
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	[[ $output == *fail:runs* ]]
}

@test "a base that does not build, and a head" {
	toy_branch broken "$SLOW"
	echo 'this is no C' >"$TOY/tree/mm/shmem.c"
	broken=$(toy_commit "mm: broken")
	runs pwrite2 -b "$SLOW" --against "$broken"
	[ "$status" -eq 1 ]
	[[ $stderr == *"base ${broken:0:12} does not build: mm/shmem.c:1:"* ]]
	runs pwrite2 -b "$broken" --against "$SLOW"
	[ "$status" -eq 1 ]
	[[ $stderr == *"head ${broken:0:12} does not build: mm/shmem.c:1:"* ]]
	runs pwrite2 -b "$broken"
	[ "$status" -eq 1 ]
	[[ $stderr == *"${broken:0:12} does not build: mm/shmem.c:1:"* ]]
	[ "$(boots)" = 0 ]
	[ "$(db "select count(*) from kernels where status = 'build-failed'")" = 1 ]
}

# ---- ends --------------------------------------------------------------------------------------

boots_are() {
	[ "$(db 'select count(*) from boots' 2>/dev/null)" = "$1" ] && [ -n "$(find "$LKP_STATE/results" -name '*.part')" ]
}

@test "SIGINT in a boot: status 75, what was measured stays, nothing half is kept" {
	toy_config ok,ok,ok,wait
	toy_start out run pwrite2 -b "$SLOW" --against "$DOCS"
	until_true boots_are 3
	kill -INT "$pid"
	ended
	cat out
	[ "$status" -eq 75 ]
	[ "$(boots)" = 3 ]
	no_part_left
}

@test "kill -9 between boots: the next run clears, counts and completes" {
	toy_config ok,ok,ok,wait
	toy_start out run pwrite2 -b "$SLOW" --against "$DOCS"
	until_true boots_are 3
	kill -KILL "$pid"
	ended
	[ -n "$(find "$LKP_STATE/results" -name '*.part')" ]
	toy_config "noise=0.0001"
	runs pwrite2 -b "$SLOW" --against "$DOCS"
	[ "$status" -eq 0 ]
	no_part_left
	# One whole block was there, half a one does not count.
	[ "$(blocks)" = 5 ]
	[ "$(boots)" = 11 ]
	[ "$(find "$LKP_STATE/results/box" -mindepth 1 -maxdepth 1 -type d | wc -l)" = 11 ]
}

@test "killed between the boot and its row: the next run indexes the folder, and measures no more than it must" {
	runs pwrite2 -b "$BASE" --boots 2
	[ "$status" -eq 0 ]
	before=$(db "select boot, started, seconds from boots order by boot")
	for table in samples runs boots; do
		db "delete from $table"
	done
	mkdir "$LKP_STATE/results/box/not-whole"
	runs pwrite2 -b "$BASE" --boots 1
	[ "$status" -eq 0 ]
	[ "$(db "select count(*) from boots")" = 3 ]
	[ "$(db "select boot, started, seconds from boots where boot in (select boot from boots order by id limit 2) order by boot")" = "$before" ]
	[ "$(db "select count(distinct run_id) from samples")" = 3 ]
}

@test "two on one machine: the second waits, says so, and counts its own boots only" {
	toy_config wait,ok
	toy_start first run pwrite2 -b "$SLOW"
	one=$pid
	until_true boots_are 0
	toy_start second run pwrite2 -b "$SLOW" --boots 2
	two=$pid
	until_true grep -q 'waiting: machine "box" is in use' second
	kill -INT "$one"
	pid=$one
	ended
	[ "$status" -eq 75 ]
	toy_config ok
	pid=$two
	# The second read "wait, ok": its turns are ok, then wait.
	until_true boots_are 1
	kill -INT "$two"
	ended
	cat second
	[ "$status" -eq 75 ]
	no_part_left
	[ "$(boots)" = 1 ]
}

@test "another machine is not waited for" {
	toy_config wait -e '/^mail:/i\  twin:\n    driver: fake\n    answers: [ ok ]'
	toy_start first run pwrite2 -b "$SLOW"
	until_true boots_are 0
	runs pwrite2 -b "$SLOW" -m twin
	[ "$status" -eq 0 ]
	kill -INT "$pid"
	ended
	[ "$status" -eq 75 ]
}
