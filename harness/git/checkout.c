/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/git/checkout.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/git/checkout_file.h"
#include "harness/git/repo.h"
#include "harness/util/fs.h"
#include "harness/util/fs_walk.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

#define DEPTH_MAX 128
#define DIRTY	  "dirty"

/* Two states of one folder: what it holds (NULL: nothing, or with `full` unknown) and shall hold.
 */
static int sync_folder(struct checkout *c, int fd, git_tree *old, git_tree *new, int depth);

static const char *const forbidden[] = {"", ".", "..", ".git", NULL};

static int check_name(struct checkout *c, const char *name)
{
	bool bad = strchr(name, '/') != NULL;

	for (int i = 0; forbidden[i]; i++)
		bad |= strcasecmp(name, forbidden[i]) == 0;
	if (!bad)
		return 0;
	str_add(&c->path, "/");
	str_add_safe(&c->path, name, strlen(name));
	return err_set_cause(c->err, ERR_USER, "bad-path",
			     "commit %s holds the path %s, which no checkout may write", c->id,
			     c->path.buf);
}

static git_tree *subtree(struct checkout *c, const git_tree_entry *entry)
{
	git_tree *tree = NULL;

	if (git_tree_lookup(&tree, c->git, git_tree_entry_id(entry)) < 0)
		git_fail(c->err, ERR_INFRA, "cannot read the tree of %s", c->path.buf);
	return tree;
}

static bool is_tree(const git_tree_entry *entry)
{
	return entry && git_tree_entry_type(entry) == GIT_OBJECT_TREE;
}

/* Goes down into a folder entry: `old` and `new` are entries of one name, either may be NULL. */
static int sync_subfolder(struct checkout *c, int fd, const char *name, const git_tree_entry *old,
			  const git_tree_entry *new, int depth)
{
	_cleanup_tree_ git_tree *old_tree = NULL;
	_cleanup_tree_ git_tree *new_tree = NULL;
	_cleanup_close_ int sub = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (sub < 0 && !new)
		return 0;
	if (sub < 0)
		return err_errno(c->err, "cannot open %s", c->path.buf);
	if ((is_tree(old) && !(old_tree = subtree(c, old))) ||
	    (is_tree(new) && !(new_tree = subtree(c, new))))
		return -1;
	return sync_folder(c, sub, old_tree, new_tree, depth + 1);
}

/* Removes what git knew by this name; files unknown to it keep their folder. */
static int drop_entry(struct checkout *c, int fd, const char *name, const git_tree_entry *old,
		      int depth)
{
	if (!is_tree(old) && git_tree_entry_type(old) != GIT_OBJECT_COMMIT) {
		if (unlinkat(fd, name, 0) == 0)
			c->stats.removed++;
		else if (errno != ENOENT)
			return err_errno(c->err, "cannot remove %s", c->path.buf);
		return 0;
	}
	if (is_tree(old) && sync_subfolder(c, fd, name, old, NULL, depth) < 0)
		return -1;
	if (unlinkat(fd, name, AT_REMOVEDIR) < 0 && errno != ENOENT && errno != ENOTEMPTY &&
	    errno != EEXIST)
		return err_errno(c->err, "cannot remove %s", c->path.buf);
	return 0;
}

static int put_folder(struct checkout *c, int fd, const char *name, const git_tree_entry *old,
		      const git_tree_entry *new, int depth)
{
	bool module = git_tree_entry_type(new) == GIT_OBJECT_COMMIT;
	bool same_kind = old && git_tree_entry_type(old) == git_tree_entry_type(new);

	if (module && same_kind && !c->full)
		return 0;
	if (module && is_tree(old) && drop_entry(c, fd, name, old, depth) < 0)
		return -1;
	if (checkout_make_folder(c, fd, name) < 0)
		return -1;
	return sync_subfolder(c, fd, name, same_kind ? old : NULL, module ? NULL : new, depth);
}

static int put_entry(struct checkout *c, int fd, const char *name, const git_tree_entry *old,
		     const git_tree_entry *new, int depth)
{
	if (is_tree(new) || git_tree_entry_type(new) == GIT_OBJECT_COMMIT)
		return put_folder(c, fd, name, old, new, depth);
	if (is_tree(old) && drop_entry(c, fd, name, old, depth) < 0)
		return -1;
	return checkout_put_file(c, fd, name, new);
}

static bool same_entry(const git_tree_entry *a, const git_tree_entry *b)
{
	return a && b && git_tree_entry_filemode(a) == git_tree_entry_filemode(b) &&
	       git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b));
}

/* What a full checkout finds and the tree has not. */
static int drop_unknown(struct checkout *c, int fd, git_tree *new)
{
	_cleanup_strv_ char **names = NULL;

	if (fs_names(fd, &names) < 0)
		return err_errno(c->err, "cannot list %s", c->path.buf);
	for (char **name = names; *name; name++)
		if ((!new || !git_tree_entry_byname(new, *name)) &&
		    checkout_remove(c, fd, *name) < 0)
			return -1;
	return 0;
}

