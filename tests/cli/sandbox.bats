# SPDX-License-Identifier: GPL-2.0-or-later
# Commits whose Makefile is hostile, in the real sandbox: each ends with a clear message, nothing of it
# is left, and the next good commit builds. docs/sandbox.md says which wall each of them tries.

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

# limits LINE...: lkp.yaml with these lines below "build:".
limits() {
	local line add=()
	for line in "$@"; do
		add+=(-e "/^  jobs: 1/a\\  $line")
	done
	toy_config ok "${add[@]}"
}

# attempt: builds this test's branch; sets $status, $output (both streams) and $seconds.
attempt() {
	local begun=$SECONDS
	toy_start out build -q "t$BATS_TEST_NUMBER"
	builder=$pid
	ended
	seconds=$((SECONDS - begun))
	output=$(<out)
	echo "status $status in $seconds s: $output"
}

# hostile LINE...: a tree whose recipe of the image begins with these lines.
hostile() {
	local line
	toy_recipe '@true'
	for line in "$@"; do
		printf '%s\n' "$line" | sed 's/^/\t/' >>hostile.new
	done
	sed -i '/^bzImage:/r hostile.new' "$TOY/tree/Makefile"
	rm hostile.new
	toy_commit "Makefile: hostile"
	attempt
}

# afterwards LINE: the same, behind the making of the image.
afterwards() {
	toy_recipe '@true'
	printf '\t%s\n' "$@" >>"$TOY/tree/Makefile"
	toy_commit "Makefile: hostile"
	attempt
}

# Every process in a sandbox of this test has our output folder mounted.
no_process_left() {
	! grep -qsF "$dir/" /proc/[0-9]*/mountinfo
}

nothing_left() {
	until_true no_process_left
	[ -z "$(find /sys/fs/cgroup -maxdepth 8 -type d -name "lkp-$builder-*" 2>/dev/null)" ]
	[ -z "$(find "$LKP_CACHE" "$LKP_STATE" -name '.tmp-*' 2>/dev/null)" ]
}

# fine: nothing is left of the last build, and the next good commit builds as if it had not been.
fine() {
	nothing_left
	toy_config
	toy_recipe
	toy_source "$((++fine_count + 1000))"
	toy_commit "toy: good"
	attempt
	[ "$status" -eq 0 ]
	[[ $output == *"built     now"* ]]
	nothing_left
}

refused_images() {
	find "$LKP_CACHE/images" -type f 2>/dev/null | wc -l
}

@test "forks without end" {
	limits "processes: 150"
	hostile "@sh -c 'while :; do sleep 1000 & done'; set -- /proc/[0-9]*; echo \$\$# > \$(O)/count" \
		"@printf 'while :; do sh \$\$0 & done' > /tmp/bomb; sh /tmp/bomb & n=0; while [ \$\$n -lt 300 ]; do n=\$\$((n + 1)); set -- /proc/[0-9]*; done; exit 1"
	[ "$status" -eq 1 ]
	[[ $output == *"processes"*"build: processes:"* ]]
	echo "there were $(<"$LKP_CACHE/out/toy/tiny/count") at a time"
	[ "$(<"$LKP_CACHE/out/toy/tiny/count")" -gt 120 ]
	[ "$(<"$LKP_CACHE/out/toy/tiny/count")" -le 150 ]
	fine
}

@test "processes of the same user outside do not count" {
	[ "$(id -u)" = 0 ] || skip "only root can start processes of another user"
	limits "processes: 40"
	for _ in $(seq 60); do
		setpriv --reuid=65534 --regid=65534 --clear-groups sleep 60 3>&- &
		toy_pids="$toy_pids $!"
	done
	attempt
	[ "$status" -eq 0 ]
}

@test "more memory than allowed, in one process" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	limits "memory: 256M"
	hostile "@python3 -c 'x = bytearray(400 << 20)' || { echo 'cc1: out of memory allocating 400 bytes'; exit 1; }"
	[ "$status" -eq 1 ]
	[[ $output == *"ran out of memory"*"build: memory:"* ]]
	fine
}

@test "fills the disk with one file" {
	limits "disk: 20M"
	hostile '@dd if=/dev/zero of=$(O)/big bs=1M count=100'
	[ "$status" -eq 1 ]
	[[ $output == *"build: disk:"* ]]
	[ "$(stat -c %s "$LKP_CACHE/out/toy/tiny/big")" -le $((20 << 20)) ]
	fine
}

