# SPDX-License-Identifier: GPL-2.0-or-later
# lkpctl machines: what is configured, and whether it can be used now.

bats_require_minimum_version 1.5.0

setup() {
	dir=$(mktemp -d)
	export LKP_STATE=$dir/state LKP_CACHE=$dir/cache
	unset LKP_CONFIG
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
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