static int drop_gone(struct checkout *c, int fd, git_tree *old, git_tree *new, int depth)
{
	size_t base = c->path.len;

	for (size_t i = 0; i < git_tree_entrycount(old); i++) {
		const git_tree_entry *entry = git_tree_entry_byindex(old, i);
		const char *name = git_tree_entry_name(entry);

		if (new &&git_tree_entry_byname(new, name))
			continue;
		if (check_name(c, name) < 0)
			return -1;
		str_addf(&c->path, "/%s", name);
		if (drop_entry(c, fd, name, entry, depth) < 0)
			return -1;
		str_cut(&c->path, base);
	}
	return 0;
}

static int sync_folder(struct checkout *c, int fd, git_tree *old, git_tree *new, int depth)
{
	size_t base = c->path.len;

	if (depth > DEPTH_MAX)
		return err_set(c->err, ERR_USER, "commit %s nests folders deeper than %d", c->id,
			       DEPTH_MAX);
	if (c->full && drop_unknown(c, fd, new) < 0)
		return -1;
	if (old && drop_gone(c, fd, old, new, depth) < 0)
		return -1;
	for (size_t i = 0; new &&i < git_tree_entrycount(new); i++) {
		const git_tree_entry *entry = git_tree_entry_byindex(new, i);
		const char *name = git_tree_entry_name(entry);
		const git_tree_entry *before = old ? git_tree_entry_byname(old, name) : NULL;

		if (same_entry(before, entry))
			continue;
		if (check_name(c, name) < 0)
			return -1;
		str_addf(&c->path, "/%s", name);
		if (put_entry(c, fd, name, before, entry, depth) < 0)
			return -1;
		str_cut(&c->path, base);
	}
	return proc_check_cancel(c->err);
}

static char *state_path(const char *folder)
{
	return xasprintf("%s.tree", folder);
}

static int state_write(const char *folder, const char *state, struct err *err)
{
	_cleanup_free_ char *path = state_path(folder);
	_cleanup_free_ char *line = xasprintf("%s\n", state);

	return fs_write_atomic(path, line, strlen(line), 0644, err);
}

/* The tree that the folder holds, or NULL when nobody knows. *ret_same: it is the wanted one. */
static git_tree *state_read(struct repo *repo, const char *folder, const git_oid *wanted,
			    bool *ret_same)
{
	_cleanup_free_ char *path = state_path(folder);
	_cleanup_str_ struct str text = STR_INIT;
	git_tree *tree = NULL;
	git_oid oid;

	*ret_same = false;
	if (!fs_is_dir(folder) || fs_read(path, 100, &text, NULL) < 0)
		return NULL;
	str_trim(&text);
	if (text.len != GIT_HEX_LEN || git_oid_fromstr(&oid, text.buf) < 0 ||
	    git_tree_lookup(&tree, repo->git, &oid) < 0)
		return NULL;
	*ret_same = git_oid_equal(&oid, wanted);
	return tree;
}

static int write_tree(struct checkout *c, const char *folder, git_tree *old, git_tree *new)
{
	_cleanup_close_ int fd = -1;
	_cleanup_free_ char *temp = xasprintf("%s.tmp", folder);

	if (fs_mkdirs(folder, c->err) < 0)
		return -1;
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fchmod(fd, 0755) < 0)
		return err_errno(c->err, "cannot open %s", folder);
	c->temp = temp;
	str_add(&c->path, folder);
	if (sync_folder(c, fd, old, new, 0) < 0)
		return -1;
	/* The state file must not outlive the files it speaks of, should the power fail. */
	if (c->stats.written > CHECKOUT_SYNC_EACH && syncfs(fd) < 0)
		return err_errno(c->err, "cannot sync %s", folder);
	return 0;
}

int checkout_commit(struct repo *repo, const char *id, const char *folder,
		    struct checkout_stats *ret, struct err *err)
{
	_cleanup_commit_ git_commit *commit = NULL;
	_cleanup_tree_ git_tree *new = NULL;
	_cleanup_tree_ git_tree *old = NULL;
	struct checkout c = {.git = repo->git, .id = id, .path = STR_INIT, .err = err};
	char hex[GIT_HEX_LEN + 1];
	bool same;
	int rc;

	if (git_commit_get(repo, id, &commit, err) < 0)
		return -1;
	if (git_commit_tree(&new, commit) < 0)
		return git_fail(err, ERR_INFRA, "cannot read the tree of %s", id);
	old = state_read(repo, folder, git_tree_id(new), &same);
	if (same) {
		*ret = (struct checkout_stats){0};
		return 0;
	}
	c.full = c.stats.full = old == NULL;
	rc = state_write(folder, DIRTY, err);
	if (rc == 0)
		rc = write_tree(&c, folder, old, new);
	str_done(&c.path);
	git_oid_tostr(hex, sizeof(hex), git_tree_id(new));
	if (rc < 0 || state_write(folder, hex, err) < 0)
		return -1;
	*ret = c.stats;
	return 0;
}
