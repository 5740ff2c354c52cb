/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <git2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/git/checkout.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/str.h"

#define F GIT_FILEMODE_BLOB
#define X GIT_FILEMODE_BLOB_EXECUTABLE
#define L GIT_FILEMODE_LINK
#define M GIT_FILEMODE_COMMIT

struct entry {
	const char *path;
	git_filemode_t mode;
	const char *text;
};

/* States of a tree; every one is reached from every other. `seen` is what must lie in the folder.
 */
static const struct state {
	struct entry entries[8];
	const char *seen;
} states[] = {
	{{{"a", F, "1"}, {"d/e/f", F, "2"}, {"d/x", X, "3"}, {"l", L, "a"}},
	 "a 644 1\nd/\nd/e/\nd/e/f 644 2\nd/x 755 3\nl -> a\n"},
	{{{"a", F, "other"}, {"d/x", F, "3"}}, "a 644 other\nd/\nd/x 644 3\n"},
	{{{"a", X, "1"}, {"d", F, "was a folder"}}, "a 755 1\nd 644 was a folder\n"},
	{{{"a/b/c", F, "was a file"}, {"d/e", L, "../../outside"}, {"l", F, "was a link"}},
	 "a/\na/b/\na/b/c 644 was a file\nd/\nd/e -> ../../outside\nl 644 was a link\n"},
	{{{"d", L, "../victim"}, {"l", L, "/etc/passwd"}}, "d -> ../victim\nl -> /etc/passwd\n"},
	{{{"d", M, NULL}, {"a", L, "l"}}, "a -> l\nd/\n"},
	{{{"a", M, NULL}, {"d/e/f/g", F, ""}}, "a/\nd/\nd/e/\nd/e/f/\nd/e/f/g 644 \n"},
};

static char dir[] = "/tmp/lkp-checkout-XXXXXX";
static char folder[64], victim[64], state_file[64];
static git_repository *git;
static struct repo *repo;
static char ids[ARRAY_SIZE(states)][GIT_HEX_LEN + 1];

static void commit_tree(const git_oid *tree_id, char ret[GIT_HEX_LEN + 1])
{
	git_signature *who;
	git_tree *tree;
	git_oid id;

	assert_int_equal(git_signature_new(&who, "A", "a@example.org", 1000, 0), 0);
	assert_int_equal(git_tree_lookup(&tree, git, tree_id), 0);
	assert_int_equal(git_commit_create(&id, git, NULL, who, who, NULL, "x", tree, 0, NULL), 0);
	git_oid_tostr(ret, GIT_HEX_LEN + 1, &id);
	git_tree_free(tree);
	git_signature_free(who);
}

static void make_commit(const struct state *s, char ret[GIT_HEX_LEN + 1])
{
	git_index *index;
	git_oid tree;

	assert_int_equal(git_index_new(&index), 0);
	for (const struct entry *e = s->entries; e->path; e++) {
		git_index_entry entry = {.path = e->path, .mode = e->mode};

		git_oid_fromstr(&entry.id, "1234567890123456789012345678901234567890");
		if (e->text)
			assert_int_equal(git_blob_create_from_buffer(&entry.id, git, e->text,
								     strlen(e->text)),
					 0);
		assert_int_equal(git_index_add(index, &entry), 0);
	}
	assert_int_equal(git_index_write_tree_to(&tree, index, git), 0);
	git_index_free(index);
	commit_tree(&tree, ret);
}

/* A tree of one entry with a name that no honest git writes. */
static void make_hostile(const char *name, char ret[GIT_HEX_LEN + 1])
{
	_cleanup_str_ struct str raw = STR_INIT;
	git_oid blob, tree;
	git_odb *odb;

	assert_int_equal(git_blob_create_from_buffer(&blob, git, "evil", 4), 0);
	str_addf(&raw, "100644 %s", name);
	str_addc(&raw, '\0');
	str_addn(&raw, blob.id, GIT_OID_RAWSZ);
	assert_int_equal(git_repository_odb(&odb, git), 0);
	assert_int_equal(git_odb_write(&tree, odb, raw.buf, raw.len, GIT_OBJECT_TREE), 0);
	git_odb_free(odb);
	commit_tree(&tree, ret);
}

static void describe(const char *root, const char *below, struct str *ret)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", root, below);
	_cleanup_strv_ char **names = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(fs_list(path, &names, &err), 0);
	for (char **name = names; *name; name++) {
		_cleanup_free_ char *rel = xasprintf("%s%s", below, *name);
		_cleanup_free_ char *full = xasprintf("%s/%s", root, rel);
		_cleanup_free_ char *deeper = xasprintf("%s/", rel);
		char target[100] = "";
		struct stat st;

		assert_int_equal(lstat(full, &st), 0);
		if (S_ISDIR(st.st_mode)) {
			assert_int_equal(st.st_mode & 07777, 0755);
			str_addf(ret, "%s\n", deeper);
			describe(root, deeper, ret);
		} else if (S_ISLNK(st.st_mode)) {
			assert_true(readlink(full, target, sizeof(target) - 1) > 0);
			str_addf(ret, "%s -> %s\n", rel, target);
		} else {
			str_addf(ret, "%s %o ", rel, (unsigned)st.st_mode & 07777);
			assert_int_equal(fs_read(full, 1000, ret, &err), 0);
			str_addc(ret, '\n');
		}
	}
}

static void assert_holds(const struct state *s)
{
	_cleanup_str_ struct str got = STR_INIT;

	describe(folder, "", &got);
	assert_string_equal(got.buf, s->seen);
}

static struct checkout_stats check_out(size_t n)
{
	struct checkout_stats stats = {0};
	struct err err = ERR_INIT;

	if (checkout_commit(repo, ids[n], folder, &stats, &err) < 0)
		fail_msg("%s", err.msg);
	return stats;
}

