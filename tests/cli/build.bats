# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl build on a toy tree: the real sandbox, configuration, cache and image ids.

bats_require_minimum_version 1.5.0
load toy

setup_file() {
	toy_open
}

teardown_file() {
	toy_close
}

setup() {
	toy_setup
	toy_config
	toy_branch "t$BATS_TEST_NUMBER"
}

teardown() {
	toy_teardown
}

# builds [ARGS...]: builds this test's branch; sets $status, $output and $stderr.
builds() {
	run --separate-stderr "$lkpctl" build -q "t$BATS_TEST_NUMBER" "$@"
	echo "status $status; $output; $stderr"
}

records() {
	find "$LKP_CACHE/kernels" -name '*.json' 2>/dev/null | wc -l
}

log_of() {
	zstdcat "$(jq -r .log <<<"$output")"
}

@test "a commit is built, and not built again" {
	builds
	[ "$status" -eq 0 ]
	image=$(sed -n 's/^image  *//p' <<<"$output" | grep /)
	id=$(sed -n 's/^image id  *//p' <<<"$output")
	[ "$(sha256sum <"$image" | cut -d' ' -f1)" = "$id" ]
	[[ $output == *"built     now"* ]]
	# What was kept serves without make, sources or objects.
	rm -rf "$LKP_CACHE/out" "$LKP_CACHE/src"
	builds
	[ "$status" -eq 0 ]
	[[ $output == *"image id  $id"*"nothing was built now"* ]]
	[ ! -e "$LKP_CACHE/src/toy" ]
	[ "$(db "select status, image_id = '$id' from kernels")" = "ok|1" ]
}

@test "--json" {
	builds --json
	[ "$status" -eq 0 ]
	jq -e --arg c "$(toy_git rev-parse HEAD)" '.commit == $c and .tree == "toy" and .kconfig == "tiny" and .status == "ok" and
		(.image_id | length) == 64 and .error == null and .cached == false and .seconds > 0' <<<"$output"
	jq -e '.toolchain | test("^gcc [0-9.]+, ld [0-9.]+$")' <<<"$output"
	[ -s "$(jq -r .image <<<"$output")" ]
	log_of | grep -q 'CC      mm/shmem.o'
	builds --json
	[ "$(jq .cached <<<"$output")" = true ]
}

@test "the same sources give the same image, in another cache and from another commit" {
	builds --json
	first=$(jq -r .image_id <<<"$output")
	LKP_CACHE=$dir/other builds --json
	[ "$(jq -r '.image_id + " \(.cached)"' <<<"$output")" = "$first false" ]
	date >"$TOY/tree/Documentation/x"
	toy_commit "Documentation: x"
	builds --json
	[ "$(jq -r '.image_id + " \(.cached)"' <<<"$output")" = "$first false" ]
	toy_source 99
	toy_commit "mm: other"
	builds --json
	[ "$(jq -r .image_id <<<"$output")" != "$first" ]
}

@test "a commit that does not compile: first error with its place, status 1, kept" {
	printf 'int shmem_write(void)\n{\n\treturn nothing_like_it;\n}\n' >"$TOY/tree/mm/shmem.c"
	toy_commit "mm: broken"
	builds
	[ "$status" -eq 1 ]
	[[ $output == *"does not build with kconfig tiny"*"mm/shmem.c:3:"*"error"*nothing_like_it* ]]
	[ "$(db "select status from kernels")" = build-failed ]
	[ "$(records)" = 1 ]
	rm -rf "$LKP_CACHE/out" "$LKP_CACHE/src"
	builds --json
	[ "$status" -eq 1 ]
	jq -e '.status == "build-failed" and .cached and .image == null and .image_id == null and (.error | startswith("mm/shmem.c:3:"))' <<<"$output"
	log_of | grep -q nothing_like_it
}

@test "a symbol that does not survive is named with its line and the reason; nothing is kept" {
	printf 'CONFIG_SHMEM=y\nCONFIG_HOVER=y\nCONFIG_NO_SUCH=y\n' >"$dir/tiny.config"
	builds
	[ "$status" -eq 1 ]
	[[ $stderr == *"tiny.config:2: CONFIG_HOVER=y did not survive"*"depends on ANTIGRAVITY"* ]]
	[[ $stderr == *"tiny.config:3: CONFIG_NO_SUCH=y did not survive"*"no such symbol"* ]]
	[ "$(records)" = 0 ]
	[ "$(db "select count(*) from kernels")" = 0 ]
}

