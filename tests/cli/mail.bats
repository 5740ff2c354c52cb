# SPDX-License-Identifier: GPL-2.0-or-later
# What `lkpctl run --against` files: reports and mails, on a toy tree with kind and with hostile authors.

bats_require_minimum_version 1.5.0
load toy

setup_file() {
	toy_open
}

teardown_file() {
	toy_close
}

# Kernels and the toolbox are shared by the tests of this file.
setup() {
	toy_setup "$TOY/cache"
	command -v perf >/dev/null || skip "perf is not installed"
	[ -x "$root/build/lkp-agent" ] || skip "no agent is built: run make"
}

teardown() {
	toy_teardown
}

# slow_commit SUBJECT [NAME EMAIL]: this test's branch with one slower commit, made of the very bytes given.
# git itself would clean a name: so the object is written by hand. Sets $base and $head.
slow_commit() {
	local tree
	toy_branch "t$BATS_TEST_NUMBER"
	base=$(toy_git rev-parse HEAD)
	toy_source "1000 + $BATS_TEST_NUMBER"
	toy_git add -A
	tree=$(toy_git write-tree)
	head=$({
		printf 'tree %s\nparent %s\n' "$tree" "$base"
		printf 'author %s <%s> 1710000000 +0000\n' "${2:-Sam Slow}" "${3-sam@example.org}"
		printf 'committer Tess <tess@example.org> 1710000000 +0000\n\n%s\n' "$1"
	} | toy_git hash-object -t commit -w --stdin --literally)
	toy_git update-ref "refs/heads/t$BATS_TEST_NUMBER" "$head"
}

# judged [SED...]: the slow commit against its parent, whatever the configuration's edits.
judged() {
	toy_config
	toy_config "image:$(image_of "$head")=0.95" "$@"
	run --separate-stderr "$lkpctl" run -q pwrite2 -b "$head" --against "$base"
	echo "status $status; $output; $stderr"
	[ "$status" -eq 2 ]
}

header() {
	sed '/^$/q' "$(mails)" | sed -e ':a;N;$!ba;s/\n[ \t]/ /g' | grep -i "^$1: " | cut -d' ' -f2-
}

# The letter itself, decoded.
letter() {
	python3 -c 'import email, sys
for part in email.message_from_binary_file(open(sys.argv[1], "rb")).walk():
	if part.get_content_type() == "text/plain":
		sys.stdout.buffer.write(part.get_payload(decode=True))
		break' "$(mails)"
}

# Nothing that drives a terminal, turns text around, or is no UTF-8.
harmless() {
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$1" || return 1
	! LC_ALL=C grep -qP '\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xc2[\x80-\x9f]' "$1" || return 1
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null
}

# JSON is for programs: it keeps all text as it is, but for what its own rules escape.
harmless_json() {
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f]' "$1" || return 1
	iconv -f UTF-8 -t UTF-8 "$1" | jq . >/dev/null
}

# everything_harmless: whatever the verbs print of this finding.
everything_harmless() {
	local verb
	for verb in "mail list" "--json mail list" "mail show 1" "--json mail show 1" report "--json report" "report 1" \
		"report 1 --format lkp" "report 1 --format json" "compare $base $head" "run pwrite2 -b $head --against $base"; do
		# shellcheck disable=SC2086 # words
		"$lkpctl" $verb >shown 2>&1 || true
		echo "$verb"
		[ -s shown ]
		case $verb in
		*json*) harmless_json shown ;;
		*) harmless shown ;;
		esac
	done
	harmless "$(mails)"
	[ "$(LC_ALL=C grep -c '^To: ' "$(mails)")" = 1 ]
	[ "$(header X-Evil)" = "" ]
}

# ---- who gets it -------------------------------------------------------------------------------

@test "an author's mail: addressed, with its attachments, and shown by the verbs" {
	slow_commit "mm: look twice"
	judged
	[[ $output == *"report 1 (lkpctl report 1); mail 1, in the maildir: $LKP_STATE/maildir/new/"* ]]
	[ "$(header To)" = "Sam Slow <sam@example.org>" ]
	[ "$(header Cc)" = list@example.org ]
	[ "$(header From)" = "lkpd <lkpd@example.org>" ]
	[ "$(header X-LKP-Commit)" = "$head" ]
	[ "$(header Auto-Submitted)" = auto-generated ]
	[[ $(header Subject) =~ ^\[mm\]\ ${head:0:12}:\ -[45]\.[0-9]%\ will-it-scale.per_thread_ops$ ]]
	letter | grep -q '^Hello Sam Slow,$'
	grep -q 'filename="reproduce.sh"' "$(mails)"
	grep -q 'filename="samples.json"' "$(mails)"
	run --separate-stderr "$lkpctl" mail list
	[[ ${lines[0]} == *ID*STATE*SUBJECT*TO*PLACE* ]]
	[[ ${lines[1]} == *1*sent*"sam@example.org,list@example.org"*"$(mails)"* ]]
	"$lkpctl" --json mail list | jq -e --arg p "$(mails)" 'length == 1 and .[0].state == "sent" and .[0].place == $p and .[0].report == 1'
	"$lkpctl" mail show 1 | cmp - "$(mails)"
	"$lkpctl" --json mail show 1 | jq -j .text | cmp - "$(mails)"
}