static int setup(void **state)
{
	struct err err = ERR_INIT;
	_cleanup_free_ char *bare = NULL;

	(void)state;
	assert_non_null(mkdtemp(dir));
	bare = xasprintf("%s/repo", dir);
	snprintf(folder, sizeof(folder), "%s/src", dir);
	snprintf(victim, sizeof(victim), "%s/victim", dir);
	snprintf(state_file, sizeof(state_file), "%s/src.tree", dir);
	git_libgit2_init();
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
	assert_int_equal(git_repository_init(&git, bare, 1), 0);
	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		make_commit(&states[i], ids[i]);
	assert_int_equal(repo_open(bare, &repo, &err), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	repo_free(repo);
	git_repository_free(git);
	git_libgit2_shutdown();
	return fs_remove_tree(dir, NULL);
}

static int empty(void **state)
{
	(void)state;
	unlink(state_file);
	assert_int_equal(fs_remove_tree(folder, NULL), 0);
	return fs_write_atomic(victim, "safe", 4, 0644, NULL);
}

static void assert_victim_safe(void)
{
	_cleanup_str_ struct str text = STR_INIT;

	assert_int_equal(fs_read(victim, 100, &text, NULL), 0);
	assert_string_equal(text.buf, "safe");
}

static void every_state_follows_every_other(void **state)
{
	(void)state;
	for (size_t from = 0; from < ARRAY_SIZE(states); from++)
		for (size_t to = 0; to < ARRAY_SIZE(states); to++) {
			check_out(from);
			assert_holds(&states[from]);
			assert_false(check_out(to).full);
			assert_holds(&states[to]);
		}
	assert_victim_safe();
}

static void same_when_what_was_there_is_unknown(void **state)
{
	(void)state;
	for (size_t from = 0; from < ARRAY_SIZE(states); from++)
		for (size_t to = 0; to < ARRAY_SIZE(states); to++) {
			check_out(from);
			assert_int_equal(fs_write_atomic(state_file, "dirty\n", 6, 0644, NULL), 0);
			assert_true(check_out(to).full);
			assert_holds(&states[to]);
		}
	assert_victim_safe();
}

static struct timespec mtime_of(const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mtim;
}

static void set_old(const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
	const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};

	assert_int_equal(utimensat(AT_FDCWD, path, old, AT_SYMLINK_NOFOLLOW), 0);
}

static void touches_only_what_differs(void **state)
{
	struct checkout_stats stats;

	(void)state;
	assert_int_equal(check_out(0).written, 4);
	set_old("a");
	set_old("d/x");
	stats = check_out(0);
	assert_int_equal(stats.written + stats.removed, 0);
	assert_int_equal(mtime_of("a").tv_sec, 1000);
	stats = check_out(1);
	assert_int_equal(stats.written, 2);
	assert_int_equal(stats.removed, 2);
	assert_true(mtime_of("a").tv_sec > 1000);
	set_old("a");
	set_old("d/x");
	assert_int_equal(fs_write_atomic(state_file, "dirty\n", 6, 0644, NULL), 0);
	stats = check_out(1);
	assert_true(stats.full);
	assert_int_equal(stats.written + stats.removed, 0);
	assert_int_equal(mtime_of("a").tv_sec, 1000);
}

static void repairs_after_a_kill(void **state)
{
	_cleanup_free_ char *changed = xasprintf("%s/a", folder);
	_cleanup_free_ char *alien = xasprintf("%s/d/e/alien.o", folder);
	_cleanup_free_ char *half = xasprintf("%s.tmp", folder);
	static const char *const damage[] = {"dirty\n", "", "junk",
					     "0123456789012345678901234567890123456789\n"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(damage); i++) {
		check_out(0);
		fs_write_atomic(changed, "half-writ", 9, 0600, NULL);
		fs_write_atomic(alien, "x", 1, 0644, NULL);
		fs_write_atomic(half, "x", 1, 0644, NULL);
		fs_write_atomic(state_file, damage[i], strlen(damage[i]), 0644, NULL);
		assert_true(check_out(0).full);
		assert_holds(&states[0]);
	}
}

static void files_unknown_to_git_survive_a_small_step(void **state)
{
	_cleanup_free_ char *mine = xasprintf("%s/d/e/mine", folder);

	(void)state;
	check_out(0);
	assert_int_equal(fs_write_atomic(mine, "x", 1, 0644, NULL), 0);
	check_out(1);
	assert_true(fs_exists(mine));
	assert_int_equal(unlink(mine), 0);
}

static void hostile_paths_are_refused(void **state)
{
	static const char *const names[] = {
		"..", ".", ".git", ".GIT", "../victim", "a/../../victim", "/etc/x"};

	(void)state;
	for (size_t full = 0; full < 2; full++)
		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			struct checkout_stats stats;
			struct err err = ERR_INIT;
			char id[GIT_HEX_LEN + 1];

			make_hostile(names[i], id);
			check_out(0);
			if (full)
				unlink(state_file);
			assert_int_equal(checkout_commit(repo, id, folder, &stats, &err), -1);
			assert_int_equal(err.kind, ERR_USER);
			assert_string_equal(err.cause, "bad-path");
			assert_victim_safe();
			assert_true(check_out(0).full);
			assert_holds(&states[0]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_state_follows_every_other, empty),
		cmocka_unit_test_setup(same_when_what_was_there_is_unknown, empty),
		cmocka_unit_test_setup(touches_only_what_differs, empty),
		cmocka_unit_test_setup(repairs_after_a_kill, empty),
		cmocka_unit_test_setup(files_unknown_to_git_survive_a_small_step, empty),
		cmocka_unit_test_setup(hostile_paths_are_refused, empty),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