@test "fills the disk with many files" {
	limits "output: 64M"
	hostile '@i=0; while i=$$((i + 1)); do dd if=/dev/zero of=$(O)/f.$$i bs=1M count=4 2>/dev/null; sleep 0.005; done'
	[ "$status" -eq 1 ]
	[[ $output == *"output too large"*64M*"build: output:"* ]]
	# And gives the room back.
	[ -z "$(ls -A "$LKP_CACHE/out/toy/tiny")" ]
	fine
}

@test "an output folder that is too large when make ends, faster than anyone looks" {
	limits "output: 8M"
	hostile '@for i in 1 2 3 4; do head -c 4000000 /dev/zero > $(O)/f.$$i; done'
	[ "$status" -eq 1 ]
	[[ $output == *"output too large"*8M* ]]
	[ "$(refused_images)" = 0 ]
	fine
}

@test "leaves too little room on the disk" {
	mkdir -p "$LKP_CACHE"
	limits "keep_free: $(($(df --output=avail -B1 "$LKP_CACHE" | tail -1) - (100 << 20)))"
	hostile '@i=0; while [ $$i -lt 600 ]; do i=$$((i + 1)); dd if=/dev/zero of=$(O)/f.$$i bs=1M count=4 2>/dev/null; sleep 0.005; done'
	[ "$status" -eq 75 ]
	[[ $output == *"the disk of $LKP_CACHE"*"make room"* ]]
	[ -z "$(ls -A "$LKP_CACHE/out/toy/tiny")" ]
	limits "keep_free: 1024T"
	attempt
	[ "$status" -eq 75 ]
	[[ $output == *"1024T"*"build: keep_free:"* ]]
	fine
}

@test "fills the memory through /tmp, /dev/shm, / and /dev" {
	hostile '@grep -q " /tmp tmpfs .*size=1048576k" /proc/mounts' \
		'@! dd if=/dev/zero of=/dev/shm/x bs=1M count=70 2>/dev/null' \
		'@for at in /x /dev/x /etc/x; do ! (echo x > $$at) 2>/dev/null || exit 1; done' \
		'@rm /dev/shm/x && echo x > /tmp/x && echo x > /dev/shm/y && echo x > /dev/null'
	[ "$status" -eq 0 ]
	fine
}