@test "the attachments: the script is a script, the samples can be imported and judged again" {
	slow_commit "mm: look twice"
	judged
	python3 -c 'import email, sys
for part in email.message_from_binary_file(open(sys.argv[1], "rb")).walk():
	if part.get_filename():
		open(part.get_filename(), "wb").write(part.get_payload(decode=True))' "$(mails)"
	sh -n reproduce.sh
	grep -q "$head" reproduce.sh
	cmp job.yaml "$root/jobs/pwrite2.yaml"
	"$lkpctl" --db again.db import samples.json
	run --separate-stderr "$lkpctl" --db again.db compare "$base" "$head"
	[ "$status" -eq 2 ]
}

@test "an author who is not in mail.allow gets nothing, and it is said" {
	slow_commit "mm: look twice" "Max Elsewhere" max@elsewhere.example
	judged
	[ "$(header To)" = list@example.org ]
	[ -z "$(header Cc)" ]
	[ "$(db "select recipients from mails")" = list@example.org ]
	[[ $output == *"max@elsewhere.example (not in mail.allow)"* ]]
}

@test "mail_authors off, and nobody in report_to: no mail, and why" {
	slow_commit "mm: look twice"
	judged -e '/mail_authors/d'
	[ "$(db "select recipients from mails")" = list@example.org ]
	rm -rf "$LKP_STATE"
	judged -e '/mail_authors/d; /report_to/d'
	[ -z "$(mails)" ]
	[ "$(db "select count(*) from reports")" = 1 ]
	[[ $output == *"no mail: "*report_to* ]]
	run --separate-stderr "$lkpctl" report 1
	[ "$status" -eq 1 ]
	[[ $stderr == *"has no mail"*"--format lkp"* ]]
}

@test "nobody is allowed: no mail, and why" {
	slow_commit "mm: look twice"
	judged -e '/allow:/d'
	[ -z "$(mails)" ]
	[[ $output == *"no mail: sam@example.org (not in mail.allow), list@example.org (not in mail.allow)"* ]]
	# The reason is not made up when it is asked again.
	judged -e '/allow:/d'
	[[ $output == *"no mail: nobody was to get it when it was filed"* ]]
}

@test "confirm off: a regression is found, nothing is filed" {
	slow_commit "mm: look twice"
	judged -e '$a sampling:\n  confirm: false'
	[[ $output == *regression* ]]
	[ -z "$(mails)" ]
	[ "$(db "select count(*) from boots")" = 10 ]
	[ "$(db "select count(*) from reports")" = 0 ]
}

@test "a maildir that cannot be written: the report is kept, and asking again delivers once" {
	[ "$(id -u)" = 0 ] || skip "needs root for a folder that nobody can write"
	slow_commit "mm: look twice"
	toy_config
	toy_config "image:$(image_of "$head")=0.95" -e "s#^  from:#  maildir: $dir/box\n&#"
	touch box
	run --separate-stderr "$lkpctl" run -q pwrite2 -b "$head" --against "$base"
	[ "$status" -eq 1 ]
	[[ $stderr == *"$dir/box"* ]]
	[ "$(db "select state from mails")" = queued ]
	rm box
	run --separate-stderr "$lkpctl" run -q pwrite2 -b "$head" --against "$base"
	[ "$status" -eq 2 ]
	[ "$(db "select state from mails")" = sent ]
	[ "$(find box/new -type f | wc -l)" = 1 ]
}

# ---- hostile commits ---------------------------------------------------------------------------

@test "escape sequences and turned-around text in name and subject" {
	slow_commit $'mm: \e[2J\e]0;owned\a \u202egnp.exe\u2066 \u009b31m \x7f' $'Eve \e[31mRed\u202e\a'
	judged
	everything_harmless
}

@test "bytes that are no UTF-8" {
	slow_commit $'mm: \xff\xfe caf\xe9 \xc0\xaf \xed\xa0\x80' $'J\xf6rg \xff'
	judged
	everything_harmless
}

