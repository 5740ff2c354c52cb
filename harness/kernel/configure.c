/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <unistd.h>

#include "harness/kernel/build.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

#define CONFIG_MAX  ((size_t)4 << 20)
#define FRAGMENTS   ".lkp-fragments"
#define CHANGES_MAX 2000

/* Puts a text of ours into the output folder, by rename: what the build left there is not followed.
 */
static int put(const struct build *b, const char *name, const struct str *text, struct err *err)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", b->box.out, name);

	return fs_write_atomic(path, text->buf, text->len, 0644, err);
}

/* Whether a changed path can change what Kconfig makes of our requests. */
static bool matters_to_kconfig(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return str_starts(name, "Kconfig") || str_starts(name, "Makefile") ||
	       str_starts(path, "scripts/") || str_ends(name, ".config") ||
	       str_ends(name, "defconfig");
}

static bool same_kconfig(const struct build *b)
{
	_cleanup_strv_ char **paths = NULL;
	bool same = true;

	if (streq(b->state.config_commit, b->commit))
		return true;
	if (repo_changed_paths(b->repo, b->state.config_commit, b->commit, CHANGES_MAX, &paths,
			       NULL) < 0 ||
	    strv_len(paths) == CHANGES_MAX)
		return false;
	for (char **path = paths; *path && same; path++)
		same = !matters_to_kconfig(*path);
	return same;
}

/* One string for what is asked and who answers: Kconfig asks the compiler what it can do. */
static void config_key(const struct build *b, char ret[HASH_HEX_LEN + 1])
{
	_cleanup_free_ char *text = xasprintf("%s %s", b->requests->key, b->toolchain);

	hash_bytes(text, strlen(text), ret);
}

static bool config_is_current(const struct build *b, const char *key)
{
	_cleanup_str_ struct str text = STR_INIT;
	char hash[HASH_HEX_LEN + 1];

	if (!*b->state.config_hash || !streq(b->state.config_key, key) ||
	    build_read(b, ".config", CONFIG_MAX, &text, NULL) < 0)
		return false;
	hash_bytes(text.buf, text.len, hash);
	return streq(hash, b->state.config_hash) && same_kconfig(b);
}

/* Targets that know no KCONFIG_ALLCONFIG, and base files: the requests go behind the base, where
 * the last line of a symbol wins, and olddefconfig settles the rest. */
static int merge(struct build *b, bool *ret_ok, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;

	if (b->requests->base) {
		if (build_make(b, (const char *const[]){b->requests->base, NULL}, ret_ok, err) < 0)
			return -1;
		if (!*ret_ok)
			return 0;
		if (build_take(b, ".config", CONFIG_MAX, &text, ret_ok, err) < 0)
			return -1;
		if (!*ret_ok)
			return 0;
	} else {
		str_addn(&text, b->requests->base_text.buf, b->requests->base_text.len);
	}
	str_addf(&text, "\n%s", b->requests->text.buf);
	if (put(b, ".config", &text, err) < 0)
		return -1;
	return build_make(b, (const char *const[]){"olddefconfig", NULL}, ret_ok, err);
}

static int make_config(struct build *b, bool *ret_ok, struct err *err)
{
	_cleanup_free_ char *allconfig =
		xasprintf("KCONFIG_ALLCONFIG=%s/" FRAGMENTS, sandbox_out(&b->box));

	if (!b->requests->base || !kconfig_takes_allconfig(b->requests->base))
		return merge(b, ret_ok, err);
	if (put(b, FRAGMENTS, &b->requests->text, err) < 0)
		return -1;
	return build_make(b, (const char *const[]){allconfig, b->requests->base, NULL}, ret_ok,
			  err);
}

/* A base that this kernel does not have is the person's mistake, not the commit's. */
static int check_target(const struct build *b, struct err *err)
{
	static const char *const signs[] = {"No rule to make target", "Can't find default"};

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (b->requests->base && strstr(b->log.buf, signs[i]) &&
		    strstr(b->log.buf, b->requests->base))
			return err_set(err, ERR_USER,
				       "this kernel has no configuration \"%s\" for ARCH=%s; see "
				       "\"make help\" in it, and \"kconfigs: base:\"",
				       b->requests->base, b->arch);
	return 0;
}

int build_configure(struct build *b, bool *ret_ok, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	char key[HASH_HEX_LEN + 1];

	config_key(b, key);
	if (!config_is_current(b, key)) {
		bool ok = false;

		b->state.config_hash[0] = '\0';
		if (outstate_write(b->box.out, &b->state, err) < 0 || make_config(b, &ok, err) < 0)
			return -1;
		if (!ok) {
			*ret_ok = false;
			return check_target(b, err);
		}
	}
	if (build_take(b, ".config", CONFIG_MAX, &text, ret_ok, err) < 0)
		return err_wrap(err, "the configuration");
	if (!*ret_ok) {
		if (!b->refusal.len)
			str_add(&b->refusal, ".config: make succeeded but did not make it");
		return 0;
	}
	if (kconfig_verify(b->requests, text.buf, b->box.src, err) < 0)
		return -1;
	hash_bytes(text.buf, text.len, b->state.config_hash);
	memcpy(b->state.config_key, key, sizeof(key));
	snprintf(b->state.config_commit, sizeof(b->state.config_commit), "%s", b->commit);
	*ret_ok = true;
	return outstate_write(b->box.out, &b->state, err);
}