@test "a fragment with a line that sets nothing, or that is not there" {
	printf 'CONFIG_SHMEM=y\nSHMEM\n' >"$dir/tiny.config"
	builds
	[ "$status" -eq 1 ]
	[[ $stderr == *"tiny.config:2: expected CONFIG_NAME=value"* ]]
	rm "$dir/tiny.config"
	builds
	[ "$status" -eq 1 ]
	[[ $stderr == *tiny.config* ]]
}

@test "edited fragments: built again, and the old kernel is not taken" {
	builds --json
	first=$(jq -r .image_id <<<"$output")
	printf 'CONFIG_SHMEM=y\nCONFIG_TMPFS=y\nCONFIG_EXTRA=y\n' >"$dir/tiny.config"
	builds --json
	[ "$status" -eq 0 ]
	[ "$(jq .cached <<<"$output")" = false ]
	[ "$(jq -r .image_id <<<"$output")" != "$first" ]
	zstdcat "$(ls "$LKP_CACHE"/kernels/toy/tiny/*.config.zst)" | grep -q CONFIG_EXTRA=y
	printf 'CONFIG_SHMEM=y\nCONFIG_TMPFS=y\n' >"$dir/tiny.config"
	builds --json
	[ "$(jq -r .image_id <<<"$output")" = "$first" ]
}

@test "a damaged record, or an image that is gone, is built again" {
	builds --json
	first=$(jq -r .image_id <<<"$output")
	rm -rf "$LKP_CACHE/images"
	builds --json
	[ "$(jq -r '.image_id + " \(.cached)"' <<<"$output")" = "$first false" ]
	echo '{"version": 1, "key"' >"$(find "$LKP_CACHE/kernels" -name '*.json')"
	builds --json
	[ "$(jq -r '.image_id + " \(.cached)"' <<<"$output")" = "$first false" ]
}

@test "a base that this kernel does not have, and one that is no file" {
	toy_config ok -e 's/base: allnoconfig/base: nosuchconfig/'
	builds
	[ "$status" -eq 1 ]
	[[ $stderr == *nosuchconfig* ]]
	toy_config ok -e 's#base: allnoconfig#base: nothing/here#'
	builds
	[ "$status" -eq 1 ]
	[[ $stderr == *nothing/here* ]]
}

@test "make that leaves no image is told apart from a broken commit" {
	toy_config ok -e 's#^    fragments:#    image: arch/arm/boot/bzImage\n&#'
	builds
	[ "$status" -eq 1 ]
	[[ $stderr == *"left no file arch/arm/boot/bzImage"* ]]
	[ "$(records)" = 0 ]
}

@test "an image that is a link to a file of the host is not followed" {
	toy_recipe '@true'
	printf '\t@ln -sf /etc/passwd $(O)/arch/x86/boot/bzImage\n' >>"$TOY/tree/Makefile"
	toy_commit "Makefile: link"
	builds
	[ "$status" -eq 1 ]
	[ -z "$(find "$LKP_CACHE/images" -type f 2>/dev/null)" ]
}

# ---- the sandbox -------------------------------------------------------------------------------

# hostile COMMAND: a tree whose build does that first and goes on when it works.
hostile() {
	toy_recipe "$1"
	toy_commit "Makefile: hostile"
	builds
}

