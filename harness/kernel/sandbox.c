/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/sandbox.h"

#include <unistd.h>

#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

/* Everything that would make two builds of one commit differ, pinned. LOCALVERSION is set and
 * empty: unset, Kbuild appends "+" to the release of what is no tagged commit. */
static const char *const environment[][2] = {
	{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"},
	{"HOME", "/tmp"},
	{"LC_ALL", "C"},
	{"TZ", "UTC"},
	{"LOCALVERSION", ""},
	{"KBUILD_BUILD_TIMESTAMP", "Thu Jan  1 00:00:00 UTC 1970"},
	{"KBUILD_BUILD_USER", "lkp"},
	{"KBUILD_BUILD_HOST", "lkp"},
	{"KBUILD_BUILD_VERSION", "1"},
};

/* The host's programs and compilers, on a system with a merged /usr. What can be written lies in
 * memory, so its size is bounded; compilers put the assembly of a file or two into /tmp. */
static const char *const system_argv[] = {
	"--ro-bind",
	"/usr",
	"/usr",
	"--ro-bind-try",
	"/etc/alternatives",
	"/etc/alternatives",
	"--symlink",
	"usr/bin",
	"/bin",
	"--symlink",
	"usr/sbin",
	"/sbin",
	"--symlink",
	"usr/lib",
	"/lib",
	"--symlink",
	"usr/lib64",
	"/lib64",
	"--proc",
	"/proc",
	"--dev",
	"/dev",
	"--size",
	"67108864",
	"--tmpfs",
	"/dev/shm",
	"--remount-ro",
	"/dev",
	"--size",
	"1073741824",
	"--tmpfs",
	"/tmp",
	NULL,
};

static const char userns_remedy[] =
	"this host does not let users make namespaces; allow it: sysctl -w "
	"kernel.unprivileged_userns_clone=1 (and kernel.apparmor_restrict_unprivileged_userns=0 "
	"where AppArmor forbids it)";

static const struct remedy {
	const char *sign, *text;
} remedies[] = {
	{"Can't find source path",
	 "the build's user (nobody, when root builds) cannot reach that folder; set \"paths: cache:\" "
	 "to a place that every user may enter, such as /var/cache/lkp"},
	{"reating new namespace", userns_remedy},
	{"o permissions to create", userns_remedy},
	{"setting up uid map", userns_remedy},
	{"clone3", userns_remedy},
	{"mounting proc", "the container we run in hides /proc; run it with an unmasked /proc"},
};

unsigned sandbox_uid(void)
{
	return geteuid() == 0 ? SANDBOX_UID : geteuid();
}

const char *sandbox_src(const struct sandbox *box)
{
	return box->off ? box->src : "/src";
}

const char *sandbox_out(const struct sandbox *box)
{
	return box->off ? box->out : "/out";
}

static void add_all(char ***argv, const char *const *words)
{
	for (; *words; words++)
		strv_add(argv, *words);
}

static void add_limit(char ***argv, const char *option, int64_t limit)
{
	_cleanup_free_ char *word = xasprintf("--%s=%lld", option, (long long)limit);

	if (limit > 0)
		strv_add(argv, word);
}

static void add_bubblewrap(char ***argv, const struct sandbox *box)
{
	add_all(argv, (const char *const[]){"bwrap", "--unshare-all", "--unshare-user",
					    "--die-with-parent", "--new-session", "--cap-drop",
					    "ALL", "--clearenv", NULL});
	if (!box->nest)
		strv_add(argv, "--disable-userns");
	for (size_t i = 0; i < ARRAY_SIZE(environment); i++)
		add_all(argv, (const char *const[]){"--setenv", environment[i][0],
						    environment[i][1], NULL});
	add_all(argv, system_argv);
	add_all(argv,
		(const char *const[]){"--ro-bind", box->src, "/src", "--bind", box->out, "/out",
				      "--remount-ro", "/", "--chdir", "/out", "--", NULL});
}

static void add_bare(char ***argv)
{
	strv_add(argv, "env");
	strv_add(argv, "-i");
	for (size_t i = 0; i < ARRAY_SIZE(environment); i++) {
		_cleanup_free_ char *pair =
			xasprintf("%s=%s", environment[i][0], environment[i][1]);

		strv_add(argv, pair);
	}
}

/* Processes are counted by user, but those of a user namespace by themselves (since Linux 5.14; the
 * number holds only for them when it is set inside). Bare, the user's others would count. */
static void add_limits(char ***argv, const struct sandbox *box)
{
	strv_add(argv, "prlimit");
	strv_add(argv, "--core=0");
	add_limit(argv, "fsize", box->file_size);
	add_limit(argv, "as", box->memory);
	if (!box->off)
		add_limit(argv, "nproc", box->processes);
}

char **sandbox_argv(const struct sandbox *box, const char *const *command, bool as_root)
{
	char **argv = NULL;

	if (as_root)
		add_all(&argv, (const char *const[]){"setpriv", "--reuid=65534", "--regid=65534",
						     "--clear-groups", NULL});
	if (box->off)
		add_bare(&argv);
	else
		add_bubblewrap(&argv, box);
	add_limits(&argv, box);
	add_all(&argv, command);
	return argv;
}

char **sandbox_env(void)
{
	const char *path = getenv("PATH");
	_cleanup_free_ char *pair = xasprintf("PATH=%s", path ? path : environment[0][1]);
	char **env = NULL;

	strv_add(&env, pair);
	return env;
}

bool sandbox_complaint(const char *text)
{
	static const char *const programs[] = {"bwrap: ", "setpriv: ", "prlimit: ", "env: "};

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (str_starts(text, programs[i]))
			return true;
	return false;
}

static int complain(const char *text, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(remedies); i++)
		if (strstr(text, remedies[i].sign))
			return err_set_cause(err, ERR_INFRA, "sandbox",
					     "the build sandbox does not start (%s): %s", text,
					     remedies[i].text);
	return err_set_cause(err, ERR_INFRA, "sandbox",
			     "the build sandbox does not start (%s); \"sandbox: off\" for a tree "
			     "that you trust does without",
			     text);
}

