# SPDX-License-Identifier: GPL-2.0-or-later
# What build.bats, run.bats and mail.bats share: a git repository that answers like a kernel's tree but
# builds in milliseconds, and machines of driver fake. All of it lies below $TOY, which belongs to one
# file of tests; each test has a state of its own.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
lkpctl=${LKP_BUILD:-$root/build/plain}/lkpctl

# ---- the tree ----------------------------------------------------------------------------------

toy_git() {
	GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_COMMITTER_NAME=Tess GIT_COMMITTER_EMAIL=tess@example.org \
		GIT_AUTHOR_DATE="1710000000 +0000" GIT_COMMITTER_DATE="1710000000 +0000" git -C "$TOY/tree" "$@"
}

# toy_commit SUBJECT [NAME EMAIL]: all that was changed in the tree; prints the commit's id.
toy_commit() {
	toy_git add -A
	GIT_AUTHOR_NAME=${2:-Tess} GIT_AUTHOR_EMAIL=${3:-tess@example.org} toy_git commit -q -m "$1"
	toy_git rev-parse HEAD
}

# toy_branch NAME [FROM]: goes on there.
toy_branch() {
	toy_git checkout -q -f -B "$1" "${2:-main}"
}

# toy_source VALUE: mm/shmem.c; another value is another image.
toy_source() {
	printf 'int shmem_write(void)\n{\n\treturn %s;\n}\n' "$1" >"$TOY/tree/mm/shmem.c"
}

# toy_recipe COMMAND: a Makefile whose image comes behind that command.
toy_recipe() {
	{
		printf 'allnoconfig:\n\t@sh scripts/conf "$(KCONFIG_ALLCONFIG)" > $(O)/.config.new\n'
		printf '\t@mv $(O)/.config.new $(O)/.config\n'
		printf 'bzImage:\n\t%s\n\t@echo "  CC      mm/shmem.o"\n' "${1:-@true}"
		printf '\t@gcc -Wall -Werror -c mm/shmem.c -o $(O)/shmem.o\n'
		printf '\t@mkdir -p $(O)/arch/x86/boot\n\t@cat $(O)/shmem.o $(O)/.config > $(O)/arch/x86/boot/bzImage\n'
	} >"$TOY/tree/Makefile"
}

# Grants the symbols that Kconfig defines, unless they depend on one that nobody defines.
toy_tree() {
	mkdir -p "$TOY/tree/mm" "$TOY/tree/scripts" "$TOY/tree/Documentation"
	GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null git init -q -b main "$TOY/tree"
	cat >"$TOY/tree/scripts/conf" <<-'END'
		awk 'FNR == NR && $1 == "config" { s = "CONFIG_" $2; has[s] = 1 }
		FNR == NR && $1 == "depends" { needs[s] = "CONFIG_" $3 }
		FNR < NR { split($0, a, "="); n = needs[a[1]]; if (has[a[1]] && (n == "" || has[n])) print }' Kconfig "$1"
	END
	printf 'config SHMEM\n\tbool "shmem"\n\nconfig TMPFS\n\tbool "tmpfs"\n\nconfig EXTRA\n\tbool "extra"\n\n' >"$TOY/tree/Kconfig"
	printf 'config HOVER\n\tbool "hover"\n\tdepends on ANTIGRAVITY\n' >>"$TOY/tree/Kconfig"
	toy_recipe
	toy_source 1
	toy_commit "toy: first"
}

# ---- the configuration -------------------------------------------------------------------------

# toy_open [FOLDER], for setup_file(). In memory, where there is such a folder: a test's many flushes are not about the disk.
toy_open() {
	local folder=/tmp
	[ ! -w /dev/shm ] || folder=/dev/shm
	TOY=$(mktemp -d "${1:-$folder}/lkp-toy.XXXXXX")
	chmod 755 "$TOY"
	export TOY
	toy_tree >/dev/null
}

# For teardown_file(): nothing of the tests may still run, whatever became of them.
toy_close() {
	[ -z "$TOY" ] || rm -rf "$TOY"
}

# For setup(): skips where builds cannot run; a state of its own.
toy_setup() {
	local tool as=()
	for tool in bwrap jq sqlite3 git gcc make awk; do
		command -v "$tool" >/dev/null || skip "$tool is not installed"
	done
	[ "$(id -u)" != 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	"${as[@]}" bwrap --unshare-all --ro-bind / / --proc /proc true 2>/dev/null || skip "bubblewrap may not make namespaces here"
	dir=$(mktemp -d "$TOY/state.XXXXXX")
	chmod 755 "$dir"
	export LKP_STATE=$dir/state LKP_CACHE=${1:-$dir/cache} HOME=$dir XDG_CONFIG_HOME=$dir NO_COLOR=1
	unset LKP_CONFIG
	printf 'CONFIG_SHMEM=y\nCONFIG_TMPFS=y\n' >"$dir/tiny.config"
	cd "$dir" || return 1
}

# For teardown(): ends what the test started and did not end.
toy_teardown() {
	local pid
	[ -n "$dir" ] || return 0
	for pid in $toy_pids; do
		kill -KILL "$pid" 2>/dev/null || true
	done
	cd / && rm -rf "$dir"
}

# toy_config [ANSWER,...] [SED...]: $dir/lkp.yaml, its machine giving these answers.
toy_config() {
	local answers=${1:-ok}
	shift || true
	cat >"$dir/full.yaml" <<-END
		trees:
		  toy:
		    url: $TOY/tree
		    upstream: main
		    branches: [ main ]
		    kconfigs: [ tiny ]
		    machines: [ box ]
		    jobs: [ pwrite2 ]
		    report_to: [ "list@example.org" ]
		    mail_authors: true
		kconfigs:
		  tiny:
		    base: allnoconfig
		    fragments: [ $dir/tiny.config ]
		machines:
		  box:
		    driver: fake
		    class: nhm
		    accel: icount
		    answers: [ $answers ]
		mail:
		  from: "lkpd <lkpd@example.org>"
		  allow: [ "@example.org" ]
		build:
		  jobs: 1
		  timeout: 60s
		paths:
		  jobs: $root/jobs
	END
	sed "$@" -e '' "$dir/full.yaml" >"$dir/lkp.yaml"
}

# ---- running and waiting -----------------------------------------------------------------------

# toy_start FILE ARGS...: lkpctl in the background, its output in FILE; sets $pid.
toy_start() {
	local out=$1
	shift
	"$lkpctl" "$@" >"$out" 2>&1 3>&- &
	pid=$!
	toy_pids="$toy_pids $pid"
}

# until_true COMMAND...: looks again until it succeeds, at most half a minute.
until_true() {
	local end=$((SECONDS + 30))
	until "$@"; do
		if [ $SECONDS -ge $end ]; then
			echo "this never came true: $*"
			return 1
		fi
		sleep 0.02
	done
}

# ended: waits for $pid; sets $status.
ended() {
	status=0
	wait "$pid" || status=$?
}

db() {
	sqlite3 "$LKP_STATE/lkp.db" "$1"
}

mails() {
	find "$LKP_STATE/maildir/new" -type f 2>/dev/null
}

no_part_left() {
	[ -z "$(find "$LKP_STATE/results" -name '*.part')" ]
}

# image_of COMMIT: the first half of its image id, for answers "image:ID=...".
image_of() {
	"$lkpctl" --json build -q "$1" | jq -r '.image_id[0:32]'
}