@test "writes outside, by name and through links that it leaves to us" {
	mkdir -m 777 open
	echo precious >open/precious
	chmod 666 open/precious
	mkdir -p -m 777 "$LKP_CACHE/out/other/tiny"
	hostile "@ln -sf $dir/open/precious \$(O)/.config.link; ln -sf $dir/open/precious \$(O)/.lkp-fragments" \
		"@for at in $dir/open/new $dir/open/precious $LKP_CACHE/out/other/tiny/x $LKP_CACHE/out/toy/tiny.json $HOME/x /home/x /root/x /src/x /usr/bin/x \$(O)/.config.link; do (echo x > \$\$at) 2>/dev/null && echo \"\$\$at can be written\"; done; exit 1"
	[ "$status" -eq 1 ]
	! zstdcat "$LKP_CACHE"/kernels/toy/tiny/*.log.zst | grep "can be written"
	afterwards "@rm -f \$(O)/.config; ln -s $dir/open/precious \$(O)/.config"
	[ "$status" -eq 1 ]
	[[ $output == *".config: refused"*"symbolic link"* ]]
	[ "$(ls -A open)" = precious ]
	[ "$(<open/precious)" = precious ]
	[ -z "$(ls -A "$LKP_CACHE/out/other/tiny")" ]
	fine
	[ "$(<open/precious)" = precious ]
}

@test "opens sockets: the host's loopback, an abstract and a named unix socket" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 -c 'import os, select, socket, sys
tcp = socket.create_server(("127.0.0.1", 0))
all = [tcp]
for name in ("\0lkp-test-" + sys.argv[1], "/tmp/lkp-sock-" + sys.argv[1]):
    s = socket.socket(socket.AF_UNIX); s.bind(name); s.listen(); all.append(s)
os.chmod("/tmp/lkp-sock-" + sys.argv[1], 0o777)
open("port.new", "w").write(str(tcp.getsockname()[1])); os.rename("port.new", "port")
if select.select(all, [], [], 60)[0]: open("reached", "w")' "$$" 3>&- &
	toy_pids="$toy_pids $!"
	until_true test -e port
	cat >"$TOY/tree/scripts/connect" <<-END
		import socket
		for family, at in ((socket.AF_INET, ("127.0.0.1", $(<port))), (socket.AF_UNIX, "\0lkp-test-$$"), (socket.AF_UNIX, "/tmp/lkp-sock-$$")):
		    try:
		        socket.socket(family).connect(at)
		        print("reached", at)
		    except OSError as e:
		        print("refused", e.strerror)
	END
	hostile '@python3 scripts/connect; exit 1'
	rm -f "/tmp/lkp-sock-$$"
	[ "$status" -eq 1 ]
	[ ! -e reached ]
	[ "$(zstdcat "$LKP_CACHE"/kernels/toy/tiny/*.log.zst | grep -c '^refused')" = 3 ]
	# That listener would have noticed.
	python3 -c "import socket; socket.create_connection(('127.0.0.1', $(<port)))"
	until_true test -e reached
	fine
}

@test "sleeps for ever" {
	toy_config ok -e 's/timeout: 60s/timeout: 1s/'
	hostile "@trap '' TERM INT HUP; while :; do sleep 1000; done"
	[ "$status" -eq 1 ]
	[[ $output == *"not built in time"*"build: timeout:"* ]]
	[ "$seconds" -le 6 ]
	fine
}

@test "daemonises" {
	hostile '@setsid sh -c "(setsid sh -c \"touch /out/began; trap : TERM HUP; while :; do sleep 1000; done\" &) &" </dev/null >/dev/null 2>&1' \
		'@while ! test -e $(O)/began; do sleep 0.01; done'
	[ "$status" -eq 0 ]
	fine
}

@test "prints 1 GiB" {
	hostile '@yes "a line that says nothing at all" | head -c 1073741824'
	[ "$status" -eq 0 ]
	log=$(ls "$LKP_CACHE"/kernels/toy/tiny/*.log.zst)
	[ "$(zstdcat "$log" | wc -c)" -lt $((17 << 20)) ]
	zstdcat "$log" | tail -1 | grep -q "printed more than 16 MiB"
	fine
}

@test "prints an error that would take over the terminal" {
	hostile "@printf 'mm/shmem.c:1:1: error: \\033]0;owned\\007\\033[2J\\377\\302\\233x\\342\\200\\256y\\n'; exit 1"
	[ "$status" -eq 1 ]
	[[ $output == *"mm/shmem.c:1:1: error:"*owned* ]]
	! LC_ALL=C grep -q $'[\x01-\x08\x0e-\x1f\x7f\x9b\xff]' out
	! LC_ALL=C grep -q $'\xe2\x80\xae' out
	run --separate-stderr "$lkpctl" build -q --json "t$BATS_TEST_NUMBER"
	jq -e '.error | contains("owned") and (explode | all(. >= 32 and . < 127))' <<<"$output"
	fine
}

@test "leaves an image that is a link, a fifo, a folder, closed, or of 1 TiB" {
	limits "disk: 0"
	image='$(O)/arch/x86/boot/bzImage'
	while IFS='|' read -r what command; do
		echo "== $what"
		afterwards "@rm -rf $image" "@$command"
		[ "$status" -eq 1 ]
		[[ $output == *"arch/x86/boot/bzImage: refused"*"$what"* ]]
		[ "$seconds" -le 5 ]
		[ "$(refused_images)" = 0 ]
		nothing_left
	done <<-END
		symbolic link|ln -s /etc/shadow $image
		symbolic link|ln -s ../../../.config $image
		no regular file|mkfifo $image
		folder|mkdir $image
		too large|truncate -s 1T $image
		link is on the way|mv \$(O)/arch/x86 \$(O)/x86 && ln -s ../x86 \$(O)/arch/x86 && touch $image
	END
	fine
}

@test "leaves 100 000 files" {
	hostile '@mkdir -p $(O)/many && cd $(O)/many && seq 100000 | xargs touch'
	[ "$status" -eq 0 ]
	fine
}

@test "leaves what no next build could use: closed folders, fifos, folders for files, files of 2099" {
	for left in 'mkdir -p $(O)/a/b; chmod 000 $(O)/a' 'chmod 000 $(O)/arch/x86/boot' 'chmod 000 $(O)' 'chmod 000 $(O)/.config' \
		'rm $(O)/.config; mkdir $(O)/.config' 'rm -f $(O)/shmem.o; mkfifo $(O)/shmem.o' 'ln -sf /nowhere/x $(O)/shmem.o' \
		'touch -d 2099-01-01 $(O)/shmem.o' 'rm -rf $(O)/arch; ln -s /usr $(O)/arch'; do
		echo "== $left"
		toy_config
		afterwards "@$left"
		fine
	done
}

@test "kills its own make" {
	hostile '@kill -9 $$PPID; sleep 1000'
	[ "$status" -eq 1 ]
	[[ $output == *SIGKILL* ]]
	[ "$seconds" -le 5 ]
	fine
}

@test "kills all that it can" {
	sleep 1000 3>&- &
	bystander=$!
	toy_pids="$toy_pids $bystander"
	hostile '@kill -9 -1; sleep 1000'
	[ "$status" -eq 1 ]
	[[ $output == *SIGKILL* ]]
	kill -0 "$bystander"
	fine
}

@test "reads the environment of process 1, and of every other" {
	export LKP_SECRET=the-password-$$
	hostile "@cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c LKP_; ! cat /proc/[0-9]*/environ | grep -q the-password"
	[ "$status" -eq 0 ]
	unset LKP_SECRET
	fine
}