/* 1: it works; 0: it does not, *ret_text says why; -1: error. */
static int try_sandbox(const struct sandbox *box, struct str *ret_text, struct err *err)
{
	static const char *const command[] = {"true", NULL};
	_cleanup_strv_ char **argv = sandbox_argv(box, command, geteuid() == 0);
	_cleanup_strv_ char **env = sandbox_env();
	_cleanup_str_ struct str out = STR_INIT;
	struct proc_spec spec = {.argv = (const char *const *)argv,
				 .env = (const char *const *)env,
				 .out = &out,
				 .out_cap = 300,
				 .deadline_ms = 30000};
	struct proc_result result;

	if (proc_run(&spec, &result, err) < 0)
		return err_wrap(err, "the build sandbox");
	if (result.status == PROC_EXITED && result.code == 0)
		return 1;
	if (proc_check_cancel(err) < 0)
		return -1;
	str_trim(&out);
	str_reset(ret_text);
	str_add_safe(ret_text, out.buf, out.len);
	return 0;
}

int sandbox_check(struct sandbox *box, struct err *err)
{
	_cleanup_free_ char *bwrap = proc_which("bwrap");
	_cleanup_str_ struct str text = STR_INIT;
	int works;

	if (!box->off && !bwrap)
		return err_set_cause(err, ERR_INFRA, "sandbox",
				     "kernels are built in bubblewrap, which is missing: apt-get "
				     "install bubblewrap (or \"sandbox: off\" for a tree that you "
				     "trust)");
	works = try_sandbox(box, &text, err);
	/* A container may have /proc/sys read-only, and bubblewrap before 0.8 lacks the option. */
	if (works == 0 && !box->nest &&
	    (strstr(text.buf, "userns") || strstr(text.buf, "max_user_namespaces"))) {
		box->nest = true;
		works = try_sandbox(box, &text, err);
	}
	if (works < 0)
		return -1;
	return works ? 0 : complain(text.buf, err);
}
