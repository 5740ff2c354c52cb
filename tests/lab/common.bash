# SPDX-License-Identifier: GPL-2.0-or-later
# What the lab tests share: the demo's tree with commits that misbehave on top, and a state of their own.
# Kernels go to the ordinary cache (LKP_CACHE), so that a second run builds nothing.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
lkpctl=${LKP_BUILD:-$root/build/plain}/lkpctl
if [ "$(id -u)" = 0 ]; then cache=/var/cache/lkp; else cache=${XDG_CACHE_HOME:-$HOME/.cache}/lkp; fi
export LKP_CACHE="${LKP_CACHE:-$cache}"
demo=$LKP_CACHE/demo/linux
git=$LKP_CACHE/lab/linux
unset LKP_CONFIG

g() {
	GIT_DIR=$git GIT_INDEX_FILE=$git/lab-index GIT_AUTHOR_NAME=Tess GIT_AUTHOR_EMAIL=tess@example.org \
	GIT_COMMITTER_NAME=Tess GIT_COMMITTER_EMAIL=tess@example.org GIT_AUTHOR_DATE="1710000000 +0000" \
	GIT_COMMITTER_DATE="1710000000 +0000" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null git "$@"
}

# bad_commit NAME FILE SED-ARGUMENTS...: a branch NAME with one commit on top of upstream that edits FILE.
bad_commit() {
	local blob mode
	g read-tree upstream
	mode=$(g ls-files -s "$2" | cut -d' ' -f1)
	blob=$(g cat-file blob "upstream:$2" | sed "${@:3}" | g hash-object -w --stdin)
	[ "$blob" != "$(g rev-parse "upstream:$2")" ] || { echo "the edit for $1 does not fit" >&2; return 1; }
	g update-index --cacheinfo "$mode,$blob,$2"
	g update-ref "refs/heads/$1" "$(g commit-tree "$(g write-tree)" -p upstream -m "test: $1")"
}

# The tree: the demo's objects by reference, and a branch for each way to fail.
lab_tree() {
	"$root/demo/make-tree" "$demo"
	local stamp
	stamp=$(cat "$demo/demo-stamp" "$BATS_TEST_DIRNAME/common.bash" "$BATS_TEST_DIRNAME/planted_faults.c" | sha256sum)
	[ "$(cat "$git/lab-stamp" 2>/dev/null)" != "$stamp" ] || return 0
	rm -rf "$git"
	git clone -q --bare --shared "$demo" "$git"
	bad_commit broken mm/shmem.c 's/^static int shmem_replace_page(/this is no C; &/;s/^shmem_write_end(/this is no C; &/'
	bad_commit panics init/main.c 's/^static int __ref kernel_init(void \*unused)$/&\n{\n	panic("planted: no way to user space");\n}\nstatic int __ref __maybe_unused kernel_init_unused(void *unused)/'
	bad_commit hangs init/main.c 's/^	set_task_stack_end_magic(&init_task);$/&\n	for (;;)\n		cpu_relax();/'
	bad_commit nopipe fs/pipe.c 's/^static int do_pipe2(int __user \*fildes, int flags)$/&\n{\n	extern int planted_pipe2(int __user *fildes, int flags);\n	if (!strcmp(current->comm, "pipe-test"))\n		return -EMFILE;\n	return planted_pipe2(fildes, flags);\n}\n\nint planted_pipe2(int __user *fildes, int flags)/'
	bad_commit faults mm/shmem.c -e '/^#include "internal.h"$/r '"$BATS_TEST_DIRNAME/planted_faults.c" \
		-e '/^shmem_write_begin(/,/^}/ s/^	int ret = 0;$/&\n\n	planted_fault();/'
	echo "$stamp" > "$git/lab-stamp"
}

# state: a fresh state folder for one test, removed at its end.
new_state() {
	LKP_STATE=$(mktemp -d /tmp/lkp-lab.XXXXXX)
	chmod 755 "$LKP_STATE"
	export LKP_STATE
}

# lkp.yaml of the root with edits by sed, at $LKP_STATE/lkp.yaml.
config() {
	sed -e "s#\[ kconfig/#[ $root/kconfig/#; s#jobs: jobs #jobs: $root/jobs #" "$@" "$root/lkp.yaml" > "$LKP_STATE/lkp.yaml"
}

db() {
	sqlite3 "$LKP_STATE/lkp.db" "$1"
}

# QEMU works inside the boot folder: who works below our state?
qemus() {
	find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' -lname "$LKP_STATE/*" 2>/dev/null
}

no_qemu_left() {
	[ -z "$(qemus)" ]
}