@test "makes namespaces of its own" {
	hostile '@! unshare -Ur true 2>/dev/null'
	[ "$status" -eq 0 ]
	fine
}

# ---- the host -----------------------------------------------------------------------------------

@test "without user namespaces: refused with the remedy, and nothing is built" {
	mkdir bin
	printf '#!/bin/sh\necho "bwrap: No permissions to create a new namespace, likely because the kernel does not allow non-privileged user namespaces. On e.g. debian this can be enabled with '"'sysctl kernel.unprivileged_userns_clone=1'"'." >&2\nexit 1\n' >bin/bwrap
	chmod 755 bin bin/bwrap
	PATH=$dir/bin:$PATH attempt
	[ "$status" -eq 1 ]
	[[ $output == *"does not start"*"sysctl -w kernel.unprivileged_userns_clone=1"* ]]
	[ ! -e "$LKP_CACHE/kernels" ]
	[ -z "$(ls "$LKP_CACHE/out/toy/tiny")" ]
	fine
}

@test "sandbox: off builds without bubblewrap, and says so loudly and once" {
	mkdir bin
	printf '#!/bin/sh\necho "bwrap: must not run" >&2\nexit 1\n' >bin/bwrap
	chmod 755 bin bin/bwrap
	toy_config ok -e 's/^    upstream: main/&\n    sandbox: off/'
	PATH=$dir/bin:$PATH attempt
	[ "$status" -eq 0 ]
	[ "$(grep -c "SANDBOX OFF" out)" = 1 ]
	grep -q "tree=toy" out
	if [ "$(id -u)" = 0 ]; then
		toy_recipe '@test "$$(id -u)" = 65534'
		toy_commit "toy: who am I"
		attempt
		[ "$status" -eq 0 ]
	fi
}