@test "a build has no network" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 -c 'import os, socket
s = socket.create_server(("127.0.0.1", 0))
open("port", "w").write(str(s.getsockname()[1]))
os.fork() and os._exit(0)
s.settimeout(20)
try: s.accept(); open("reached", "w")
except OSError: pass' 3>&- >/dev/null 2>&1
	hostile "@python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", $(cat port)), 5)'"
	[ "$status" -eq 1 ]
	[ ! -e reached ]
	zstdcat "$LKP_CACHE"/kernels/toy/tiny/*.log.zst | grep -qE 'ConnectionRefused|unreachable'
	hostile '@test "$$(ls /sys/class/net 2>/dev/null; grep -c : /proc/net/dev)" = 1'
	[ "$status" -eq 0 ]
}

@test "a build writes nowhere but into its output folder" {
	mkdir -m 777 open
	for place in "$dir/open/x" /src/x /usr/x /x /dev/x; do
		hostile "@echo x > $place"
		echo "$place"
		[ "$status" -eq 1 ]
		[[ $output == *"does not build"*"*** "* ]]
	done
	[ -z "$(ls open)" ]
	[ ! -e "$LKP_CACHE/src/toy/x" ]
	# Its /tmp is its own and ends with it.
	hostile "@echo x > /tmp/lkp-toy-escaped-$$"
	[ "$status" -eq 0 ]
	[ ! -e "/tmp/lkp-toy-escaped-$$" ]
	[ ! -e "/etc/lkp-toy-escaped-$$" ]
}

@test "a build reads no file of the host but /usr, sees no other process and no variable of ours" {
	echo secret >"$dir/secret"
	chmod 644 "$dir/secret"
	for command in "cat $dir/secret" "cat $LKP_CACHE/src/toy/Makefile" 'cat /etc/passwd' "ls $HOME" "kill -0 $$" 'test -n "$$LKP_STATE"'; do
		hostile "@$command"
		echo "$command"
		[ "$status" -eq 1 ]
	done
	if [ "$(id -u)" = 0 ]; then
		hostile '@test "$$(id -u)" = 65534'
		[ "$status" -eq 0 ]
	fi
}

# ---- ends --------------------------------------------------------------------------------------

# slow: a tree whose build says that it began and then waits for the file "go", with a child that will
# not be ended kindly and one that has become a daemon.
slow() {
	token=7$BATS_TEST_NUMBER.$$
	toy_recipe "@(trap '' TERM INT; exec sleep 1$token) & setsid -f sleep 2$token; touch \$(O)/began; while ! test -e \$(O)/go; do sleep 0.02; done"
	toy_commit "Makefile: slow"
}

# goes_on: the build that was ended, with the file "go" there once it has begun anew.
goes_on() {
	rm -f "$LKP_CACHE/out/toy/tiny/began"
	toy_start out build -q "t$BATS_TEST_NUMBER"
	until_true test -e "$LKP_CACHE/out/toy/tiny/began"
	touch "$LKP_CACHE/out/toy/tiny/go"
	ended
	cat out
	[ "$status" -eq 0 ]
	grep -q "built     now" out
}

nothing_left() {
	! pgrep -f "sleep [12]$token" >/dev/null
}

@test "a build's deadline is ours to explain, keeps nothing and leaves no process" {
	slow
	toy_config ok -e 's/timeout: 60s/timeout: 1s/'
	builds
	[ "$status" -eq 1 ]
	[[ $stderr == *"not built in time"*"build: timeout:"* ]]
	nothing_left
	[ "$(records)" = 0 ]
	[ "$(db "select count(*) from kernels")" = 0 ]
	toy_config
	goes_on
}

@test "SIGINT in a build: status 75, nothing left running, and the next build works" {
	slow
	toy_start out build "t$BATS_TEST_NUMBER"
	until_true test -e "$LKP_CACHE/out/toy/tiny/began"
	kill -INT "$pid"
	ended
	cat out
	[ "$status" -eq 75 ]
	nothing_left
	[ "$(records)" = 0 ]
	goes_on
}

@test "kill -9 in a build: nothing left running, and the next build works" {
	slow
	toy_start out build "t$BATS_TEST_NUMBER"
	until_true test -e "$LKP_CACHE/out/toy/tiny/began"
	kill -KILL "$pid"
	ended
	until_true nothing_left
	goes_on
}

@test "two at once: the second says that it waits, then finds it built" {
	slow
	toy_start first build "t$BATS_TEST_NUMBER" --json
	one=$pid
	until_true test -e "$LKP_CACHE/out/toy/tiny/began"
	toy_start second build "t$BATS_TEST_NUMBER"
	two=$pid
	until_true grep -q "waiting for another build" second
	# Another one that waits may be ended.
	toy_start third build "t$BATS_TEST_NUMBER"
	until_true grep -q "waiting for another build" third
	kill -INT "$pid"
	ended
	[ "$status" -eq 75 ]
	touch "$LKP_CACHE/out/toy/tiny/go"
	pid=$one
	ended
	[ "$status" -eq 0 ]
	pid=$two
	ended
	cat second
	[ "$status" -eq 0 ]
	grep -q "nothing was built now" second
}

@test "names that do not exist come with what exists" {
	builds -t tyo
	[ "$status" -eq 1 ]
	[[ $stderr == *'"tyo"'*toy* ]]
	builds -k tinny
	[ "$status" -eq 1 ]
	[[ $stderr == *'"tinny"'*tiny* ]]
	run --separate-stderr "$lkpctl" build -q no-such-branch
	[ "$status" -eq 1 ]
	[[ $stderr == *no-such-branch* ]]
	builds --git /nonexistent/linux
	[ "$status" -eq 1 ]
	[[ $stderr == */nonexistent/linux* ]]
	run -64 "$lkpctl" build
	run -64 "$lkpctl" build a b
}

@test "--db keeps the store elsewhere, and without a configuration there is no build" {
	builds --db "$dir/elsewhere.db"
	[ "$status" -eq 0 ]
	[ "$(sqlite3 elsewhere.db 'select count(*) from kernels')" = 1 ]
	[ ! -e "$LKP_STATE/lkp.db" ]
	rm lkp.yaml
	builds
	[ "$status" -eq 1 ]
	[[ $stderr == *lkp.yaml* ]]
}
