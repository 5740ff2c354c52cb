# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl machines: what is configured, and whether it can be used now.

bats_require_minimum_version 1.5.0

setup() {
	dir=$(mktemp -d)
	export LKP_STATE=$dir/state LKP_CACHE=$dir/cache
	unset LKP_CONFIG
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	LKP_BUILD=$(cd "${LKP_BUILD:-$root/build/plain}" && pwd)
	cd "$root" || return 1
}

teardown() {
	rm -rf "$dir"
}

lkpctl() {
	"$LKP_BUILD/lkpctl" "$@"
}

@test "every driver is listed, with what it does" {
	run --separate-stderr lkpctl machines --drivers
	[ "$status" -eq 0 ]
	for driver in qemu local fake; do
		[[ "$output" =~ (^|$'\n')"$driver "+(boots|"host's")" "+[a-z] ]]
	done
	lkpctl --json machines --drivers | jq -e 'map(.driver) == ["qemu", "local", "fake"]'
}

@test "the machines of this repository's configuration are listed; the deterministic one is ready" {
	run --separate-stderr lkpctl -c lkp.yaml machines
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == MACHINE* ]]
	lkpctl -c lkp.yaml --json machines | jq -e '
		.[] | select(.accel == "icount") |
		.state == "ready" and .deterministic and .cpus == 1 and .driver == "qemu"'
}

@test "the accelerator in use is named, and emulation in place of KVM is said loudly, once" {
	ln -s "$root/kconfig" "$root/jobs" "$dir"
	sed 's/accel: tcg/accel: auto/' lkp.yaml >"$dir/lkp.yaml"
	lkpctl -c "$dir/lkp.yaml" --json machines >"$dir/out" 2>"$dir/err"
	accel=$(jq -r '.[] | select(.machine == "tcg").accel' "$dir/out")
	case $accel in
	kvm) [ ! -s "$dir/err" ] ;;
	tcg) [ "$(grep -c "KVM is not usable" "$dir/err")" -eq 1 ] ;;
	*) false ;;
	esac
}

@test "a machine that cannot be used says why, and the others are listed" {
	ln -s "$root/kconfig" "$root/jobs" "$dir"
	sed 's/memory: 512M/memory: 1M/' lkp.yaml >"$dir/lkp.yaml"
	lkpctl -c "$dir/lkp.yaml" --json machines | jq -e '
		length > 1 and (.[] | select(.machine == "icount") |
		.state == "unusable" and (.reason | contains("memory must be at least 64 MiB")))'
}

@test "an argument too many is a usage error" {
	run --separate-stderr lkpctl machines nhm
	[ "$status" -eq 64 ]
}

# Machines of driver fake, and an image for them.
fakes() {
	printf 'machines:\n  fine: { driver: fake }\n  sick: { driver: fake, answers: [ %s ] }\n' "$1" >"$dir/lkp.yaml"
	echo image >"$dir/image"
}

@test "what a machine is in effect: CPU model and memory by class, and how its CPUs lie" {
	printf 'machines:\n  a: { class: hsw, accel: tcg, cpus: 8, sockets: 2, threads: 2 }\n  b: { class: icl, memory: 1G }\n' >"$dir/lkp.yaml"
	lkpctl -c "$dir/lkp.yaml" --json machines 2>/dev/null >"$dir/out"
	jq -e '.[0] | .cpu_model == "Haswell" and .sockets == 2 and .cores == 2 and .threads == 2 and .memory == 1073741824' "$dir/out"
	jq -e '.[1] | .cpu_model == "Icelake-Server" and .cores == 1 and .memory == 1073741824' "$dir/out"
}

@test "test: a machine that works, its stages and facts; nothing is stored" {
	fakes ok
	run --separate-stderr lkpctl -c "$dir/lkp.yaml" machines test fine --image "$dir/image"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	for stage in kernel driver toolbox boot agent end result; do
		[[ "$output" =~ (^|$'\n')"$stage "+[0-9]+\.[0-9][0-9]" "+. ]]
	done
	[[ "$output" == *"machine fine works"* ]]
	[ "$(find "$LKP_STATE" -type f ! -name '.lock' ! -name '.fake-count' | wc -l)" -eq 0 ]
	lkpctl -c "$dir/lkp.yaml" --json machines test fine --image "$dir/image" | jq -e '
		.status == "ok" and .machine == "fine" and .driver == "fake" and .facts.clocksource == "tsc" and
		([.stages[].stage] == ["kernel", "driver", "toolbox", "boot", "agent", "end", "result"])'
}

@test "test: a machine that does not work says how far it came, with exit status 1" {
	for answer in panic no-init half infra-failed; do
		fakes $answer
		run --separate-stderr lkpctl -c "$dir/lkp.yaml" machines test sick --image "$dir/image"
		[ "$status" -eq 1 ]
		[[ "$stderr" == "lkpctl: machine sick: "* ]]
		[[ "$output" == *$'\nboot '* ]]
		[[ "$output" != *works* ]]
	done
	fakes panic
	run --separate-stderr lkpctl -c "$dir/lkp.yaml" --json machines test sick --image "$dir/image"
	[ "$status" -eq 1 ]
	jq -e '.status == "panic" and (.detail | contains("Kernel panic")) and .facts == null' <<<"$output"
}

@test "test: this computer, without a kernel" {
	run --separate-stderr lkpctl -c lkp.yaml machines test here
	[ "$status" -eq 0 ]
	[[ "$output" == *"this host's own"*"machine here works"* ]]
}

@test "test: what cannot be tried is named" {
	fakes ok
	run --separate-stderr lkpctl -c "$dir/lkp.yaml" machines test fin --image "$dir/image"
	[ "$status" -eq 1 ]
	[[ "$stderr" == *fin*fine* ]]
	run --separate-stderr lkpctl -c "$dir/lkp.yaml" machines test fine --image "$dir/none"
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"no kernel image $dir/none"* ]]
	run --separate-stderr lkpctl machines test
	[ "$status" -eq 64 ]
	run --separate-stderr lkpctl machines tset fine
	[ "$status" -eq 64 ]
}

@test "test: a machine in use is left alone, with exit status 75" {
	fakes ok
	mkdir -p "$LKP_STATE/results/fine"
	exec 9>"$LKP_STATE/results/fine/.lock"
	flock 9
	run --separate-stderr lkpctl -c "$dir/lkp.yaml" machines test fine --image "$dir/image"
	exec 9>&-
	[ "$status" -eq 75 ]
	[[ "$stderr" == *"in use"* ]]
}