@test "the limits in force are in the build's record" {
	attempt
	[ "$status" -eq 0 ]
	record=$(ls "$LKP_CACHE"/kernels/toy/tiny/*.json)
	jq -e '.limits | index("rlimits") != null and all(IN("rlimits", "cgroup2 memory", "cgroup2 pids", "cgroup1 memory", "cgroup1 pids"))' "$record"
	# Where none is to be had, that is said when asked.
	if [ "$(jq '.limits | length' "$record")" = 1 ]; then
		toy_source 77
		toy_commit "toy: other"
		toy_start out -v build -q "t$BATS_TEST_NUMBER"
		ended
		[ "$(grep -c "limited one by one only" out)" = 1 ]
	fi
}

@test "a build that is killed leaves no control group behind the next one" {
	toy_recipe '@touch $(O)/began; while :; do sleep 0.02; done'
	toy_commit "Makefile: slow"
	toy_start out build -q "t$BATS_TEST_NUMBER"
	old=$pid
	until_true test -e "$LKP_CACHE/out/toy/tiny/began"
	kill -KILL "$old"
	ended
	until_true no_process_left
	builder=0
	fine
	[ -z "$(find /sys/fs/cgroup -maxdepth 8 -type d -name "lkp-$old-*" 2>/dev/null)" ]
}

@test "Ctrl-C ends a build within three seconds" {
	toy_recipe "@touch \$(O)/began; trap '' TERM INT HUP; (trap '' TERM; setsid sleep 1000 &); while :; do sleep 1000; done"
	toy_commit "Makefile: slow"
	toy_start out build -q "t$BATS_TEST_NUMBER"
	builder=$pid
	until_true test -e "$LKP_CACHE/out/toy/tiny/began"
	begun=$(date +%s%3N)
	kill -INT "$pid"
	ended
	took=$(($(date +%s%3N) - begun))
	cat out
	[ "$status" -eq 75 ]
	[ "$took" -lt 3000 ]
	no_process_left
	fine
}

# ---- the disk of the cache ----------------------------------------------------------------------

# needs_mounts: this test runs again in a mount namespace of its own, or says why it cannot.
needs_mounts() {
	[ "$(id -u)" = 0 ] || skip "only root may mount a small disk"
	unshare -m true 2>/dev/null || skip "this container may not mount: unshare -m fails"
	unshare -m sh -c 'mount -t tmpfs tmpfs /mnt' 2>/dev/null || skip "this container may not mount a tmpfs"
}

# Builds on a disk that has that many KiB left; what is wrong is printed.
on_small_disk() {
	cat >small.sh <<-'END'
		left=$1 branch=$2
		mkdir -p "$LKP_CACHE"
		mount -t tmpfs -o size=1M,mode=755 tmpfs "$LKP_CACHE" || exit 1
		dd if=/dev/zero of="$LKP_CACHE/ballast" bs=1K count=$((1024 - left)) 2>/dev/null
		"$lkpctl" build -q "$branch" >out 2>&1
		status=$?
		[ -z "$(find "$LKP_CACHE" -name '.tmp-*')" ] || echo "a temporary file is left"
		case $status in
		0) echo built >result ;;
		1 | 75) echo full >result
			grep -qE "disk of .*|cache is" out && grep -qE "make room" out && grep -q "$LKP_CACHE" out || cat out ;;
		*) cat out ;;
		esac
		rm "$LKP_CACHE/ballast"
		"$lkpctl" build -q "$branch" >out 2>&1 || { echo "with room again:"; cat out; }
	END
	unshare -m sh small.sh "$1" "t$BATS_TEST_NUMBER"
}

@test "a disk of the cache that is full at any point: path, remedy, and it works with room again" {
	needs_mounts
	limits "keep_free: 0"
	export lkpctl
	full=0
	built=0
	for left in 0 4 8 12 16 20 24 28 32 36 40 44 48 56 64 72 80 96 128 400; do
		wrong=$(on_small_disk $left)
		echo "$left KiB: $(<result): $wrong"
		[ -z "$wrong" ]
		[ "$(<result)" != full ] || full=$((full + 1))
		[ "$(<result)" != built ] || built=$((built + 1))
	done
	[ "$full" -ge 5 ]
	[ "$built" -ge 1 ]
}

@test "a cache that is read-only" {
	needs_mounts
	mkdir -p "$LKP_CACHE"
	export lkpctl
	unshare -m sh -c 'mount -t tmpfs -o ro tmpfs "$LKP_CACHE"; "$lkpctl" build -q "$0" >out 2>&1; echo $? >status' "t$BATS_TEST_NUMBER"
	cat out
	[ "$(<status)" = 1 ]
	grep -q "$LKP_CACHE.*Read-only file system.*paths: cache:" out
}

@test "a cache that belongs to another" {
	[ "$(id -u)" = 0 ] || skip "only root can make a folder of another user"
	mkdir -p -m 755 "$LKP_CACHE"
	mkdir -m 777 "$LKP_STATE"
	# The repository must be that user's, or git does not trust it.
	cp -r "$TOY/tree" tree
	chown -R 65534 tree
	sed -i "s#url: .*#url: $dir/tree#" lkp.yaml
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$lkpctl" build -q "t$BATS_TEST_NUMBER"
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *"$LKP_CACHE"*"Permission denied"*"paths: cache:"* ]]
}
