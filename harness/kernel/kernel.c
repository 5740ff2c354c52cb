/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/kernel.h"

#include <sys/stat.h>
#include <unistd.h>

#include "harness/git/checkout.h"
#include "harness/kernel/build.h"
#include "harness/kernel/cache.h"
#include "harness/kernel/diskfault.h"
#include "harness/kernel/image.h"
#include "harness/kernel/outcheck.h"
#include "harness/kernel/symbols.h"
#include "harness/kernel/toolchain.h"
#include "harness/util/fs.h"
#include "harness/util/log.h"
#include "harness/util/mem.h"
#include "harness/util/time.h"

#define IMAGE_MAX  ((size_t)1 << 30)
#define CONFIG_MAX ((size_t)4 << 20)

/* One call of kernel_build(): where everything is. */
struct work {
	const struct config *config;
	const struct config_tree *tree;
	const struct config_kconfig *kconfig;
	struct kconfig_requests requests;
	struct cache_place place;
	struct build build;
	char *src, *out;
	int src_lock, out_lock;
	double started;
};

void kernel_done(struct kernel *kernel)
{
	free(kernel->tree);
	free(kernel->kconfig);
	free(kernel->image);
	free(kernel->config);
	free(kernel->log);
	free(kernel->record);
	free(kernel->vmlinux);
	free(kernel->error);
	*kernel = (struct kernel){0};
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void work_done(struct work *w)
{
	kconfig_done(&w->requests);
	build_done(&w->build);
	free(w->src);
	free(w->out);
	cleanup_close(&w->src_lock);
	cleanup_close(&w->out_lock);
}

/* Names of lkp.yaml become folders. */
static int check_name(const char *what, const char *name, struct err *err)
{
	if (*name && *name != '.' && !strchr(name, '/'))
		return 0;
	return err_set(err, ERR_USER, "%s \"%s\": a name must not start with \".\" or hold \"/\"",
		       what, name);
}

static int work_init(struct work *w, const char *commit, struct err *err)
{
	const char *toolchain = NULL, *cache = w->config->paths.cache;

	w->src_lock = w->out_lock = -1;
	w->requests = (struct kconfig_requests){.base_text = STR_INIT, .text = STR_INIT};
	str_init(&w->build.log);
	str_init(&w->build.refusal);
	if (strlen(commit) != GIT_HEX_LEN || strspn(commit, "0123456789abcdef") != GIT_HEX_LEN)
		return err_set(err, ERR_USER, "\"%.60s\" is no full commit id", commit);
	if (check_name("tree", w->tree->name, err) < 0 ||
	    check_name("kconfig", w->kconfig->name, err) < 0 ||
	    toolchain_name(&toolchain, err) < 0 || kconfig_read(w->kconfig, &w->requests, err) < 0)
		return -1;
	w->src = xasprintf("%s/src/%s", cache, w->tree->name);
	w->out = xasprintf("%s/out/%s/%s", cache, w->tree->name, w->kconfig->name);
	w->place = (struct cache_place){
		.cache = cache,
		.tree = w->tree->name,
		.kconfig = w->kconfig->name,
		.commit = commit,
		.toolchain = toolchain,
		.key = w->requests.key,
		.image = base_name(w->kconfig->image),
	};
	return 0;
}

int kernel_find(const struct config *config, const struct config_tree *tree,
		const struct config_kconfig *kconfig, const char *commit, struct kernel *ret,
		struct err *err)
{
	_cleanup_(work_done) struct work w = {.config = config, .tree = tree, .kconfig = kconfig};

	if (work_init(&w, commit, err) < 0)
		return -1;
	return cache_find(&w.place, ret, err);
}

static int lock(struct work *w, const char *folder, int *ret_fd, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s.lock", folder);
	struct err first = ERR_INIT;

	if (fs_lock(path, false, ret_fd, &first) == 0)
		return 0;
	if (!streq(first.cause, "locked")) {
		*err = first;
		return -1;
	}
	progress_step(w->build.progress, 0, "waiting for another build in %s", folder);
	return fs_lock(path, true, ret_fd, err);
}

/* Creates the folders; the objects' one belongs to the user that builds. */
static int make_folders(struct work *w, struct err *err)
{
	_cleanup_free_ char *parent = xasprintf("%s/out/%s", w->config->paths.cache, w->tree->name);

	if (fs_mkdirs(w->src, err) < 0 || fs_mkdirs(parent, err) < 0 || fs_mkdirs(w->out, err) < 0)
		return -1;
	if (chmod(w->out, 0755) < 0 ||
	    (geteuid() == 0 && chown(w->out, SANDBOX_UID, SANDBOX_UID) < 0))
		return err_errno(err, "cannot hand %s to the build's user", w->out);
	return 0;
}

static void build_init(struct work *w, struct repo *repo)
{
	const struct config_build *limits = &w->config->build;
	struct build *b = &w->build;

	b->box = (struct sandbox){.src = w->src,
				  .out = w->out,
				  .off = !w->tree->sandbox,
				  .memory = limits->memory,
				  .processes = limits->processes,
				  .file_size = limits->disk};
	b->limits = limits;
	b->repo = repo;
	b->commit = w->place.commit;
	b->arch = w->kconfig->arch;
	b->toolchain = w->place.toolchain;
	b->jobs = limits->jobs > 0 ? limits->jobs : sysconf(_SC_NPROCESSORS_ONLN);
	b->requests = &w->requests;
	b->deadline = limits->timeout > 0 ? time_monotonic() + limits->timeout : 0;
}

/* Takes the output folder over from the build before. */
static int take_over(struct work *w, struct err *err)
{
	const char *const plain[] = {".config", w->kconfig->image, NULL};
	struct build *b = &w->build;
	bool emptied = false;

	outstate_read(w->out, &b->state);
	if (outcheck(&b->box, plain, b->limits->output, &emptied, err) < 0)
		return -1;
	if (emptied)
		b->state = (struct outstate){0};
	else if (outstate_repair(w->out, &b->state, err) < 0)
		return -1;
	b->state.since = time_now();
	return outstate_write(w->out, &b->state, err);
}

/* Once a process: who reads it knows. */
static void warn_bare(const struct work *w)
{
	static bool warned;

	if (w->tree->sandbox || warned)
		return;
	warned = true;
	log_warn("tree=%s: SANDBOX OFF: its commits are built with the rights of %s on this host: "
		 "all its files, processes and the network",
		 w->tree->name, geteuid() == 0 ? "user 65534" : "your user");
}

static int prepare(struct work *w, struct repo *repo, struct err *err)
{
	struct checkout_stats stats;

	build_init(w, repo);
	warn_bare(w);
	if (make_folders(w, err) < 0 || sandbox_check(&w->build.box, err) < 0)
		return -1;
	progress_step(w->build.progress, fs_exists(w->src) ? 1 : 15, "checking out %.12s",
		      w->place.commit);
	if (checkout_commit(repo, w->place.commit, w->src, &stats, err) < 0)
		return err_wrap(err, "checking out %.12s", w->place.commit);
	if (take_over(w, err) < 0)
		return -1;
	return build_limit(&w->build, err);
}

/* 1 CPU-second an object is what compilers take; the true figures are known after the first time.
 */
static double expected_seconds(const struct build *b)
{
	if (b->state.objects == 0)
		return 850.0 / (double)b->jobs;
	return b->state.part_seconds > 0 ? b->state.part_seconds : 20;
}

static int compile(struct work *w, bool *ret_ok, struct err *err)
{
	struct build *b = &w->build;
	double start = time_monotonic();
	bool ok = false;

	progress_step(b->progress, 3, "configuring %s", w->kconfig->name);
	if (build_configure(b, &ok, err) < 0)
		return -1;
	b->counter = (struct buildlog_counter){0};
	if (ok) {
		progress_step(b->progress, expected_seconds(b), "building %.12s for %s", b->commit,
			      w->kconfig->name);
		if (build_make(b, (const char *const[]){w->place.image, NULL}, &ok, err) < 0)
			return -1;
	}
	if (ok && b->counter.objects > (size_t)b->state.objects)
		b->state.objects = (int64_t)b->counter.objects;
	else if (ok)
		b->state.part_seconds = time_monotonic() - start;
	b->state.since = 0;
	*ret_ok = ok;
	return outstate_write(w->out, &b->state, err);
}

/* The image and the .config of a build that make calls good. *ret_ok = false: what lies there is
 * not to be taken. */
static int collect(struct work *w, struct str *config, char id[HASH_HEX_LEN + 1], bool *ret_ok,
		   struct err *err)
{
	const char *name = w->kconfig->image;
	_cleanup_str_ struct str image = STR_INIT;
	struct build *b = &w->build;
	bool there = false;

	if (build_take(b, ".config", CONFIG_MAX, config, ret_ok, err) < 0)
		return err_wrap(err, "the configuration of a finished build");
	if (!*ret_ok)
		return 0;
	if (build_take(b, name, IMAGE_MAX, &image, &there, err) < 0)
		return err_wrap(err, "the image of a finished build");
	if (!there && !b->refusal.len)
		return err_set(err, ERR_USER,
			       "make succeeded but left no file %s; see \"kconfigs: image:\" of "
			       "\"%s\"",
			       name, w->kconfig->name);
	*ret_ok = there;
	return there ? image_store(w->place.cache, w->place.image, &image, id, err) : 0;
}

static int keep(struct work *w, bool ok, struct kernel *ret, struct err *err)
{
	_cleanup_strv_ char **limits = build_limit_names(&w->build);
	_cleanup_str_ struct str config = STR_INIT;
	_cleanup_str_ struct str error = STR_INIT;
	_cleanup_str_ struct str vmlinux = STR_INIT;
	struct kernel built = {.ok = ok, .seconds = time_monotonic() - w->started};
	struct build *b = &w->build;

	if (ok && collect(w, &config, built.image_id, &built.ok, err) < 0)
		return -1;
	if (!built.ok && b->refusal.len)
		str_add_safe(&error, b->refusal.buf, b->refusal.len);
	else if (!built.ok)
		buildlog_first_error(b->log.buf, b->log.len, sandbox_src(&b->box), &error);
	if (!ok && build_read(b, ".config", CONFIG_MAX, &config, NULL) < 0)
		str_reset(&config);
	built.error = error.buf;
	/* For whoever reads a report; without it nothing but line numbers is missing. */
	if (built.ok && symbols_wanted(config.buf) &&
	    build_read(b, "vmlinux", IMAGE_MAX, &vmlinux, NULL) < 0)
		str_reset(&vmlinux);
	return cache_store(&w->place, &built,
			   &(struct cache_texts){.limits = (const char *const *)limits,
						 .log = &b->log,
						 .config = &config,
						 .vmlinux = &vmlinux},
			   ret, err);
}

/* What filled the disk must not keep the next build from it. */
static int give_back_room(const struct work *w)
{
	struct err err = ERR_INIT;

	if (w->build.guard.verdict != OUTGUARD_FINE && outcheck_empty(w->out, &err) < 0)
		log_warn("folder=%s: %s", w->out, err.msg);
	return -1;
}

static int build_locked(struct work *w, struct repo *repo, struct kernel *ret, struct err *err)
{
	int found = cache_find(&w->place, ret, err);
	bool ok = false;

	if (found != 0)
		return found < 0 ? -1 : 0;
	w->started = time_monotonic();
	if (prepare(w, repo, err) < 0)
		return -1;
	if (compile(w, &ok, err) < 0)
		return give_back_room(w);
	return keep(w, ok, ret, err);
}

static int build_work(struct work *w, struct repo *repo, struct kernel *ret, struct err *err)
{
	const char *cache = w->config->paths.cache;
	_cleanup_free_ char *sources = xasprintf("%s/src", cache);
	_cleanup_free_ char *objects = xasprintf("%s/out/%s", cache, w->tree->name);
	int found = cache_find(&w->place, ret, err);

	if (found != 0)
		return found < 0 ? -1 : 0;
	if (fs_mkdirs(sources, err) < 0 || fs_mkdirs(objects, err) < 0 ||
	    lock(w, w->src, &w->src_lock, err) < 0 || lock(w, w->out, &w->out_lock, err) < 0)
		return -1;
	return build_locked(w, repo, ret, err);
}

int kernel_build(const struct config *config, const struct config_tree *tree,
		 const struct config_kconfig *kconfig, struct repo *repo, const char *commit,
		 struct progress *progress, struct kernel *ret, struct err *err)
{
	_cleanup_(work_done) struct work w = {.config = config, .tree = tree, .kconfig = kconfig};
	struct err own = ERR_INIT;

	if (work_init(&w, commit, err) < 0)
		return -1;
	w.build.progress = progress;
	if (build_work(&w, repo, ret, &own) == 0)
		return 0;
	diskfault_explain(config->paths.cache, &own);
	if (err)
		*err = own;
	return -1;
}