@test "a name and a subject in other scripts are kept" {
	slow_commit 'mm: größer, 遅い' 'Jörg 太郎'
	judged
	everything_harmless
	letter | grep -q '^Hello Jörg 太郎,$'
	letter | grep -q 'mm: größer, 遅い'
	python3 -c 'import email.header, sys
print("".join(str(t, c or "ascii") if isinstance(t, bytes) else t for t, c in email.header.decode_header(sys.argv[1])))' "$(header To)" >name
	grep -q '^Jörg 太郎 *<sam@example.org>$' name
}

@test "2000 characters" {
	long=$(printf 'x%.0s' {1..2000})
	slow_commit "mm: $long" "N$long"
	judged
	everything_harmless
	[ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' "$(mails)")" -le 998 ]
}

@test "shell, SQL, HTML and header words stay words" {
	slow_commit '`touch pwned` $(touch pwned) ; touch pwned <script>alert(1)</script> %s%n '"'; DROP TABLE mails; --" \
		'Bcc: all@example.org, "Ro\bert"); DROP TABLE reports; -- =?UTF-8?q?=0d=0aX-Evil:_1?='
	judged
	everything_harmless
	[ ! -e pwned ]
	[ -z "$(header Bcc)" ]
	[ "$(db "select count(*) from reports")" = 1 ]
	letter >text
	grep -qF '<script>alert(1)</script>' text
	[ "$(db "select recipients from mails")" = "sam@example.org,list@example.org" ]
}

@test "addresses that are none get no mail" {
	n=0
	for address in 'a b@example.org' 'x@example.org,y@example.org' $'x\e@example.org' '@example.org' 'x' '' 'x@y@example.org' 'x;y@example.org'; do
		slow_commit "mm: address $((n += 1))" Eve "$address"
		rm -rf "$LKP_STATE"
		judged
		printf '%s\n' "$address"
		[ "$(header To)" = list@example.org ]
		harmless "$(mails)"
	done
}

@test "a path of a hostile name gives no subject of its own" {
	toy_branch "t$BATS_TEST_NUMBER"
	mkdir -p "$TOY/tree/"$'\e[31m\nX-Evil: 1'
	echo x >"$TOY/tree/"$'\e[31m\nX-Evil: 1/x'
	# Only that folder differs, and the image with it.
	sed -i 's#cat $(O)/shmem.o#cat */x $(O)/shmem.o#' "$TOY/tree/Makefile"
	base=$(toy_commit "Makefile: more")
	echo y >"$TOY/tree/"$'\e[31m\nX-Evil: 1/x'
	head=$(toy_commit "evil: y")
	judged
	everything_harmless
	[[ $(header Subject) == *"${head:0:12}: -"* ]]
}

# ---- reports -----------------------------------------------------------------------------------

@test "report: listed, shown, its state set; wrong ids" {
	slow_commit "mm: look twice"
	judged
	run --separate-stderr "$lkpctl" report
	[[ ${lines[1]} == *1*confirmed*regression*"${head:0:12}"*"${base:0:12}"*box/will-it-scale/pwrite2* ]]
	"$lkpctl" --json report | jq -e --arg h "$head" 'length == 1 and .[0].head == $h and .[0].state == "confirmed" and .[0].kconfig == "tiny"'
	run --separate-stderr "$lkpctl" report 1
	[ "$status" -eq 0 ]
	[[ $output == *"Hello Sam Slow,"*"[attached:"*reproduce.sh* ]]
	"$lkpctl" report 1 --format mail | cmp - "$(mails)"
	"$lkpctl" report 1 --format lkp | grep -q 'TOTAL will-it-scale.per_thread_ops'
	"$lkpctl" report 1 --format json | jq -e '.tests | length > 0'
	"$lkpctl" report 1 --set-state fixed
	"$lkpctl" --json report | jq -e '.[0].state == "fixed"'
	# Asking again does not open it anew.
	run "$lkpctl" run -q pwrite2 -b "$head" --against "$base"
	[ "$status" -eq 2 ]
	"$lkpctl" --json report | jq -e 'length == 1 and .[0].state == "fixed"'
	for id in 2 0 -1 x 1x 99999999999999999999; do
		run --separate-stderr "$lkpctl" report -- "$id"
		[ "$status" -eq 1 ]
		[ -n "$stderr" ]
		run --separate-stderr "$lkpctl" mail show -- "$id"
		[ "$status" -eq 1 ]
		[ -n "$stderr" ]
	done
	run --separate-stderr "$lkpctl" report 2 --set-state fixed
	[ "$status" -eq 1 ]
	run --separate-stderr "$lkpctl" report 1 --set-state broken
	[ "$status" -eq 1 ]
	[[ $stderr == *duplicate* ]]
}
