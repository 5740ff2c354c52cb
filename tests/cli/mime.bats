# SPDX-License-Identifier: GPL-2.0-or-later
# The mails as another program reads them: Python's email package, which notes every defect it meets.

bats_require_minimum_version 1.5.0
load toy

setup_file() {
	toy_open
}

teardown_file() {
	toy_close
}

setup() {
	toy_setup "$TOY/cache"
	command -v perf >/dev/null || skip "perf is not installed"
	[ -x "$root/build/lkp-agent" ] || skip "no agent is built: run make"
}

teardown() {
	toy_teardown
}

# mailed SUBJECT NAME: a slow commit of these very bytes is judged, and its author written to.
mailed() {
	local tree head
	toy_branch "t$BATS_TEST_NUMBER"
	base=$(toy_git rev-parse HEAD)
	toy_source "2000 + $BATS_TEST_NUMBER"
	toy_git add -A
	tree=$(toy_git write-tree)
	head=$({
		printf 'tree %s\nparent %s\n' "$tree" "$base"
		printf 'author %s <sam@example.org> 1710000000 +0000\n' "$2"
		printf 'committer Tess <tess@example.org> 1710000000 +0000\n\n%s\n' "$1"
	} | toy_git hash-object -t commit -w --stdin --literally)
	toy_git update-ref "refs/heads/t$BATS_TEST_NUMBER" "$head"
	toy_config
	toy_config "image:$(image_of "$head")=0.95"
	run --separate-stderr "$lkpctl" run -q pwrite2 -b "$head" --against "$base"
	echo "status $status; $output; $stderr"
	[ "$status" -eq 2 ]
	[ "$(mails | wc -l)" = 1 ]
}

# read_back NAME: no defects; headers, tree and encodings as they have to be; the author's name is NAME.
read_back() {
	python3 - "$(mails)" "$1" "$root/jobs/pwrite2.yaml" <<-'END'
		import email, email.header, email.policy, email.utils, json, re, sys

		raw = open(sys.argv[1], "rb").read()
		message = email.message_from_bytes(raw, policy=email.policy.default)
		for part in message.walk():
		    assert not part.defects, (part.get_content_type(), part.defects)
		    for name, value in part.items():
		        assert not value.defects, (name, str(value), value.defects)
		lines = raw.split(b"\n")
		assert max(map(len, lines)) <= 998, max(map(len, lines))
		head = raw.split(b"\n\n")[0]
		assert max(map(len, head.split(b"\n"))) <= 100 and b"\r" not in raw and b"\0" not in raw

		names = [n.lower() for n in message.keys()]
		assert names == ["date", "from", "to", "cc", "subject", "message-id", "auto-submitted", "list-id",
		    "x-lkp-commit", "x-lkp-base", "x-lkp-test", "x-lkp-verdict", "mime-version", "content-type",
		    "content-transfer-encoding"], names
		assert [a.addr_spec for a in message["to"].addresses] == ["sam@example.org"]
		# Not display_name: it may keep the blank between two encoded words, which belongs to neither (RFC 2047, 6.2).
		name = email.utils.parseaddr(email.message_from_bytes(raw)["to"])[0]
		name = str(email.header.make_header(email.header.decode_header(name)))
		assert name == sys.argv[2], name
		assert [a.addr_spec for a in message["cc"].addresses] == ["list@example.org"]
		assert message["from"].addresses[0].display_name == "lkpd"
		assert re.fullmatch(r"\[mm\] [0-9a-f]{12}: -[45]\.[0-9]% will-it-scale\.per_thread_ops", message["subject"])
		assert re.fullmatch(r"<[^<> ]+>", message["list-id"])
		assert message["date"].datetime.utcoffset().total_seconds() == 0

		tree = [(p.get_content_type(), p.get_filename()) for p in message.walk()]
		assert tree == [("multipart/mixed", None), ("text/plain", None), ("text/x-shellscript", "reproduce.sh"),
		    ("application/json", "samples.json"), ("text/x-yaml", "job.yaml"),
		    ("application/zstd", "config.zst")], tree
		body, script, samples, job, config = list(message.walk())[1:]
		for part in (body, script, samples, job):
		    assert part["content-transfer-encoding"] in ("7bit", "8bit", "quoted-printable", "base64")
		if any(p["content-transfer-encoding"] == "8bit" for p in (body, script, samples, job)):
		    assert message["content-transfer-encoding"] == "8bit"
		assert body.get_content_charset() == "utf-8"
		assert body.get_content().startswith("Hello ") and body.get_content().endswith("say so in an answer.\n")
		assert "mid:" + message["message-id"][1:-1] in body.get_content()
		assert script.get_content().startswith("#!/bin/sh\n") and script.get_content().endswith("exit $status\n")
		assert json.loads(samples.get_payload(decode=True))["format"] == "lkp-samples/1"
		assert config.get_payload(decode=True)[:4] == b"\x28\xb5\x2f\xfd" # RFC 8878 3.1.1
		assert job.get_payload(decode=True) == open(sys.argv[3], "rb").read()
	END
}

@test "a plain mail" {
	mailed "mm: look twice" "Sam Slow"
	read_back "Sam Slow"
}

@test "a name with what means something in an address" {
	mailed 'mm: a, "b" (c) @d: =?UTF-8?q?=0d=0aX-Evil:_1?=' 'Dr. O"Slow\, Sam (a@b.example); c: d'
	read_back 'Dr. O"Slow\, Sam (a@b.example); c: d'
}

@test "a name that looks like an encoded word" {
	mailed "mm: x" '=?UTF-8?q?=0d=0aBcc:_all?='
	read_back '=?UTF-8?q?=0d=0aBcc:_all?='
}

@test "a name in other scripts, longer than a line" {
	name="Jörg $(printf '太郎 %.0s' {1..40})Ende"
	mailed "mm: größer, 遅い" "$name"
	read_back "$name"
}

@test "a name of many plain words" {
	name="$(printf 'Sam %.0s' {1..60})Slow"
	mailed "mm: x" "$name"
	read_back "$name"
}

@test "escape sequences and turned-around text become blanks" {
	mailed $'mm: \e[2J \u202egnp.exe \u009b31m' $'Eve \e[31mRed\u202eder\u009b!'
	read_back 'Eve  [31mRed der !'
}

@test "bytes that are no UTF-8 become replacement characters" {
	mailed $'mm: \xff\xfe caf\xe9' $'J\xf6rg Slow'
	read_back $'J\ufffdrg Slow'
}
